import { noChanges } from '../support/no-changes.js';
import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import type { ContentType, MorphAttribute, RelationAttribute } from '../../src/content-types/model/types.js';
import { compileWrite, type WriteCommand } from '../../src/mongo/compile/write/write.js';
import type {
  Changes,
  LinkChange,
  Links,
  Position,
  StoredValue,
  ValueChange,
  Write,
} from '../../src/query/mutation.js';
import { loadCorpus, typeOf } from '../support/golden.js';

/** The rule and the write of a row. */
interface Corpus {
  readonly article: ContentType;
  readonly type: (name: string) => ContentType;
  readonly file: ContentType;
  /** A relation of the article. */
  readonly relation: (name: string) => RelationAttribute;
  /** The relation to any type of a comment (to one) or a bookmark (to many). */
  readonly morph: (type: string, name: string) => MorphAttribute;
}

interface Row {
  readonly rule: string;
  readonly write: (corpus: Corpus) => Write;
  readonly expected: readonly WriteCommand[];
}

async function readCorpus(): Promise<Corpus> {
  const registry = await loadCorpus();
  const article = typeOf(registry, 'article');
  const file = registry.contentTypes.get('plugin::upload.file');
  if (file === undefined) throw new Error('The upload plugin brings no file type');
  const relation = (name: string): RelationAttribute => {
    const attribute = article.attributes.get(name);
    if (attribute?.kind !== 'relation') throw new Error(`${name} is no relation of the article`);
    return attribute;
  };
  const morph = (type: string, name: string): MorphAttribute => {
    const attribute = typeOf(registry, type).attributes.get(name);
    if (attribute?.kind !== 'morph') throw new Error(`${name} is no morph of the ${type}`);
    return attribute;
  };
  return { article, file, relation, morph, type: (name) => typeOf(registry, name) };
}

/** A table of writes and the commands that they become, on the collection of their type. */
function golden(title: string, rows: readonly Row[]): void {
  const corpus = readCorpus();
  describe(`A table of ${title}`, () => {
    test.each(rows.map((row) => [row.rule, row] as const))('%s', async (_, { write, expected }) => {
      expect(compileWrite(write(await corpus))).toStrictEqual(expected);
    });
  });
}

/** A reference without its rank. */
const linkOf = { a: '$$one.a', r: '$$one.r' };
const values = (stored: Readonly<Record<string, StoredValue | undefined>>): Changes => ({
  ...noChanges,
  values: new Map(Object.entries(stored)),
});
const update = (filter: Document, change: Document | readonly Document[], many = false): WriteCommand => ({
  kind: 'update',
  filter,
  update: change,
  many,
});

const end: Position = { at: 'end' };
const at = (id: number, position: Position = end): LinkChange['connect'][number] => ({ id, position });
const set = (...ids: readonly number[]): LinkChange => ({
  replaces: true,
  disconnect: [],
  connect: ids.map((id) => at(id)),
});
const connect = (...ids: LinkChange['connect']): LinkChange => ({ replaces: false, disconnect: [], connect: ids });
const disconnect = (...ids: readonly number[]): LinkChange => ({ replaces: false, disconnect: ids, connect: [] });
const linked = (attribute: RelationAttribute, change: LinkChange, ranks: readonly number[] = []): Links => ({
  attribute,
  ...change,
  ranks,
});

/** The rank of a link in a relation of one to one: the highest that it ever had. */
const latest = (id: number, rank: number): Document => ({
  $cond: [
    { $and: [{ $eq: ['$seoCard', { $literal: id }] }, { $ne: [{ $type: '$_rank.seoCard' }, 'missing'] }] },
    { $max: ['$_rank.seoCard', { $literal: rank }] },
    { $literal: rank },
  ],
});

golden('insert', [
  {
    rule: 'absent values are not stored',
    write: ({ article: type }) => ({
      kind: 'insert',
      type,
      id: 12,
      changes: values({ title: 'Hello', summary: undefined }),
    }),
    expected: [{ kind: 'insert', document: { _id: 12, title: 'Hello' } }],
  },
  {
    rule: 'relations are stored as an id or a list of ids with ranks; empty ones are absent',
    write: ({ article: type, relation }) => ({
      kind: 'insert',
      type,
      id: 12,
      changes: {
        ...noChanges,
        links: [
          linked(relation('author'), set(3), [31]),
          linked(relation('tags'), set(2, 1), [7, 8]),
          linked(relation('related'), set(5)),
          linked(relation('category'), set()),
        ],
      },
    }),
    expected: [
      {
        kind: 'insert',
        document: { _id: 12, author: 3, tags: [2, 1], related: [5], _rank: { author: 31, tags: [7, 8] } },
      },
    ],
  },
  {
    rule: 'a to-one relation uses the last of several ids, with its rank',
    write: ({ article: type, relation }) => ({
      kind: 'insert',
      type,
      id: 12,
      changes: { ...noChanges, links: [linked(relation('author'), set(3, 4), [31, 32])] },
    }),
    expected: [{ kind: 'insert', document: { _id: 12, author: 4, _rank: { author: 32 } } }],
  },
  {
    rule: 'references and unique keys are stored with the entry',
    write: ({ article: type }) => ({
      kind: 'insert',
      type,
      id: 12,
      changes: {
        ...values({ cover: 7, links: [{ id: 9, label: 'a' }] }),
        references: { paths: [], remove: [], add: [{ a: 'cover', r: 'plugin::upload.file:7' }] },
        uniqueKeys: { paths: [], remove: [], add: [{ a: 'links.9.label', k: 'shared.link.label=a' }] },
      },
    }),
    expected: [
      {
        kind: 'insert',
        document: {
          _id: 12,
          cover: 7,
          links: [{ id: 9, label: 'a' }],
          _refs: [{ a: 'cover', r: 'plugin::upload.file:7' }],
          _unique: [{ a: 'links.9.label', k: 'shared.link.label=a' }],
        },
      },
    ],
  },
]);

golden('update', [
  {
    rule: 'values are set, cleared ones are unset',
    write: ({ article: type }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: values({ title: 'Hello', summary: undefined }),
    }),
    expected: [update({ _id: 12 }, { $set: { title: 'Hello' }, $unset: { summary: '' } })],
  },
  {
    rule: 'without changes there is no update',
    write: ({ article: type }) => ({ kind: 'update', type, id: 12, changes: noChanges }),
    expected: [update({ _id: 12 }, {})],
  },
  {
    rule: 'in a pipeline every value is a $literal, so that strings are not read as paths',
    write: ({ article: type, relation }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: {
        ...values({ title: '$internalNote', summary: undefined }),
        links: [linked(relation('seoCard'), set(4), [50])],
      },
    }),
    expected: [
      update({ _id: 12 }, [
        { $set: { title: { $literal: '$internalNote' }, seoCard: { $literal: 4 }, '_rank.seoCard': latest(4, 50) } },
        { $unset: ['summary'] },
      ]),
    ],
  },
]);

/** A table of changes of one relation of the article 12, and the update that they become. */
const linkRows = (
  rows: readonly {
    readonly rule: string;
    readonly name: string;
    readonly change: LinkChange;
    readonly ranks?: readonly number[];
    readonly needs?: readonly Document[];
    readonly expected: Document | readonly Document[];
  }[],
): readonly Row[] =>
  rows.map(({ rule, name, change, ranks, needs, expected }) => ({
    rule,
    write: ({ article: type, relation }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: { ...noChanges, links: [linked(relation(name), change, ranks)] },
    }),
    expected: [update({ _id: 12, ...(needs !== undefined && { $and: needs }) }, expected)],
  }));

/** The expression, unless it is an empty list. */
const unlessEmpty = (list: Document): Document => ({
  $let: { vars: { list }, in: { $cond: [{ $eq: ['$$list', []] }, '$$REMOVE', '$$list'] } },
});

golden(
  'changes of a relation to one',
  linkRows([
    {
      rule: 'clearing removes the rank too',
      name: 'author',
      change: set(),
      expected: { $unset: { author: '', '_rank.author': '' } },
    },
    {
      rule: 'set equals connect: a linked entry keeps its rank',
      name: 'author',
      change: connect(at(3)),
      ranks: [31],
      expected: [
        {
          $set: {
            author: { $literal: 3 },
            '_rank.author': {
              $cond: [
                { $and: [{ $eq: ['$author', { $literal: 3 }] }, { $ne: [{ $type: '$_rank.author' }, 'missing'] }] },
                '$_rank.author',
                { $literal: 31 },
              ],
            },
          },
        },
      ],
    },
    {
      rule: 'the last of several entries is used, whatever the positions',
      name: 'seoCard',
      change: connect(at(3), at(4, { at: 'before', id: 3 })),
      ranks: [49, 50],
      expected: [{ $set: { seoCard: { $literal: 4 }, '_rank.seoCard': latest(4, 50) } }],
    },
    {
      rule: 'disconnect removes only the linked entry, with its rank',
      name: 'author',
      change: disconnect(3, 4),
      expected: [
        {
          $set: {
            author: { $cond: [{ $in: ['$author', { $literal: [3, 4] }] }, '$$REMOVE', '$author'] },
            '_rank.author': { $cond: [{ $in: ['$author', { $literal: [3, 4] }] }, '$$REMOVE', '$_rank.author'] },
          },
        },
      ],
    },
  ]),
);

/** One after the other comes to its place among the others; one that is there already brings its own pair of id and rank. */
const placed = {
  $let: {
    vars: {
      others: {
        $filter: {
          input: '$$value',
          as: 'pair',
          cond: { $not: [{ $eq: [{ $arrayElemAt: ['$$pair', 0] }, { $arrayElemAt: ['$$this.pair', 0] }] }] },
        },
      },
    },
    in: {
      $let: {
        vars: {
          place: {
            $switch: {
              branches: [
                { case: { $eq: ['$$this.at', 'start'] }, then: 0 },
                { case: { $eq: ['$$this.at', 'before'] }, then: neighbour() },
                { case: { $eq: ['$$this.at', 'after'] }, then: { $add: [neighbour(), 1] } },
              ],
              default: { $size: '$$others' },
            },
          },
        },
        in: {
          $concatArrays: [
            { $cond: [{ $lte: ['$$place', 0] }, [], { $slice: ['$$others', '$$place'] }] },
            [
              {
                $ifNull: [
                  {
                    $first: {
                      $filter: {
                        input: '$$held',
                        as: 'pair',
                        cond: { $eq: [{ $arrayElemAt: ['$$pair', 0] }, { $arrayElemAt: ['$$this.pair', 0] }] },
                      },
                    },
                  },
                  '$$this.pair',
                ],
              },
            ],
            {
              $cond: [
                { $gte: ['$$place', { $size: '$$others' }] },
                [],
                { $slice: ['$$others', '$$place', { $size: '$$others' }] },
              ],
            },
          ],
        },
      },
    },
  },
};

function neighbour(): Document {
  const ids = { $map: { input: '$$others', as: 'pair', in: { $arrayElemAt: ['$$pair', 0] } } };
  return { $indexOfArray: [ids, '$$this.of'] };
}

/** Those that are held and stay, and then those that come. */
const arranged = (held: Document, staying: unknown, comers: readonly Document[]): Document => ({
  $let: { vars: { held }, in: { $reduce: { input: { $literal: comers }, initialValue: staying, in: placed } } },
});
const without = (...ids: readonly number[]): Document => ({
  $filter: {
    input: '$$held',
    as: 'pair',
    cond: { $not: [{ $in: [{ $arrayElemAt: ['$$pair', 0] }, { $literal: ids }] }] },
  },
});
const column = (index: number): Document =>
  unlessEmpty({ $map: { input: '$_pairs0', as: 'pair', in: { $arrayElemAt: ['$$pair', index] } } });

const ranked = { $zip: { inputs: [{ $ifNull: ['$tags', []] }, { $ifNull: ['$_rank.tags', []] }] } };
const unranked = { $map: { input: { $ifNull: ['$related', []] }, as: 'id', in: ['$$id'] } };
/** Ids and ranks side by side are arranged, and come apart again. */
const tags = (staying: unknown, comers: readonly Document[]): readonly Document[] => [
  { $set: { _pairs0: arranged(ranked, staying, comers) } },
  { $set: { tags: column(0), '_rank.tags': column(1) } },
  { $unset: ['_pairs0'] },
];
const related = (staying: unknown, comers: readonly Document[]): readonly Document[] => [
  { $set: { _pairs0: arranged(unranked, staying, comers) } },
  { $set: { related: column(0) } },
  { $unset: ['_pairs0'] },
];

golden(
  'changes of a list without an order on the other side',
  linkRows([
    { rule: 'a new list is a value', name: 'related', change: set(6, 5), expected: { $set: { related: [6, 5] } } },
    {
      rule: 'an empty list is absent',
      name: 'related',
      change: set(),
      expected: { $unset: { related: '', '_rank.related': '' } },
    },
    {
      rule: 'connect appends an entry',
      name: 'related',
      change: connect(at(6)),
      expected: related('$$held', [{ pair: [6], at: 'end' }]),
    },
    {
      rule: 'connect prepends an entry',
      name: 'related',
      change: connect(at(6, { at: 'start' })),
      expected: related('$$held', [{ pair: [6], at: 'start' }]),
    },
    {
      rule: 'connect inserts before or after an anchor, which must be linked',
      name: 'related',
      change: connect(at(6, { at: 'before', id: 5 }), at(7, { at: 'after', id: 5 })),
      needs: [{ related: 5 }, { related: 5 }],
      expected: related('$$held', [
        { pair: [6], at: 'before', of: 5 },
        { pair: [7], at: 'after', of: 5 },
      ]),
    },
    {
      rule: 'or is connected earlier',
      name: 'related',
      change: connect(at(6), at(7, { at: 'before', id: 6 })),
      expected: related('$$held', [
        { pair: [6], at: 'end' },
        { pair: [7], at: 'before', of: 6 },
      ]),
    },
    {
      rule: 'a disconnected entry cannot be an anchor',
      name: 'related',
      change: { ...disconnect(6), connect: [at(7, { at: 'before', id: 6 })] },
      needs: [{ $nor: [{}] }],
      expected: related(without(6), [{ pair: [7], at: 'before', of: 6 }]),
    },
    {
      rule: 'disconnect removes entries',
      name: 'related',
      change: disconnect(5, 6),
      expected: related(without(5, 6), []),
    },
    {
      rule: 'disconnect is applied before connect',
      name: 'related',
      change: { ...disconnect(5), connect: [at(6)] },
      expected: related(without(5), [{ pair: [6], at: 'end' }]),
    },
  ]),
);

golden(
  'changes of a list with an order on the other side',
  linkRows([
    {
      rule: 'set keeps the ranks of ids that stay, at any position',
      name: 'tags',
      change: set(2, 1),
      ranks: [40, 41],
      expected: tags(
        [],
        [
          { pair: [2, 40], at: 'end' },
          { pair: [1, 41], at: 'end' },
        ],
      ),
    },
    {
      rule: 'clearing removes the ranks too',
      name: 'tags',
      change: set(),
      expected: { $unset: { tags: '', '_rank.tags': '' } },
    },
    {
      rule: 'a connected entry gets a rank, which moves with it',
      name: 'tags',
      change: connect(at(2, { at: 'start' }), at(1, { at: 'after', id: 3 })),
      ranks: [40, 41],
      needs: [{ tags: 3 }],
      expected: tags('$$held', [
        { pair: [2, 40], at: 'start' },
        { pair: [1, 41], at: 'after', of: 3 },
      ]),
    },
    {
      rule: 'ranks are removed with their ids',
      name: 'tags',
      change: disconnect(2),
      expected: tags(without(2), []),
    },
  ]),
);

golden('changes of several relations', [
  {
    rule: 'several relations are changed in one update',
    write: ({ article: type, relation }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: {
        ...values({ title: 'Hello' }),
        links: [
          linked(relation('seoCard'), set()),
          linked(relation('related'), connect(at(6))),
          linked(relation('tags'), disconnect(2)),
        ],
      },
    }),
    expected: [
      update({ _id: 12 }, [
        {
          $set: {
            _pairs1: arranged(unranked, '$$held', [{ pair: [6], at: 'end' }]),
            _pairs2: arranged(ranked, without(2), []),
          },
        },
        {
          $set: {
            title: { $literal: 'Hello' },
            related: unlessEmpty({ $map: { input: '$_pairs1', as: 'pair', in: { $arrayElemAt: ['$$pair', 0] } } }),
            tags: unlessEmpty({ $map: { input: '$_pairs2', as: 'pair', in: { $arrayElemAt: ['$$pair', 0] } } }),
            '_rank.tags': unlessEmpty({ $map: { input: '$_pairs2', as: 'pair', in: { $arrayElemAt: ['$$pair', 1] } } }),
          },
        },
        { $unset: ['seoCard', '_rank.seoCard', '_pairs1', '_pairs2'] },
      ]),
    ],
  },
]);

/** A table of changes of one attribute that keeps components, and the condition and value that they become. */
const mergeRows = (
  rows: readonly {
    readonly rule: string;
    readonly name: string;
    readonly change: ValueChange;
    readonly needs?: readonly Document[];
    readonly expected: unknown;
  }[],
): readonly Row[] =>
  rows.map(({ rule, name, change, needs, expected }) => ({
    rule,
    write: ({ article: type }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: { ...noChanges, merges: new Map([[name, change]]) },
    }),
    expected: [update({ _id: 12, ...(needs !== undefined && { $and: needs }) }, [{ $set: { [name]: expected } }])],
  }));

const value = (stored: StoredValue | undefined): ValueChange => ({ kind: 'value', value: stored });
const kept = (id: number, changes: Readonly<Record<string, ValueChange>>, uid?: string) =>
  ({ kind: 'merge', id, uid, changes: new Map(Object.entries(changes)) }) as const;
const fresh = (stored: StoredValue) => ({ kind: 'new', value: stored }) as const;
/** One of the components in a list, by its id. */
const held = (input: string, id: number, then: unknown, kind?: string): Document => {
  const hasId = { $eq: ['$$one.id', { $literal: id }] };
  const cond = kind === undefined ? hasId : { $and: [hasId, { $eq: ['$$one.__component', kind] }] };
  return { $let: { vars: { component: { $first: { $filter: { input, as: 'one', cond } } } }, in: then } };
};
const withField = (input: unknown, field: string, value: unknown): Document => ({
  $setField: { field, input, value },
});

golden(
  'changes of components that are kept',
  mergeRows([
    {
      rule: 'a component is updated in place if its id matches',
      name: 'seo',
      change: {
        kind: 'component',
        component: kept(4, { metaTitle: value('$new'), metaDescription: value(undefined) }),
      },
      needs: [{ 'seo.id': 4 }],
      expected: withField(withField('$seo', 'metaTitle', { $literal: '$new' }), 'metaDescription', '$$REMOVE'),
    },
    {
      rule: 'a component without changes is unchanged',
      name: 'seo',
      change: { kind: 'component', component: kept(4, {}) },
      needs: [{ 'seo.id': 4 }],
      expected: '$seo',
    },
    {
      rule: 'a nested component is updated in place if its id matches',
      name: 'seo',
      change: {
        kind: 'component',
        component: kept(4, {
          openGraph: { kind: 'component', component: kept(5, { ogTitle: value('x') }) },
        }),
      },
      needs: [{ 'seo.id': 4, 'seo.openGraph.id': 5 }],
      expected: withField('$seo', 'openGraph', withField('$seo.openGraph', 'ogTitle', { $literal: 'x' })),
    },
    {
      rule: 'a nested component can be new',
      name: 'seo',
      change: {
        kind: 'component',
        component: kept(4, { openGraph: { kind: 'component', component: fresh({ id: 6, ogTitle: 'x' }) } }),
      },
      needs: [{ 'seo.id': 4 }],
      expected: withField('$seo', 'openGraph', { $literal: { id: 6, ogTitle: 'x' } }),
    },
    {
      rule: 'a list contains the written components in order: existing by id, others new',
      name: 'links',
      change: {
        kind: 'components',
        components: [kept(9, { label: value('b') }), fresh({ id: 11, label: 'c' }), kept(8, {})],
      },
      needs: [{ links: { $all: [{ $elemMatch: { id: 9 } }, { $elemMatch: { id: 8 } }] } }],
      expected: [
        held('$links', 9, withField('$$component', 'label', { $literal: 'b' })),
        { $literal: { id: 11, label: 'c' } },
        held('$links', 8, '$$component'),
      ],
    },
    {
      rule: 'in a zone the component type must match too',
      name: 'blocks',
      change: {
        kind: 'components',
        components: [
          kept(3, { content: value('x') }, 'blocks.text'),
          fresh({ id: 12, __component: 'blocks.quote', text: 'q' }),
        ],
      },
      needs: [{ blocks: { $all: [{ $elemMatch: { id: 3, __component: 'blocks.text' } }] } }],
      expected: [
        held('$blocks', 3, withField('$$component', 'content', { $literal: 'x' }), 'blocks.text'),
        { $literal: { id: 12, __component: 'blocks.quote', text: 'q' } },
      ],
    },
    {
      rule: 'nested lists are searched in the surrounding component',
      name: 'blocks',
      change: {
        kind: 'components',
        components: [
          kept(
            3,
            {
              items: {
                kind: 'components',
                components: [kept(7, { label: value('x') }), fresh({ id: 13, label: 'y' })],
              },
            },
            'blocks.promo',
          ),
        ],
      },
      needs: [
        {
          blocks: {
            $all: [
              { $elemMatch: { id: 3, __component: 'blocks.promo', items: { $all: [{ $elemMatch: { id: 7 } }] } } },
            ],
          },
        },
      ],
      expected: [
        held(
          '$blocks',
          3,
          withField('$$component', 'items', [
            held('$$component.items', 7, withField('$$component', 'label', { $literal: 'x' })),
            { $literal: { id: 13, label: 'y' } },
          ]),
          'blocks.promo',
        ),
      ],
    },
    {
      rule: 'a nested list that is written empty is removed',
      name: 'blocks',
      change: {
        kind: 'components',
        components: [kept(3, { items: { kind: 'components', components: [] } }, 'blocks.promo')],
      },
      needs: [{ blocks: { $all: [{ $elemMatch: { id: 3, __component: 'blocks.promo' } }] } }],
      expected: [held('$blocks', 3, withField('$$component', 'items', '$$REMOVE'), 'blocks.promo')],
    },
    {
      rule: 'some components of a list are updated in place, others may have been added',
      name: 'links',
      change: { kind: 'someComponents', components: [kept(9, { label: value('b') }), kept(8, {})] },
      needs: [{ links: { $all: [{ $elemMatch: { id: 9 } }, { $elemMatch: { id: 8 } }] } }],
      expected: {
        $map: {
          input: '$links',
          as: 'held',
          in: {
            $switch: {
              branches: [
                {
                  case: { $eq: ['$$held.id', { $literal: 9 }] },
                  then: withField('$$held', 'label', { $literal: 'b' }),
                },
                { case: { $eq: ['$$held.id', { $literal: 8 }] }, then: '$$held' },
              ],
              default: '$$held',
            },
          },
        },
      },
    },
  ]),
);

const mentions = { $map: { input: { $ifNull: ['$$component.mentions', []] }, as: 'id', in: ['$$id'] } };
const quote = (changes: Readonly<Record<string, ValueChange>>): ValueChange => ({
  kind: 'components',
  components: [kept(3, changes, 'blocks.quote')],
});
const needsQuote = { blocks: { $all: [{ $elemMatch: { id: 3, __component: 'blocks.quote' } }] } };

golden(
  'changes of relations in components that are kept',
  mergeRows([
    {
      rule: 'a relation list in a component is arranged like that of an entry, without ranks',
      name: 'blocks',
      change: quote({
        mentions: { kind: 'links', many: true, change: { ...disconnect(2), connect: [at(1, { at: 'start' })] } },
      }),
      needs: [needsQuote],
      expected: [
        held(
          '$blocks',
          3,
          withField(
            '$$component',
            'mentions',
            unlessEmpty({
              $map: {
                input: arranged(mentions, without(2), [{ pair: [1], at: 'start' }]),
                as: 'pair',
                in: { $arrayElemAt: ['$$pair', 0] },
              },
            }),
          ),
          'blocks.quote',
        ),
      ],
    },
    {
      rule: 'disconnect from a to-one relation removes the entry if it is linked',
      name: 'blocks',
      change: quote({ source: { kind: 'links', many: false, change: disconnect(5) } }),
      needs: [needsQuote],
      expected: [
        held(
          '$blocks',
          3,
          withField('$$component', 'source', {
            $cond: [{ $in: ['$$component.source', { $literal: [5] }] }, '$$REMOVE', '$$component.source'],
          }),
          'blocks.quote',
        ),
      ],
    },
    {
      rule: 'an anchor must be linked in the same list',
      name: 'blocks',
      change: quote({
        mentions: { kind: 'links', many: true, change: connect(at(1, { at: 'after', id: 2 })) },
      }),
      needs: [needsQuote, { blocks: { $elemMatch: { id: 3, __component: 'blocks.quote', mentions: 2 } } }],
      expected: [
        held(
          '$blocks',
          3,
          withField(
            '$$component',
            'mentions',
            unlessEmpty({
              $map: {
                input: arranged(mentions, '$$held', [{ pair: [1], at: 'after', of: 2 }]),
                as: 'pair',
                in: { $arrayElemAt: ['$$pair', 0] },
              },
            }),
          ),
          'blocks.quote',
        ),
      ],
    },
  ]),
);

const isBelow = (path: string): Document => ({
  $or: [{ $eq: ['$$one.a', { $literal: path }] }, { $eq: [{ $indexOfCP: ['$$one.a', { $literal: `${path}.` }] }, 0] }],
});
/** Those that stay of the references or unique keys, and then others. */
const replaced = (name: '_refs' | '_unique', cond: unknown, add: readonly Document[]): Document =>
  unlessEmpty({
    $concatArrays: [{ $filter: { input: { $ifNull: [`$${name}`, []] }, as: 'one', cond } }, { $literal: add }],
  });

const cover = { a: 'cover', r: 'plugin::upload.file:7' };
const share = { a: 'seo.4.shareImage', r: 'plugin::upload.file:8' };

golden('references and unique keys', [
  {
    rule: 'references at or below written paths are replaced; an empty list is removed',
    write: ({ article: type }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: {
        ...values({ cover: 7 }),
        references: { paths: [{ path: 'cover', keep: false }], remove: [], add: [cover] },
      },
    }),
    expected: [
      update({ _id: 12 }, [
        {
          $set: {
            cover: { $literal: 7 },
            _refs: replaced(
              '_refs',
              {
                $and: [
                  { $switch: { branches: [{ case: isBelow('cover'), then: false }], default: true } },
                  { $not: [{ $in: [linkOf, { $literal: [cover] }] }] },
                ],
              },
              [cover],
            ),
          },
        },
      ]),
    ],
  },
  {
    rule: 'the longest path decides: an existing component keeps references of unwritten attributes',
    write: ({ article: type }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: {
        ...noChanges,
        references: {
          paths: [
            { path: 'seo', keep: false },
            { path: 'seo.4', keep: true },
            { path: 'seo.4.shareImage', keep: false },
          ],
          remove: [],
          add: [],
        },
      },
    }),
    expected: [
      update({ _id: 12 }, [
        {
          $set: {
            _refs: replaced(
              '_refs',
              {
                $switch: {
                  branches: [
                    { case: isBelow('seo.4.shareImage'), then: false },
                    { case: isBelow('seo.4'), then: true },
                    { case: isBelow('seo'), then: false },
                  ],
                  default: true,
                },
              },
              [],
            ),
          },
        },
      ]),
    ],
  },
  {
    rule: 'single references can be removed, and added ones are unique',
    write: ({ article: type }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: { ...noChanges, references: { paths: [], remove: [cover], add: [share] } },
    }),
    expected: [
      update({ _id: 12 }, [
        {
          $set: {
            _refs: replaced('_refs', { $and: [true, { $not: [{ $in: [linkOf, { $literal: [cover, share] }] }] }] }, [
              share,
            ]),
          },
        },
      ]),
    ],
  },
  {
    rule: 'unique keys follow the same rules',
    write: ({ article: type }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: { ...noChanges, uniqueKeys: { paths: [{ path: 'links', keep: false }], remove: [], add: [] } },
    }),
    expected: [
      update({ _id: 12 }, [
        {
          $set: {
            _unique: replaced(
              '_unique',
              { $switch: { branches: [{ case: isBelow('links'), then: false }], default: true } },
              [],
            ),
          },
        },
      ]),
    ],
  },
]);

golden('remove', [
  {
    rule: 'deletes one entry',
    write: ({ article: type }) => ({ kind: 'remove', type, id: 12 }),
    expected: [{ kind: 'remove', filter: { _id: 12 } }],
  },
]);

const tagsHeld = { $ifNull: ['$tags', []] };
const ranksHeld = { $ifNull: ['$_rank.tags', []] };

golden('link', [
  {
    rule: 'sets the target in a to-one relation of each owner, with a rank',
    write: ({ article: type, relation }) => ({
      kind: 'link',
      type,
      attribute: relation('author'),
      owners: [12, 13],
      ranks: [50, 51],
      target: 3,
      reserved: 50,
    }),
    expected: [50, 51].map((rank, index) =>
      update({ _id: 12 + index }, [
        {
          $set: {
            author: { $literal: 3 },
            '_rank.author': {
              $cond: [
                { $eq: ['$author', { $literal: 3 }] },
                { $max: ['$_rank.author', { $literal: rank }] },
                { $literal: rank },
              ],
            },
          },
        },
      ]),
    ),
  },
  {
    rule: 'in a one-to-one relation a link of a later rank stays, to identify the latest',
    write: ({ article: type, relation }) => ({
      kind: 'link',
      type,
      attribute: relation('seoCard'),
      owners: [12],
      ranks: [50],
      target: 4,
      reserved: 50,
    }),
    expected: [
      update({ _id: 12 }, [
        {
          $set: {
            seoCard: { $cond: [{ $gt: ['$_rank.seoCard', { $literal: 50 }] }, '$seoCard', { $literal: 4 }] },
            '_rank.seoCard': { $max: ['$_rank.seoCard', { $literal: 50 }] },
          },
        },
      ]),
    ],
  },
  {
    rule: 'appends it to a list, or updates its rank in place',
    write: ({ article: type, relation }) => ({
      kind: 'link',
      type,
      attribute: relation('tags'),
      owners: [12],
      ranks: [50],
      target: 2,
      reserved: 50,
    }),
    expected: [
      update({ _id: 12 }, [
        {
          $set: {
            tags: {
              $cond: [
                { $lt: [{ $indexOfArray: [tagsHeld, { $literal: 2 }] }, 0] },
                { $concatArrays: [tagsHeld, [{ $literal: 2 }]] },
                tagsHeld,
              ],
            },
            '_rank.tags': {
              $let: {
                vars: { at: { $indexOfArray: [tagsHeld, { $literal: 2 }] } },
                in: {
                  $cond: [
                    { $lt: ['$$at', 0] },
                    { $concatArrays: [ranksHeld, [{ $literal: 50 }]] },
                    {
                      $map: {
                        input: { $range: [0, { $size: ranksHeld }] },
                        as: 'index',
                        in: {
                          $cond: [
                            { $eq: ['$$index', '$$at'] },
                            { $max: [{ $arrayElemAt: [ranksHeld, '$$index'] }, { $literal: 50 }] },
                            { $arrayElemAt: [ranksHeld, '$$index'] },
                          ],
                        },
                      },
                    },
                  ],
                },
              },
            },
          },
        },
      ]),
    ],
  },
  {
    rule: 'sets its position in the order, unless it was linked again since',
    write: ({ article: type, relation }) => ({
      kind: 'link',
      type,
      attribute: relation('author'),
      owners: [12],
      ranks: [7.5],
      target: 3,
      reserved: 50,
      seen: [9],
    }),
    expected: [
      update({ _id: 12 }, [
        {
          $set: {
            author: { $literal: 3 },
            '_rank.author': {
              $cond: [
                { $eq: ['$author', { $literal: 3 }] },
                {
                  $cond: [
                    { $eq: ['$_rank.author', { $literal: 9 }] },
                    { $literal: 7.5 },
                    { $max: ['$_rank.author', { $literal: 7.5 }] },
                  ],
                },
                { $literal: 7.5 },
              ],
            },
          },
        },
        {
          $set: {
            _marks: {
              $slice: [
                { $concatArrays: [{ $ifNull: ['$_marks', []] }, { $literal: [{ a: 'author', n: 50, p: 3 }] }] },
                -32,
              ],
            },
          },
        },
      ]),
    ],
  },
]);

const ifBelow = (path: string): Document => ({
  $cond: [
    { $and: [{ $eq: ['$seoCard', { $literal: 4 }] }, { $lt: ['$_rank.seoCard', '$$new._latest'] }] },
    '$$REMOVE',
    path,
  ],
});

golden('takeover', [
  {
    rule: 'removes the target from all owners with a link older than the latest, or than this rank',
    write: ({ article: type, relation }) => ({
      kind: 'takeover',
      type,
      attribute: relation('seoCard'),
      target: 4,
      rank: 50,
    }),
    expected: [
      {
        kind: 'merge',
        pipeline: [
          { $match: { seoCard: 4 } },
          { $setWindowFields: { output: { _latest: { $max: '$_rank.seoCard' } } } },
          { $set: { _latest: { $max: ['$_latest', { $literal: 50 }] } } },
          { $match: { $expr: { $lt: ['$_rank.seoCard', '$_latest'] } } },
          {
            $merge: {
              into: 'articles',
              whenMatched: [{ $set: { seoCard: ifBelow('$seoCard'), '_rank.seoCard': ifBelow('$_rank.seoCard') } }],
              whenNotMatched: 'discard',
            },
          },
        ],
      },
    ],
  },
]);

/** The ids that an update removes from a relation, whether a list is stored or one id. */
const unlinked = (name: string, targets: readonly number[]): readonly Document[] => {
  const pick = (list: string): Document => ({
    $cond: [
      { $eq: ['$_kept', []] },
      '$$REMOVE',
      { $map: { input: '$_kept', as: 'at', in: { $arrayElemAt: [list, '$$at'] } } },
    ],
  });
  return [
    { $set: { _held: { $cond: [{ $isArray: [`$${name}`] }, `$${name}`, [`$${name}`]] } } },
    {
      $set: {
        _kept: {
          $filter: {
            input: { $range: [0, { $size: '$_held' }] },
            as: 'at',
            cond: { $not: [{ $in: [{ $arrayElemAt: ['$_held', '$$at'] }, { $literal: targets }] }] },
          },
        },
      },
    },
    {
      $set: {
        [name]: pick('$_held'),
        [`_rank.${name}`]: { $cond: [{ $isArray: [`$_rank.${name}`] }, pick(`$_rank.${name}`), '$$REMOVE'] },
      },
    },
    { $unset: ['_held', '_kept'] },
  ];
};

golden('unlink', [
  {
    rule: 'removes targets from a to-one relation, except for some owners',
    write: ({ article: type, relation }) => ({
      kind: 'unlink',
      type,
      attribute: relation('author'),
      targets: [3, 4],
      owners: { except: [12] },
    }),
    expected: [update({ author: { $in: [3, 4] }, _id: { $nin: [12] } }, unlinked('author', [3, 4]), true)],
  },
  {
    rule: 'removes targets from a list with their ranks; an empty list is removed',
    write: ({ article: type, relation }) => ({
      kind: 'unlink',
      type,
      attribute: relation('tags'),
      targets: [2],
      owners: { except: [] },
    }),
    expected: [update({ tags: { $in: [2] } }, unlinked('tags', [2]), true)],
  },
  {
    rule: 'removes targets from some owners only',
    write: ({ article: type, relation }) => ({
      kind: 'unlink',
      type,
      attribute: relation('seoCard'),
      targets: [4],
      owners: { only: [12, 13] },
    }),
    expected: [update({ seoCard: { $in: [4] }, _id: { $in: [12, 13] } }, unlinked('seoCard', [4]), true)],
  },
]);

const product = { __type: 'api::product.product', id: 7 };
const notProduct = (path: string): Document => ({
  $filter: { input: path, as: 'one', cond: { $ne: ['$$one', { $literal: product }] } },
});
const subject = { a: 'subject', r: 'api::product.product:7' };
const item = { a: 'items', r: 'api::product.product:7' };
const itemsHeld = {
  $filter: { input: { $ifNull: ['$items', []] }, as: 'one', cond: { $ne: ['$$one', { $literal: product }] } },
};

/** The references but for those that the condition takes out, and this one with the higher rank. */
const attached = (reference: Document, stays: Document): Document => {
  const held = { $ifNull: ['$_refs', []] };
  const isIt = { $and: [{ $eq: ['$$one.a', reference['a']] }, { $eq: ['$$one.r', reference['r']] }] };
  const former = { $map: { input: { $filter: { input: held, as: 'one', cond: isIt } }, as: 'one', in: '$$one.n' } };
  const added = { ...reference, n: { $max: [{ $literal: 50 }, { $max: former }] } };
  return { $concatArrays: [{ $filter: { input: held, as: 'one', cond: stays } }, [added]] };
};

golden('attach', [
  {
    rule: 'sets the target of a morph relation and replaces its reference',
    write: ({ type, morph }) => ({
      kind: 'attach',
      type: type('comment'),
      attribute: morph('comment', 'subject'),
      owners: [3, 4],
      target: product,
      rank: 50,
    }),
    expected: [3, 4].map((_id) =>
      update({ _id }, [
        { $set: { subject: { $literal: product }, _refs: attached(subject, { $ne: ['$$one.a', 'subject'] }) } },
      ]),
    ),
  },
  {
    rule: 'appends a target to a morph list, once',
    write: ({ type, morph }) => ({
      kind: 'attach',
      type: type('bookmark'),
      attribute: morph('bookmark', 'items'),
      owners: [3],
      target: product,
      rank: 50,
    }),
    expected: [
      update({ _id: 3 }, [
        {
          $set: {
            items: { $concatArrays: [itemsHeld, [{ $literal: product }]] },
            _refs: attached(item, {
              $not: [{ $and: [{ $eq: ['$$one.a', 'items'] }, { $eq: ['$$one.r', item.r] }] }],
            }),
          },
        },
      ]),
    ],
  },
]);

golden('detach', [
  {
    rule: 'removes a target from morph relations, except for some owners',
    write: ({ type, morph }) => ({
      kind: 'detach',
      type: type('comment'),
      attribute: morph('comment', 'subject'),
      target: product,
      owners: { except: [4] },
    }),
    expected: [
      update(
        { '_refs.r': subject.r, subject: product, _id: { $nin: [4] } },
        [
          {
            $set: {
              subject: '$$REMOVE',
              _refs: replaced('_refs', { $and: [true, { $not: [{ $in: [linkOf, { $literal: [subject] }] }] }] }, []),
            },
          },
        ],
        true,
      ),
    ],
  },
  {
    rule: 'removes a target from morph lists of some owners only',
    write: ({ type, morph }) => ({
      kind: 'detach',
      type: type('bookmark'),
      attribute: morph('bookmark', 'items'),
      target: product,
      owners: { only: [3] },
    }),
    expected: [
      update(
        { '_refs.r': item.r, items: { $elemMatch: product }, _id: { $in: [3] } },
        [
          {
            $set: {
              items: unlessEmpty(notProduct('$items')),
              _refs: replaced('_refs', { $and: [true, { $not: [{ $in: [linkOf, { $literal: [item] }] }] }] }, []),
            },
          },
        ],
        true,
      ),
    ],
  },
]);

/** The references without one; the list goes when it was the last. */
const refsWithout = (reference: string): Document => ({
  $let: {
    vars: { list: { $filter: { input: '$_refs', as: 'one', cond: { $ne: ['$$one.r', { $literal: reference }] } } } },
    in: { $cond: [{ $eq: ['$$list', []] }, '$$REMOVE', '$$list'] },
  },
});
/** A value without the target, whether a list is stored or one. */
const unless = (path: string, target: unknown): Document => ({
  $cond: [
    { $isArray: [path] },
    unlessEmpty({ $filter: { input: path, as: 'one', cond: { $ne: ['$$one', { $literal: target }] } } }),
    { $cond: [{ $eq: [path, { $literal: target }] }, '$$REMOVE', path] },
  ],
});
const inEach = (path: string, inner: Document, alone: Document | string): Document => ({
  $cond: [{ $isArray: [path] }, { $map: { input: path, as: 'component', in: inner } }, alone],
});
const ifPresent = (path: string, value: Document): Document => ({
  $cond: [{ $eq: [{ $type: path }, 'missing'] }, '$$REMOVE', value],
});

const withoutImage = {
  $setField: { field: 'shareImage', input: '$$component', value: unless('$$component.shareImage', 7) },
};
const quoteWithout = {
  $switch: {
    branches: [
      {
        case: { $eq: ['$$component.__component', 'blocks.quote'] },
        then: { $setField: { field: 'source', input: '$$component', value: unless('$$component.source', 3) } },
      },
    ],
    default: '$$component',
  },
};

golden('forget', [
  {
    rule: 'removes a file from a media field',
    write: ({ type, file }) => ({ kind: 'forget', type: type('author'), target: file, id: 7 }),
    expected: [
      update(
        { '_refs.r': 'plugin::upload.file:7' },
        [{ $set: { avatar: unless('$avatar', 7), _refs: refsWithout('plugin::upload.file:7') } }],
        true,
      ),
    ],
  },
  {
    rule: 'removes a file from components',
    write: ({ type, file }) => ({ kind: 'forget', type: type('homepage'), target: file, id: 7 }),
    expected: [
      update(
        { '_refs.r': 'plugin::upload.file:7' },
        [
          {
            $set: {
              seo: ifPresent(
                '$seo',
                inEach('$seo', withoutImage, { $let: { vars: { component: '$seo' }, in: withoutImage } }),
              ),
              _refs: refsWithout('plugin::upload.file:7'),
            },
          },
        ],
        true,
      ),
    ],
  },
  {
    rule: 'removes an author from components of a dynamic zone; another write unlinks the top-level relation',
    write: ({ article, type }) => ({ kind: 'forget', type: article, target: type('author'), id: 3 }),
    expected: [
      update(
        { '_refs.r': 'api::author.author:3' },
        [
          {
            $set: {
              blocks: ifPresent('$blocks', inEach('$blocks', quoteWithout, '$blocks')),
              _refs: refsWithout('api::author.author:3'),
            },
          },
        ],
        true,
      ),
    ],
  },
  {
    rule: 'removes an entry from a morph relation, by type and id',
    write: ({ type }) => ({ kind: 'forget', type: type('comment'), target: type('product'), id: 7 }),
    expected: [
      update(
        { '_refs.r': 'api::product.product:7' },
        [
          {
            $set: {
              subject: unless('$subject', { __type: 'api::product.product', id: 7 }),
              _refs: refsWithout('api::product.product:7'),
            },
          },
        ],
        true,
      ),
    ],
  },
  {
    rule: 'removes an entry from a morph list',
    write: ({ type }) => ({ kind: 'forget', type: type('bookmark'), target: type('product'), id: 7 }),
    expected: [
      update(
        { '_refs.r': 'api::product.product:7' },
        [
          {
            $set: {
              items: unless('$items', { __type: 'api::product.product', id: 7 }),
              _refs: refsWithout('api::product.product:7'),
            },
          },
        ],
        true,
      ),
    ],
  },
]);

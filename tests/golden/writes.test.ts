import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import type { ContentType, RelationAttribute } from '../../src/content-types/types.js';
import { compileWrite, type WriteCommand } from '../../src/mongo/compile/write.js';
import type { Changes, StoredValue, Write } from '../../src/query/write.js';
import { loadCorpus, typeOf } from '../support/golden.js';

/** How a row names what it writes. */
interface Corpus {
  readonly article: ContentType;
  readonly type: (name: string) => ContentType;
  readonly file: ContentType;
  /** A relation of the article. */
  readonly relation: (name: string) => RelationAttribute;
}

interface Row {
  readonly says: string;
  readonly write: (corpus: Corpus) => Write;
  readonly gives: readonly WriteCommand[];
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
  return { article, file, relation, type: (name) => typeOf(registry, name) };
}

/** A table of writes and the commands that they become, on the collection of their type. */
function golden(title: string, rows: readonly Row[]): void {
  const corpus = readCorpus();
  describe(`A table of ${title}`, () => {
    test.each(rows.map((row) => [row.says, row] as const))('%s', async (_, { write, gives }) => {
      expect(compileWrite(write(await corpus))).toStrictEqual(gives);
    });
  });
}

const none: Changes = {
  values: new Map(),
  links: [],
  references: { paths: [], add: [] },
  uniqueKeys: { paths: [], add: [] },
};
const values = (given: Readonly<Record<string, StoredValue | undefined>>): Changes => ({
  ...none,
  values: new Map(Object.entries(given)),
});
const update = (filter: Document, change: Document | readonly Document[], many = false): WriteCommand => ({
  kind: 'update',
  filter,
  update: change,
  many,
});

golden('insert', [
  {
    says: 'absent values are not stored',
    write: ({ article: type }) => ({
      kind: 'insert',
      type,
      id: 12,
      changes: values({ title: 'Hello', summary: undefined }),
    }),
    gives: [{ kind: 'insert', document: { _id: 12, title: 'Hello' } }],
  },
  {
    says: 'relations are an id or a list of ids, with their ranks beside them; an empty one is absent',
    write: ({ article: type, relation }) => ({
      kind: 'insert',
      type,
      id: 12,
      changes: {
        ...none,
        links: [
          { attribute: relation('author'), ids: [3], ranks: [31] },
          { attribute: relation('tags'), ids: [2, 1], ranks: [7, 8] },
          { attribute: relation('related'), ids: [5], ranks: [] },
          { attribute: relation('category'), ids: [], ranks: [] },
        ],
      },
    }),
    gives: [
      {
        kind: 'insert',
        document: { _id: 12, author: 3, tags: [2, 1], related: [5], _rank: { author: 31, tags: [7, 8] } },
      },
    ],
  },
  {
    says: 'references and unique keys stand beside the values that they are about',
    write: ({ article: type }) => ({
      kind: 'insert',
      type,
      id: 12,
      changes: {
        ...values({ cover: 7, links: [{ id: 9, label: 'a' }] }),
        references: { paths: ['cover', 'links'], add: [{ a: 'cover', r: 'plugin::upload.file:7' }] },
        uniqueKeys: { paths: ['cover', 'links'], add: [{ a: 'links.9.label', k: 'shared.link.label=a' }] },
      },
    }),
    gives: [
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
    says: 'values are set, cleared ones go',
    write: ({ article: type }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: values({ title: 'Hello', summary: undefined }),
    }),
    gives: [update({ _id: 12 }, { $set: { title: 'Hello' }, $unset: { summary: '' } })],
  },
  {
    says: 'no changes are no update',
    write: ({ article: type }) => ({ kind: 'update', type, id: 12, changes: none }),
    gives: [update({ _id: 12 }, {})],
  },
  {
    says: 'a relation is cleared together with its rank',
    write: ({ article: type, relation }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: { ...none, links: [{ attribute: relation('author'), ids: [], ranks: [] }] },
    }),
    gives: [update({ _id: 12 }, { $unset: { author: '', '_rank.author': '' } })],
  },
  {
    says: 'in a pipeline every value is a $literal: a text that looks like a path is none',
    write: ({ article: type, relation }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: {
        ...values({ title: '$internalNote', summary: undefined }),
        links: [{ attribute: relation('seoCard'), ids: [4], ranks: [] }],
      },
    }),
    gives: [
      update({ _id: 12 }, [
        { $set: { title: { $literal: '$internalNote' }, seoCard: { $literal: 4 } } },
        { $unset: ['summary'] },
      ]),
    ],
  },
  {
    says: 'a relation that stays keeps its rank',
    write: ({ article: type, relation }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: { ...none, links: [{ attribute: relation('author'), ids: [3], ranks: [31] }] },
    }),
    gives: [
      update({ _id: 12 }, [
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
      ]),
    ],
  },
  {
    says: 'in a list each id that stays keeps its rank, wherever it stood',
    write: ({ article: type, relation }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: { ...none, links: [{ attribute: relation('tags'), ids: [2], ranks: [40] }] },
    }),
    gives: [
      update({ _id: 12 }, [
        {
          $set: {
            tags: { $literal: [2] },
            '_rank.tags': [
              {
                $let: {
                  vars: { at: { $indexOfArray: [{ $ifNull: ['$tags', []] }, { $literal: 2 }] } },
                  in: {
                    $cond: [{ $lt: ['$$at', 0] }, { $literal: 40 }, { $arrayElemAt: ['$_rank.tags', '$$at'] }],
                  },
                },
              },
            ],
          },
        },
      ]),
    ],
  },
  {
    says: 'references at or below what is written are replaced; an empty list goes',
    write: ({ article: type }) => ({
      kind: 'update',
      type,
      id: 12,
      changes: {
        ...values({ cover: 7 }),
        references: { paths: ['cover'], add: [{ a: 'cover', r: 'plugin::upload.file:7' }] },
      },
    }),
    gives: [
      update({ _id: 12 }, [
        {
          $set: {
            cover: { $literal: 7 },
            _refs: {
              $let: {
                vars: {
                  all: {
                    $concatArrays: [
                      {
                        $filter: {
                          input: { $ifNull: ['$_refs', []] },
                          as: 'one',
                          cond: {
                            $not: [
                              {
                                $or: [
                                  { $eq: ['$$one.a', { $literal: 'cover' }] },
                                  { $eq: [{ $indexOfCP: ['$$one.a', { $literal: 'cover.' }] }, 0] },
                                ],
                              },
                            ],
                          },
                        },
                      },
                      { $literal: [{ a: 'cover', r: 'plugin::upload.file:7' }] },
                    ],
                  },
                },
                in: { $cond: [{ $eq: ['$$all', []] }, '$$REMOVE', '$$all'] },
              },
            },
          },
        },
      ]),
    ],
  },
]);

golden('remove', [
  {
    says: 'takes one entry away',
    write: ({ article: type }) => ({ kind: 'remove', type, id: 12 }),
    gives: [{ kind: 'remove', filter: { _id: 12 } }],
  },
]);

golden('link', [
  {
    says: 'puts the target into a relation to one, with a rank for each owner',
    write: ({ article: type, relation }) => ({
      kind: 'link',
      type,
      attribute: relation('seoCard'),
      owners: [12, 13],
      ranks: [],
      target: 4,
    }),
    gives: [
      update({ _id: 12 }, [{ $set: { seoCard: { $literal: 4 } } }]),
      update({ _id: 13 }, [{ $set: { seoCard: { $literal: 4 } } }]),
    ],
  },
  {
    says: 'appends it to a list, or gives it its new rank where it is',
    write: ({ article: type, relation }) => ({
      kind: 'link',
      type,
      attribute: relation('tags'),
      owners: [12],
      ranks: [50],
      target: 2,
    }),
    gives: [
      update({ _id: 12 }, [
        {
          $set: {
            tags: {
              $cond: [
                { $lt: [{ $indexOfArray: [{ $ifNull: ['$tags', []] }, { $literal: 2 }] }, 0] },
                { $concatArrays: [{ $ifNull: ['$tags', []] }, [{ $literal: 2 }]] },
                { $ifNull: ['$tags', []] },
              ],
            },
            '_rank.tags': {
              $let: {
                vars: { at: { $indexOfArray: [{ $ifNull: ['$tags', []] }, { $literal: 2 }] } },
                in: {
                  $cond: [
                    { $lt: ['$$at', 0] },
                    { $concatArrays: [{ $ifNull: ['$_rank.tags', []] }, [50]] },
                    {
                      $map: {
                        input: { $range: [0, { $size: { $ifNull: ['$_rank.tags', []] } }] },
                        as: 'index',
                        in: {
                          $cond: [
                            { $eq: ['$$index', '$$at'] },
                            50,
                            { $arrayElemAt: [{ $ifNull: ['$_rank.tags', []] }, '$$index'] },
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
]);

golden('unlink', [
  {
    says: 'takes targets out of a relation to one, but for some owners',
    write: ({ article: type, relation }) => ({
      kind: 'unlink',
      type,
      attribute: relation('author'),
      targets: [3, 4],
      owners: { except: [12] },
    }),
    gives: [
      update({ author: { $in: [3, 4] }, _id: { $nin: [12] } }, { $unset: { author: '', '_rank.author': '' } }, true),
    ],
  },
  {
    says: 'takes them out of a list, with their ranks; a list that becomes empty goes',
    write: ({ article: type, relation }) => ({
      kind: 'unlink',
      type,
      attribute: relation('tags'),
      targets: [2],
      owners: { except: [] },
    }),
    gives: [
      update(
        { tags: { $in: [2] } },
        [
          {
            $set: {
              _kept: {
                $filter: {
                  input: { $range: [0, { $size: '$tags' }] },
                  as: 'at',
                  cond: { $not: [{ $in: [{ $arrayElemAt: ['$tags', '$$at'] }, { $literal: [2] }] }] },
                },
              },
            },
          },
          {
            $set: {
              tags: {
                $cond: [
                  { $eq: ['$_kept', []] },
                  '$$REMOVE',
                  { $map: { input: '$_kept', as: 'at', in: { $arrayElemAt: ['$tags', '$$at'] } } },
                ],
              },
              '_rank.tags': {
                $cond: [
                  { $isArray: ['$_rank.tags'] },
                  {
                    $cond: [
                      { $eq: ['$_kept', []] },
                      '$$REMOVE',
                      { $map: { input: '$_kept', as: 'at', in: { $arrayElemAt: ['$_rank.tags', '$$at'] } } },
                    ],
                  },
                  '$$REMOVE',
                ],
              },
            },
          },
          { $unset: '_kept' },
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
/** A value that goes when it is the target. */
const unless = (path: string, target: unknown): Document => ({
  $cond: [{ $eq: [path, { $literal: target }] }, '$$REMOVE', path],
});
const ifPresent = (path: string, value: Document): Document => ({
  $cond: [{ $eq: [{ $type: path }, 'missing'] }, '$$REMOVE', value],
});

golden('forget', [
  {
    says: 'takes a file out of a media field',
    write: ({ type, file }) => ({ kind: 'forget', type: type('author'), target: file, id: 7 }),
    gives: [
      update(
        { '_refs.r': 'plugin::upload.file:7' },
        [{ $set: { avatar: unless('$avatar', 7), _refs: refsWithout('plugin::upload.file:7') } }],
        true,
      ),
    ],
  },
  {
    says: 'takes it out of components',
    write: ({ type, file }) => ({ kind: 'forget', type: type('homepage'), target: file, id: 7 }),
    gives: [
      update(
        { '_refs.r': 'plugin::upload.file:7' },
        [
          {
            $set: {
              seo: ifPresent('$seo', {
                $let: {
                  vars: { component: '$seo' },
                  in: {
                    $setField: {
                      field: 'shareImage',
                      input: '$$component',
                      value: unless('$$component.shareImage', 7),
                    },
                  },
                },
              }),
              _refs: refsWithout('plugin::upload.file:7'),
            },
          },
        ],
        true,
      ),
    ],
  },
  {
    says: 'takes an author out of the quotes in a dynamic zone; the relation itself is unlinked by another write',
    write: ({ article, type }) => ({ kind: 'forget', type: article, target: type('author'), id: 3 }),
    gives: [
      update(
        { '_refs.r': 'api::author.author:3' },
        [
          {
            $set: {
              blocks: ifPresent('$blocks', {
                $map: {
                  input: '$blocks',
                  as: 'component',
                  in: {
                    $switch: {
                      branches: [
                        {
                          case: { $eq: ['$$component.__component', 'blocks.quote'] },
                          then: {
                            $setField: {
                              field: 'source',
                              input: '$$component',
                              value: unless('$$component.source', 3),
                            },
                          },
                        },
                      ],
                      default: '$$component',
                    },
                  },
                },
              }),
              _refs: refsWithout('api::author.author:3'),
            },
          },
        ],
        true,
      ),
    ],
  },
  {
    says: 'takes an entry out of a relation to any type, by type and id',
    write: ({ type }) => ({ kind: 'forget', type: type('comment'), target: type('product'), id: 7 }),
    gives: [
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
    says: 'and out of a list of such',
    write: ({ type }) => ({ kind: 'forget', type: type('bookmark'), target: type('product'), id: 7 }),
    gives: [
      update(
        { '_refs.r': 'api::product.product:7' },
        [
          {
            $set: {
              items: {
                $let: {
                  vars: {
                    list: {
                      $filter: {
                        input: { $ifNull: ['$items', []] },
                        as: 'one',
                        cond: { $ne: ['$$one', { $literal: { __type: 'api::product.product', id: 7 } }] },
                      },
                    },
                  },
                  in: { $cond: [{ $eq: ['$$list', []] }, '$$REMOVE', '$$list'] },
                },
              },
              _refs: refsWithout('api::product.product:7'),
            },
          },
        ],
        true,
      ),
    ],
  },
]);

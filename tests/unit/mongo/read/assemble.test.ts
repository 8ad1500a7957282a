import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { assemble } from '../../../../src/mongo/read/assemble.js';
import type { Fetched } from '../../../../src/mongo/read/read-batch.js';
import type { EntryPresenter } from '../../../../src/query/entry-presenter.js';
import type { QueryInput } from '../../../../src/query/parse/input.js';
import { compile, loadCorpus, typeOf } from '../../../support/golden.js';

const assembleAll = (
  ...[page, fetched, read, presenter]: [...Parameters<typeof assemble>, EntryPresenter]
): unknown[] => assemble(page, fetched, read).map((entry) => entry(presenter));

/** Entries as `{ id, ...attributes }`, relations as they are. */
const plain: EntryPresenter = {
  name: 'plain',
  entry: (id, attributes) => ({ id, ...attributes }),
  one: (entry) => entry,
  many: (entries) => entries,
  get morph() {
    return plain;
  },
};

interface Row {
  readonly rule: string;
  readonly of: string;
  readonly query: string;
  /** The documents of the page, and the lists that were fetched for it: r0, r1, … in the order of the query. */
  readonly page: readonly Document[];
  readonly fetched?: Fetched;
  readonly expected: readonly unknown[];
}

/** A table of what a page and its lists are put together to. */
function table(title: string, rows: readonly Row[]): void {
  const corpus = loadCorpus();
  describe(`A table of ${title}`, () => {
    test.each(rows.map((row) => [row.rule, row] as const))(
      '%s',
      async (_, { of, query, page, fetched = {}, expected }) => {
        const { read } = compile(query, typeOf(await corpus, of)).main;
        expect(assembleAll(page, fetched, read, plain)).toStrictEqual(expected);
      },
    );
  });
}

table('plain values', [
  {
    rule: 'absent values are null',
    of: 'tag',
    query: 'fields[0]=name&fields[1]=color',
    page: [{ _id: 1, name: 'Alpha' }],
    expected: [{ id: 1, name: 'Alpha', color: null }],
  },
  {
    rule: 'unselected values are omitted, even if they were read',
    of: 'tag',
    query: 'fields[0]=name',
    page: [{ _id: 1, name: 'Alpha', color: 'red', _rank: {} }],
    expected: [{ id: 1, name: 'Alpha' }],
  },
  {
    rule: 'a biginteger is returned as a string, a timestamp as milliseconds, json as written',
    of: 'product',
    query: 'fields[0]=serial&fields[1]=stampedAt&fields[2]=attrs&fields[3]=restockAt',
    page: [
      {
        _id: 1,
        serial: 9_007_199_254_740_993n,
        stampedAt: new Date(1_700_000_000_000),
        attrs: '{"$where":[1,null]}',
        restockAt: new Date(0),
      },
    ],
    expected: [
      {
        id: 1,
        serial: '9007199254740993',
        stampedAt: '1700000000000',
        attrs: { $where: [1, null] },
        restockAt: '1970-01-01T00:00:00.000Z',
      },
    ],
  },
  { rule: 'an empty page is an empty list', of: 'tag', query: 'fields[0]=name', page: [], expected: [] },
]);

const tags = 'fields[0]=id&populate[tags][fields][0]=name';
const [alpha, beta, gamma] = [
  { _id: 1, name: 'Alpha' },
  { _id: 2, name: 'Beta' },
  { _id: 3, name: 'Gamma' },
] as const;
const named = (...ids: readonly number[]): readonly object[] =>
  ids.map((id) => ({ id, name: ['Alpha', 'Beta', 'Gamma'][id - 1] }));
const three = { r0: [alpha, beta, gamma] };

table('relations whose ids the entry has', [
  {
    rule: 'one entry can be related to several',
    of: 'article',
    query: 'fields[0]=id&populate[category][fields][0]=name',
    page: [
      { _id: 1, category: 5 },
      { _id: 2, category: 5 },
    ],
    fetched: { r0: [{ _id: 5, name: 'News' }] },
    expected: [
      { id: 1, category: { id: 5, name: 'News' } },
      { id: 2, category: { id: 5, name: 'News' } },
    ],
  },
  {
    rule: 'a missing id and the id of a deleted entry are null',
    of: 'article',
    query: 'fields[0]=id&populate[category][fields][0]=name',
    page: [{ _id: 1 }, { _id: 2, category: 99 }],
    fetched: { r0: [] },
    expected: [
      { id: 1, category: null },
      { id: 2, category: null },
    ],
  },
  {
    rule: 'a list is in the order of the stored ids',
    of: 'article',
    query: tags,
    page: [{ _id: 1, tags: [3, 1, 2] }],
    fetched: three,
    expected: [{ id: 1, tags: named(3, 1, 2) }],
  },
  {
    rule: 'ids of deleted or filtered entries are omitted',
    of: 'article',
    query: tags,
    page: [{ _id: 1, tags: [3, 98, 1, 99] }, { _id: 2 }],
    fetched: three,
    expected: [
      { id: 1, tags: named(3, 1) },
      { id: 2, tags: [] },
    ],
  },
  {
    rule: 'start and limit apply per entry, after deleted ones are omitted',
    of: 'article',
    query: `${tags}&populate[tags][start]=1&populate[tags][limit]=1`,
    page: [
      { _id: 1, tags: [99, 3, 1, 2] },
      { _id: 2, tags: [2] },
      { _id: 3, tags: [1, 2] },
    ],
    fetched: three,
    expected: [
      { id: 1, tags: named(1) },
      { id: 2, tags: [] },
      { id: 3, tags: named(2) },
    ],
  },
  {
    rule: 'with a sort the order of the fetched list applies per entry',
    of: 'article',
    query: `${tags}&populate[tags][sort]=name:desc&populate[tags][limit]=2`,
    page: [
      { _id: 1, tags: [1, 3, 2] },
      { _id: 2, tags: [1, 2] },
    ],
    fetched: { r0: [gamma, beta, alpha] },
    expected: [
      { id: 1, tags: named(3, 2) },
      { id: 2, tags: named(2, 1) },
    ],
  },
  {
    rule: 'nested entries come from the next list',
    of: 'article',
    query:
      'fields[0]=id&populate[author][fields][0]=name&populate[author][populate][avatar][fields][0]=url&populate[cover][fields][0]=url',
    page: [{ _id: 1, author: 7, cover: 20 }],
    fetched: {
      r0: [{ _id: 7, name: 'Ada', avatar: 21 }],
      r1: [{ _id: 21, url: '/ada.png' }],
      r2: [{ _id: 20, url: '/cover.png' }],
    },
    expected: [
      {
        id: 1,
        author: { id: 7, name: 'Ada', avatar: { id: 21, url: '/ada.png' } },
        cover: { id: 20, url: '/cover.png' },
      },
    ],
  },
]);

const articles = 'fields[0]=id&populate[articles][fields][0]=title';

table('relations whose ids the other side has', [
  {
    rule: 'inverse relations are ordered by rank, then by id',
    of: 'author',
    query: articles,
    page: [{ _id: 1 }],
    fetched: {
      r0: [
        { _id: 10, title: 'a', author: 1, _rank: { author: 7 } },
        { _id: 12, title: 'c', author: 1, _rank: { author: 2 } },
        { _id: 11, title: 'b', author: 1, _rank: { author: 2 } },
      ],
    },
    expected: [
      {
        id: 1,
        articles: [
          { id: 11, title: 'b' },
          { id: 12, title: 'c' },
          { id: 10, title: 'a' },
        ],
      },
    ],
  },
  {
    rule: 'in a many-to-many relation the rank has the index of the id',
    of: 'tag',
    query: articles,
    page: [{ _id: 5 }, { _id: 6 }, { _id: 7 }],
    fetched: {
      r0: [
        { _id: 10, title: 'a', tags: [5, 6], _rank: { tags: [9, 1] } },
        { _id: 11, title: 'b', tags: [6, 5], _rank: { tags: [2, 3] } },
      ],
    },
    expected: [
      {
        id: 5,
        articles: [
          { id: 11, title: 'b' },
          { id: 10, title: 'a' },
        ],
      },
      {
        id: 6,
        articles: [
          { id: 10, title: 'a' },
          { id: 11, title: 'b' },
        ],
      },
      { id: 7, articles: [] },
    ],
  },
  {
    rule: 'with a sort the order of the fetched list applies',
    of: 'author',
    query: `${articles}&populate[articles][sort]=title:desc`,
    page: [{ _id: 1 }],
    fetched: {
      r0: [
        { _id: 11, title: 'b', author: 1, _rank: { author: 9 } },
        { _id: 10, title: 'a', author: 1, _rank: { author: 1 } },
      ],
    },
    expected: [
      {
        id: 1,
        articles: [
          { id: 11, title: 'b' },
          { id: 10, title: 'a' },
        ],
      },
    ],
  },
  {
    rule: 'with a limit an entry is returned once per parent, in order',
    of: 'tag',
    query: `${articles}&populate[articles][limit]=1`,
    page: [{ _id: 5 }, { _id: 6 }],
    fetched: {
      r0: [
        { _id: 10, title: 'a', tags: [5, 6], _parent: 6 },
        { _id: 11, title: 'b', tags: [6, 5], _parent: 5 },
      ],
    },
    expected: [
      { id: 5, articles: [{ id: 11, title: 'b' }] },
      { id: 6, articles: [{ id: 10, title: 'a' }] },
    ],
  },
  {
    rule: 'a to-one relation is the first entry, or null',
    of: 'seo-card',
    query: 'fields[0]=id&populate[article][fields][0]=title',
    page: [{ _id: 1 }, { _id: 2 }],
    fetched: { r0: [{ _id: 10, title: 'a', seoCard: 2 }] },
    expected: [
      { id: 1, article: null },
      { id: 2, article: { id: 10, title: 'a' } },
    ],
  },
]);

const links = 'fields[0]=id&populate[links][fields][0]=label';

table('components', [
  {
    rule: 'keep their ids; a missing one is null',
    of: 'article',
    query: 'fields[0]=id&populate[seo][fields][0]=metaTitle&populate[seo][fields][1]=noIndex',
    page: [{ _id: 1, seo: { id: 4, metaTitle: 'Hello' } }, { _id: 2 }],
    expected: [
      { id: 1, seo: { id: 4, metaTitle: 'Hello', noIndex: null } },
      { id: 2, seo: null },
    ],
  },
  {
    rule: 'in lists keep their order; a missing list is empty',
    of: 'article',
    query: links,
    page: [
      {
        _id: 1,
        links: [
          { id: 9, label: 'b' },
          { id: 8, label: 'a' },
        ],
      },
      { _id: 2 },
    ],
    expected: [
      {
        id: 1,
        links: [
          { id: 9, label: 'b' },
          { id: 8, label: 'a' },
        ],
      },
      { id: 2, links: [] },
    ],
  },
  {
    rule: 'can be sorted and limited, nulls first, equal ones in stored order',
    of: 'article',
    query: `${links}&populate[links][sort]=priority,label:desc&populate[links][limit]=3`,
    page: [
      {
        _id: 1,
        links: [
          { id: 1, label: 'a', priority: 2 },
          { id: 2, label: 'b', priority: 1 },
          { id: 3, label: 'c', priority: 1 },
          { id: 4, label: 'd' },
        ],
      },
    ],
    expected: [
      {
        id: 1,
        links: [
          { id: 4, label: 'd' },
          { id: 3, label: 'c' },
          { id: 2, label: 'b' },
        ],
      },
    ],
  },
  {
    rule: 'have relations of their own',
    of: 'article',
    query: 'fields[0]=id&populate[seo][fields][0]=metaTitle&populate[seo][populate][shareImage][fields][0]=url',
    page: [{ _id: 1, seo: { id: 4, metaTitle: 'Hello', shareImage: 20 } }],
    fetched: { r0: [{ _id: 20, url: '/a.png' }] },
    expected: [{ id: 1, seo: { id: 4, metaTitle: 'Hello', shareImage: { id: 20, url: '/a.png' } } }],
  },
]);

table('dynamic zones', [
  {
    rule: 'each component has its own attributes; unselected ones are omitted',
    of: 'article',
    query:
      'fields[0]=id&populate[blocks][on][blocks.text][fields][0]=heading&populate[blocks][on][blocks.quote][fields][0]=text',
    page: [
      {
        _id: 1,
        blocks: [
          { __component: 'blocks.quote', id: 3, text: 'q', heading: 'of nobody' },
          { __component: 'blocks.media', id: 4, caption: 'left out' },
          { __component: 'blocks.text', id: 5 },
        ],
      },
      { _id: 2 },
    ],
    expected: [
      {
        id: 1,
        blocks: [
          { id: 3, __component: 'blocks.quote', text: 'q' },
          { id: 5, __component: 'blocks.text', heading: null },
        ],
      },
      { id: 2, blocks: [] },
    ],
  },
  {
    rule: 'relations of a component come from the list of its type',
    of: 'article',
    query:
      'fields[0]=id&populate[blocks][on][blocks.quote][fields][0]=text&populate[blocks][on][blocks.quote][populate][source][fields][0]=name&populate[blocks][on][blocks.quote][populate][mentions][fields][0]=name',
    page: [{ _id: 1, blocks: [{ __component: 'blocks.quote', id: 3, text: 'q', source: 7, mentions: [2, 99, 1] }] }],
    fetched: { r0: [{ _id: 7, name: 'Ada' }], r1: [alpha, beta] },
    expected: [
      {
        id: 1,
        blocks: [
          { id: 3, __component: 'blocks.quote', text: 'q', source: { id: 7, name: 'Ada' }, mentions: named(2, 1) },
        ],
      },
    ],
  },
]);

const subject = 'fields[0]=id&populate[subject][on][api::product.product][fields][0]=name';
const items =
  'fields[0]=id&populate[items][on][api::product.product][fields][0]=name&populate[items][on][api::tag.tag][fields][0]=name';

table('morphs', [
  {
    rule: 'to one: the entry without its type; null if it is missing, deleted or of an unselected type',
    of: 'comment',
    query: subject,
    page: [
      { _id: 1, subject: { __type: 'api::product.product', id: 7 } },
      { _id: 2 },
      { _id: 3, subject: { __type: 'api::product.product', id: 99 } },
      { _id: 4, subject: { __type: 'api::article.article', id: 7 } },
    ],
    fetched: { r0: [{ _id: 7, name: 'Anvil' }] },
    expected: [
      { id: 1, subject: { id: 7, name: 'Anvil' } },
      { id: 2, subject: null },
      { id: 3, subject: null },
      { id: 4, subject: null },
    ],
  },
  {
    rule: 'to many: entries of several types in stored order, with their types; equal ids do not mix',
    of: 'bookmark',
    query: items,
    page: [
      {
        _id: 1,
        items: [
          { __type: 'api::tag.tag', id: 1 },
          { __type: 'api::product.product', id: 1 },
          { __type: 'api::tag.tag', id: 99 },
          { __type: 'api::article.article', id: 1 },
        ],
      },
    ],
    fetched: { r0: [{ _id: 1, name: 'Anvil' }], r1: [{ _id: 1, name: 'Alpha' }] },
    expected: [
      {
        id: 1,
        items: [
          { __type: 'api::tag.tag', id: 1, name: 'Alpha' },
          { __type: 'api::product.product', id: 1, name: 'Anvil' },
        ],
      },
    ],
  },
  {
    rule: 'to many: an empty relation is omitted, as recorded from Strapi v4',
    of: 'bookmark',
    query: items,
    page: [{ _id: 1 }],
    expected: [{ id: 1 }],
  },
  {
    rule: 'inverse side: entries that refer to another type with the same id are excluded',
    of: 'product',
    query: 'fields[0]=id&populate[comments][fields][0]=text',
    page: [{ _id: 7 }],
    fetched: {
      r0: [
        { _id: 2, text: 'mine', subject: { __type: 'api::product.product', id: 7 } },
        { _id: 1, text: 'not mine', subject: { __type: 'api::article.article', id: 7 } },
      ],
    },
    expected: [{ id: 7, comments: [{ id: 2, text: 'mine' }] }],
  },
  {
    rule: 'inverse side: an empty relation is null, not an empty list, as recorded from Strapi v4',
    of: 'product',
    query: 'fields[0]=id&populate[comments][fields][0]=text',
    page: [{ _id: 7 }],
    fetched: { r0: [] },
    expected: [{ id: 7, comments: null }],
  },
]);

describe('the presenter', () => {
  test('of the transport creates entries, relations, and plain records behind morphs', async () => {
    const bare: EntryPresenter = { ...plain, entry: (id, attributes) => ({ bare: id, ...attributes }), morph: plain };
    const presenter: EntryPresenter = {
      name: 'other',
      entry: (id, attributes) => ({ id, attributes }),
      one: (entry) => ({ one: entry }),
      many: (entries) => ({ many: entries }),
      morph: bare,
    };
    const registry = await loadCorpus();
    const product = compile(
      'fields[0]=id&populate[vendor][fields][0]=name&populate[comments][fields][0]=text',
      typeOf(registry, 'product'),
    );
    const fetched = { r0: [], r1: [{ _id: 2, text: 'x', subject: { __type: 'api::product.product', id: 7 } }] };
    expect(assembleAll([{ _id: 7, vendor: 1 }], fetched, product.main.read, presenter)).toEqual([
      { id: 7, attributes: { vendor: { one: null }, comments: { many: [{ id: 2, attributes: { text: 'x' } }] } } },
    ]);
    const comment = compile(
      'fields[0]=id&populate[subject][on][api::product.product][fields][0]=id&populate[subject][on][api::product.product][populate][vendor][fields][0]=name',
      typeOf(registry, 'comment'),
    );
    const found = { r0: [{ _id: 7, vendor: 1 }], r1: [{ _id: 1, name: 'Ada' }] };
    const page = [{ _id: 2, subject: { __type: 'api::product.product', id: 7 } }];
    expect(assembleAll(page, found, comment.main.read, presenter)).toEqual([
      { id: 2, attributes: { subject: { id: 7, vendor: { bare: 1, name: 'Ada' } } } },
    ]);
  });

  test('is called for at most 50,000 entries, repeated ones included', async () => {
    const article = typeOf(await loadCorpus(), 'article');
    const both = [1, 2].map((_id) => ({ _id, title: 'x', related: [1, 2] }));
    const answer = (levels: number): unknown[] => {
      const { read } = compile(`populate=${'related.'.repeat(levels - 1)}related`, article).main;
      const lists = Array.from({ length: levels }, (_, level) => [`r${level}`, both] as const);
      return assembleAll([{ _id: 1, related: [1, 2] }], Object.fromEntries(lists), read, plain);
    };
    // 2 + 4 + … + 2^14 entries are 32,766; with another level they are 65,534.
    expect(answer(14)).toHaveLength(1);
    expect(() => answer(15)).toThrow('The query asks for too much: at most 50000 entries in one response');
  });

  test('counts entries behind morphs too', async () => {
    const bookmark = typeOf(await loadCorpus(), 'bookmark');
    const uid = 'api::bookmark.bookmark';
    const both = [1, 2].map((_id) => ({ _id, items: [1, 2].map((id) => ({ __type: uid, id })) }));
    const populate = (levels: number): QueryInput =>
      levels === 0 ? {} : { populate: { items: { on: { [uid]: populate(levels - 1) } } } };
    const answer = (levels: number): unknown[] => {
      const { read } = compile(populate(levels), bookmark).main;
      const lists = Array.from({ length: levels }, (_, level) => [`r${level}`, both] as const);
      return assembleAll(both.slice(0, 1), Object.fromEntries(lists), read, plain);
    };
    expect(answer(14)).toHaveLength(1);
    expect(() => answer(15)).toThrow('The query asks for too much: at most 50000 entries in one response');
  });
});

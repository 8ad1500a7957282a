import { describe, expect, test } from '@jest/globals';
import { parse as parseDocument } from 'graphql';
import { compileQuery } from '../../../../src/mongo/compile/read/compile-query.js';
import type { Query, Selection } from '../../../../src/query/ast.js';
import { parse, typeOf } from '../../../support/golden.js';
import { registry, translate, translateOpenly, type Translated } from './translate.js';

interface Row {
  readonly rule: string;
  /** A field of Query. */
  readonly graphql: string;
  /** The content type, and the equivalent query string. */
  readonly rest: readonly [of: string, query: string];
}

const everything = '{ data { attributes { name } } }';

/** Filters, sorts and pages: the same trees as over REST. */
const listings: readonly Row[] = [
  {
    rule: 'operators have no dollar sign',
    graphql: `products(filters: { name: { containsi: "a" } }) ${everything}`,
    rest: ['product', 'filters[name][$containsi]=a'],
  },
  {
    rule: 'several conditions are combined with and',
    graphql: `products(filters: { price: { gt: 3, lt: 50 }, size: { eq: "L" } }) ${everything}`,
    rest: ['product', 'filters[price][$gt]=3&filters[price][$lt]=50&filters[size][$eq]=L'],
  },
  {
    rule: 'and, or and not combine filters',
    graphql: `products(filters: { or: [{ and: [{ stock: { lt: 0 } }, { name: { ne: "x" } }] }, { not: { stock: { in: [1, 2] } } }] }) ${everything}`,
    rest: [
      'product',
      'filters[$or][0][$and][0][stock][$lt]=0&filters[$or][0][$and][1][name][$ne]=x&filters[$or][1][$not][stock][$in][0]=1&filters[$or][1][$not][stock][$in][1]=2',
    ],
  },
  {
    rule: 'and, or and not combine conditions of one attribute',
    graphql: `products(filters: { stock: { or: [1, 2], not: { between: [5, 9] } } }) ${everything}`,
    rest: [
      'product',
      'filters[stock][$or][0]=1&filters[stock][$or][1]=2&filters[stock][$not][$between][0]=5&filters[stock][$not][$between][1]=9',
    ],
  },
  {
    rule: 'relations and components nest',
    graphql: `products(filters: { dimensions: { unit: { eq: "m" } }, vendor: { address: { city: { eq: "Leeds" } }, id: { in: ["1"] } } }) ${everything}`,
    rest: [
      'product',
      'filters[vendor][id][$in][0]=1&filters[vendor][address][city][$eq]=Leeds&filters[dimensions][unit][$eq]=m',
    ],
  },
  {
    rule: 'eq: null matches null, ne: null matches other values',
    graphql: `products(filters: { handle: { ne: null }, size: { eq: null } }) ${everything}`,
    rest: ['product', 'filters[size][$null]=true&filters[handle][$notNull]=true'],
  },
  {
    rule: 'a null filter is ignored',
    graphql: `products(filters: { vendor: null, name: { eq: "x" } }) ${everything}`,
    rest: ['product', 'filters[name][$eq]=x'],
  },
  {
    rule: 'a sort can be a string',
    graphql: `products(sort: "vendor.name:DESC") ${everything}`,
    rest: ['product', 'sort=vendor.name:DESC'],
  },
  {
    rule: 'a sort can be a list of strings',
    graphql: `products(sort: ["size:asc", "id"]) ${everything}`,
    rest: ['product', 'sort[0]=size:asc&sort[1]=id'],
  },
];

/** The parts of the query that arguments determine. */
function listed(query: Query) {
  const { before, main } = compileQuery(query);
  return { before, filter: main.filter, order: main.order };
}

describe('arguments of a list have the meaning of REST:', () => {
  test.each(listings)('$rule', async ({ graphql, rest: [of, query] }) => {
    const { queries, result } = await translate(`{ ${graphql} }`);
    expect(result.errors).toBeUndefined();
    expect(queries.map(listed)).toEqual([listed(parse(query, typeOf(await registry, of)))]);
  });
});

describe('pagination', () => {
  test.each([
    { rule: 'has the default size without arguments', graphql: '', start: 0, limit: 25 },
    { rule: 'is counted from one', graphql: '(pagination: { page: 3, pageSize: 7 })', start: 14, limit: 7 },
    { rule: 'without a size has one entry, as recorded', graphql: '(pagination: { page: 3 })', start: 2, limit: 1 },
    {
      rule: 'is counted in the requested size',
      graphql: '(pagination: { page: 2, pageSize: 500 })',
      start: 500,
      limit: 100,
    },
    { rule: 'begins at start', graphql: '(pagination: { start: 5 })', start: 5, limit: 25 },
    { rule: 'without end has as many as are allowed', graphql: '(pagination: { limit: -1 })', start: 0, limit: 100 },
    { rule: 'has no more than are allowed', graphql: '(pagination: { pageSize: 500 })', start: 0, limit: 100 },
    { rule: 'has at least one entry', graphql: '(pagination: { start: -4, limit: 0 })', start: 0, limit: 1 },
    { rule: 'takes null for nothing', graphql: '(pagination: { page: null, limit: 4 })', start: 0, limit: 4 },
  ])('$rule', async ({ graphql, start, limit }) => {
    const { queries } = await translate(`{ tags${graphql} ${everything} }`);
    expect(queries).toMatchObject([{ pagination: { start, limit } }]);
  });

  test('cannot combine page and offset', async () => {
    const { result } = await translate(`{ tags(pagination: { pageSize: 2, limit: 3 }) ${everything} }`);
    expect(result.errors?.[0]?.message).toBe('Cannot use both page & offset pagination in the same query');
  });

  test.each([
    {
      faults: 'pages and a sort',
      graphql: '(sort: "nope", pagination: { page: 2, limit: 3 })',
      message: 'Cannot use both page & offset pagination in the same query',
    },
    {
      faults: 'pages and a filter',
      graphql: '(filters: { articles: { secret: { eq: "x" } } }, pagination: { start: 0, pageSize: 3 })',
      message: 'Cannot use both page & offset pagination in the same query',
    },
    {
      faults: 'a filter and a sort',
      graphql: '(filters: { articles: { secret: { eq: "x" } } }, sort: "nope")',
      message: 'Invalid parameter secret',
    },
  ])('reports the first error, as Strapi v4 does: $faults', async ({ graphql, message }) => {
    const { result } = await translate(`{ tags${graphql} ${everything} }`);
    expect(result.errors?.map((error) => error.message)).toEqual([message]);
  });

  test.each([
    { meta: '', counted: false },
    { meta: 'meta { pagination { page pageSize } }', counted: false },
    { meta: 'meta { pagination { total @skip(if: true) } }', counted: false },
    { meta: 'm: meta { p: pagination { ...on Pagination { n: total } } }', counted: true },
    { meta: 'meta { pagination { pageCount } }', counted: true },
  ])('counts only if the total is selected: $meta', async ({ meta, counted }) => {
    const { queries } = await translate(`{ tags { data { id } ${meta} } }`);
    expect(queries).toMatchObject([{ pagination: { withCount: counted } }]);
  });
});

/** A selection in a readable form: scalars by name, populated attributes by key. */
const outline = ({ fields, populate }: Selection): unknown => ({
  fields: fields.map(({ name }) => name),
  populate: populate.map((node) => {
    const { name } = node.attribute;
    switch (node.kind) {
      case 'relation':
        return { [name]: outline(node.query) };
      case 'component':
        return { [name]: outline(node.selection) };
      case 'zone':
        return { [name]: Object.fromEntries([...node.on].map(([uid, selection]) => [uid, outline(selection)])) };
      case 'morph':
        return { [name]: Object.fromEntries([...node.on].map(([{ uid }, query]) => [uid, outline(query)])) };
      default:
        return node satisfies never;
    }
  }),
});

const selectionOf = async (source: string, variables = {}): Promise<Selection> => {
  const { queries, result } = await translate(source, variables);
  expect(result.errors).toBeUndefined();
  return queries[0] as Query;
};
const outlineOf = async (source: string, variables = {}) => outline(await selectionOf(source, variables));

describe('a selection', () => {
  test('determines everything that is read', async () => {
    expect(await outlineOf('{ articles { data { id attributes { title views } } } }')).toEqual({
      fields: ['title', 'views'],
      populate: [],
    });
  });

  test('can use fragments, directives and aliases', async () => {
    const source = `
      query ($no: Boolean = false) {
        articles { d: data { ...Entity attributes { v: views } } data { attributes { slug @include(if: $no) } } }
      }
      fragment Entity on ArticleEntity { attributes { ... on Article { title author { data { ...Who } } } } }
      fragment Who on AuthorEntity { attributes { name bio @skip(if: true) } }
    `;
    expect(await outlineOf(source)).toEqual({
      fields: ['title', 'views'],
      populate: [{ author: { fields: ['name'], populate: [] } }],
    });
  });

  test('is planned again if it depends on variables', async () => {
    const document = parseDocument(`
      query ($slug: Boolean!, $color: String) { articles { data { attributes { ...A } } } }
      fragment A on Article { slug @include(if: $slug) tags(filters: { color: { eq: $color } }) { data { id } } }
    `);
    for (const [slug, color] of [
      [true, 'red'],
      [false, 'blue'],
    ] as const) {
      const [query] = (await translate(document, { slug, color })).queries;
      expect(query).toMatchObject({
        fields: slug ? [{ name: 'slug' }] : [],
        populate: [{ query: { filter: { operands: [color] } } }],
      });
    }
  });

  test('of components and zones is read per component; those without a fragment are read by type', async () => {
    const source = `{ articles { data { attributes {
      seo { openGraph { ogTitle } }
      blocks { __typename ... on ComponentBlocksQuote { text source { data { id } } } }
    } } } }`;
    const none = { fields: [], populate: [] };
    expect(await outlineOf(source)).toEqual({
      fields: [],
      populate: [
        { seo: { fields: [], populate: [{ openGraph: { fields: ['ogTitle'], populate: [] } }] } },
        {
          blocks: {
            'blocks.text': none,
            'blocks.quote': { fields: ['text'], populate: [{ source: none }] },
            'blocks.promo': none,
            'blocks.media': none,
          },
        },
      ],
    });
  });

  test('of a morph relation is read per type', async () => {
    const source =
      '{ comments { data { attributes { subject { ... on Product { sku } ... on Article { title } } } } } }';
    const [node] = (await selectionOf(source)).populate;
    const read = node?.kind === 'morph' ? [...node.on].map(([{ uid }, query]) => [uid, outline(query)]) : [];
    expect(Object.fromEntries(read)).toMatchObject({
      'api::product.product': { fields: ['sku'] },
      'api::article.article': { fields: ['title'] },
      'api::tag.tag': { fields: [] },
    });
  });

  test('never contains passwords', async () => {
    expect(await outlineOf('{ articles { data { attributes { secret } } } }')).toEqual({ fields: [], populate: [] });
  });

  test('can contain a relation twice with different arguments', async () => {
    const source = `{ authors { data { attributes {
      old: articles(sort: "id", pagination: { limit: 2 }) { data { attributes { title } } }
      new: articles(sort: "id:desc", publicationState: PREVIEW) { data { id } }
    } } } }`;
    const { populate } = await selectionOf(source);
    expect(new Set(populate.map(({ key }) => key)).size).toBe(2);
    expect(populate).toMatchObject([
      {
        attribute: { name: 'articles' },
        query: { limit: 2, sort: [{ direction: 'ascending' }], publicationState: 'live' },
      },
      {
        attribute: { name: 'articles' },
        query: { limit: 25, sort: [{ direction: 'descending' }], publicationState: 'preview' },
      },
    ]);
  });

  test('with one alias in different places is kept apart', async () => {
    const source = `{ articles {
      a: data { attributes { x: author { data { attributes { name } } } } }
      b: data { attributes { x: category { data { attributes { slug } } } } }
    } }`;
    expect(await outlineOf(source)).toEqual({
      fields: [],
      populate: [{ author: { fields: ['name'], populate: [] } }, { category: { fields: ['slug'], populate: [] } }],
    });
  });

  test('contains drafts if the publication state is null', async () => {
    const { populate } = await selectionOf(
      '{ tags { data { attributes { articles(publicationState: null) { data { id } } } } } }',
    );
    expect(populate).toMatchObject([{ query: { publicationState: 'preview' } }]);
  });

  test('of to-one relations contains drafts, whatever the publication state of the list', async () => {
    const { populate } = await selectionOf('{ pages { data { attributes { featuredArticle { data { id } } } } } }');
    expect(populate).toMatchObject([{ query: { publicationState: 'stored', limit: undefined } }]);
  });
});

describe('a missing permission', () => {
  const reader = { kind: 'public', may: (action: string) => action === 'api::article.article.find' } as const;

  test('refuses a root field before any read', async () => {
    const { queries, result } = await translate('{ tags { data { id } } }', {}, reader);
    expect(queries).toEqual([]);
    expect(result.errors?.[0]?.message).toBe('Forbidden access');
    expect(result.data).toEqual({ tags: null });
  });

  test('removes a relation from the read', async () => {
    const { queries } = await translate(
      '{ articles { data { attributes { title tags { data { id } } } } } }',
      {},
      reader,
    );
    expect(outline(queries[0] as Query)).toEqual({ fields: ['title'], populate: [] });
  });

  test('applies to its caller only, also for a cached document', async () => {
    const document = parseDocument(
      '{ articles { data { attributes { title tags(filters: { articles: { title: { eq: "x" } } }) { data { id } } } } } }',
    );
    const writer = { ...reader, may: (action: string) => action !== 'api::article.article.find' } as const;
    const anyone = { ...reader, may: () => true } as const;
    const seen = [];
    for (const caller of [anyone, reader, anyone, writer, anyone]) {
      const [query] = (await translate(document, {}, caller)).queries;
      seen.push(query?.populate.length);
    }
    expect(seen).toEqual([1, 0, 1, undefined, 1]);
  });

  test('applies to relations of components, unless openComponentRelations is set', async () => {
    const source =
      '{ articles { data { attributes { blocks { ... on ComponentBlocksQuote { source { data { id } } } } } } } }';
    const outlineOf = ({ queries }: Translated): unknown => outline(queries[0] as Query);
    const blocks = (quote: object): object => ({ populate: [{ blocks: { 'blocks.quote': { populate: quote } } }] });
    expect(outlineOf(await translate(source, {}, reader))).toMatchObject(blocks([]));
    expect(outlineOf(await translateOpenly(source, {}, reader))).toMatchObject(blocks([{ source: {} }]));
  });

  test.each([
    'author: {}',
    'author: null',
    'and: [{ not: { author: {} } }]',
    'author: { and: [] }',
    'author: { name: {} }',
    'related: { author: {} }',
  ])('refuses filters that only contain the relation: %s', async (filters) => {
    const { queries, result } = await translate(`{ articles(filters: { ${filters} }) { data { id } } }`, {}, reader);
    expect(queries).toEqual([]);
    expect(result.errors?.[0]?.message).toBe('Invalid parameter author');
  });

  test('refuses filters by the relation', async () => {
    const { result } = await translate(
      '{ articles(filters: { author: { name: { eq: "x" } } }) { data { id } } }',
      {},
      reader,
    );
    expect(result.errors?.[0]?.message).toBe('Invalid parameter author');
  });
});

test.each(['filters: { secret: { eq: "x" } }', 'sort: "secret"', 'filters: { internalNote: { notNull: true } }'])(
  'passwords and private attributes cannot be filtered or sorted by: %s',
  async (argument) => {
    const { queries, result } = await translate(`{ articles(${argument}) { data { id } } }`);
    expect(queries).toEqual([]);
    expect(result.errors?.[0]?.message).toMatch(/^Invalid parameter (secret|internalNote)$/);
  },
);

test('a query can populate up to the limit of the service', async () => {
  const tags = Array.from({ length: 501 }, (_, index) => `t${index}: tags { data { id } }`).join(' ');
  const { result } = await translate(`{ articles { data { attributes { ${tags} } } } }`);
  expect(result.errors?.[0]?.message).toContain('at most 500 populated attributes');
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { declare, keyOf } from '../../support/access.js';
import { commandsOf } from '../../support/commands.js';
import { askGraphql } from '../../support/send-graphql.js';
import { useService, type Answer } from '../../support/service.js';

const plugins = { graphql: { config: { aggregation: true } }, strapi5: true };
const named = (types: readonly { readonly name: string }[]): readonly string[] => types.map(({ name }) => name);

describe('groups over GraphQL', () => {
  const client = useService({ plugins, environment: { RESPONSE_CACHE: '1mb', CACHE_TAGS: 'true' } });
  const ask = (query: string, token?: string) => askGraphql(client, query, token === undefined ? {} : { token });
  const asStrapi5 = async (query: string): Promise<Answer> =>
    request(client.service.url).post('/v5/graphql').auth(client.service.token, { type: 'bearer' }).send({ query });

  beforeAll(async () => {
    const ada = await client.create('authors', { name: 'Ada' });
    const tags: number[] = [];
    for (const name of ['one', 'two']) tags.push(await client.create('tags', { name }));
    for (const [index, kind] of ['news', 'review', 'news'].entries()) {
      const data = { title: `A${index}`, kind, views: 10 * index, score: 0.1 * index, bignum: '9007199254740993' };
      await client.create('articles', { ...data, publishOn: '2024-02-29', tags, author: index > 0 ? ada : null });
    }
    await client.create('articles', { title: 'Draft', views: 1000, publishedAt: null });
  });

  test('have typed keys, measures and conditions, in pages with a total', async () => {
    const { data } = await ask(`{
      articles_aggregate(
        groupBy: [{ author: { name: VALUE } }, { kind: VALUE }]
        having: { count: { gte: 1 }, sum: { views: { gte: 0 } }, not: { max: { title: { eq: "x" } } } }
        sort: ["sum.views:desc", "kind"]
        pagination: { pageSize: 2 }
      ) {
        data { key { author { name } kind } count sum { views bignum } avg { score } most: max { title } countDistinct { author { id } } }
        meta { pagination { total page pageSize pageCount } overlapping }
      }
    }`);
    const bignum = '9007199254740993';
    expect(data.articles_aggregate).toEqual({
      data: [
        {
          key: { author: { name: 'Ada' }, kind: 'news' },
          count: 1,
          sum: { views: 20, bignum },
          avg: { score: 0.2 },
          most: { title: 'A2' },
          countDistinct: { author: { id: 1 } },
        },
        {
          key: { author: { name: 'Ada' }, kind: 'review' },
          count: 1,
          sum: { views: 10, bignum },
          avg: { score: 0.1 },
          most: { title: 'A1' },
          countDistinct: { author: { id: 1 } },
        },
      ],
      meta: { pagination: { total: 3, page: 1, pageSize: 2, pageCount: 2 }, overlapping: [] },
    });
  });

  test('know parts of dates in a time zone, lists of which an entry counts in each group, filters and drafts', async () => {
    const { data } = await ask(`{
      byTag: articles_aggregate(groupBy: { tags: { name: VALUE } }, publicationState: PREVIEW) { data { count key { tags { name } } } meta { overlapping } }
      byDay: articles_aggregate(groupBy: [{ publishOn: QUARTER }, { createdAt: YEAR }], timeZone: "Europe/Berlin", filters: { kind: { eq: "news" } }) {
        data { count key { publishOn } }
      }
      nothing: articles_aggregate(filters: { title: { eq: "none" } }) { data { count sum { views } avg { views } min { title } } }
    }`);
    expect(data).toEqual({
      byTag: {
        data: [
          { count: 1, key: { tags: { name: null } } },
          { count: 3, key: { tags: { name: 'one' } } },
          { count: 3, key: { tags: { name: 'two' } } },
        ],
        meta: { overlapping: ['tags.name'] },
      },
      byDay: { data: [{ count: 2, key: { publishOn: '2024-Q1' } }] },
      nothing: { data: [{ count: 0, sum: { views: 0 }, avg: { views: null }, min: { title: null } }] },
    });
  });

  test("have Strapi 5's words below its address", async () => {
    const { body } = await asStrapi5(`{
      articles_aggregate(groupBy: { kind: VALUE }, status: DRAFT) { nodes { key { kind } count } pageInfo { total } overlapping }
    }`);
    expect(body.data.articles_aggregate).toEqual({
      nodes: [
        { key: { kind: 'news' }, count: 3 },
        { key: { kind: 'review' }, count: 1 },
      ],
      pageInfo: { total: 2 },
      overlapping: [],
    });
  });

  test('are in the schema beside lists, without what nobody may see', async () => {
    const { data } = await ask(`{
      __schema { queryType { fields { name args { name } } } }
      article: __type(name: "Article_KeyInput") { inputFields { name } }
      sums: __type(name: "Article_Sum") { fields { name type { name } } }
      days: __type(name: "Key_Date") { enumValues { name } }
    }`);
    const field = data.__schema.queryType.fields.find((one: any) => one.name === 'articles_aggregate');
    expect(named(field.args)).toEqual(
      'filters pagination sort publicationState locale groupBy having timeZone'.split(' '),
    );
    expect(named(data.__schema.queryType.fields)).not.toContain('homepage_aggregate');
    expect(named(data.article.inputFields)).toContain('author');
    for (const name of ['internalNote', 'secret', 'blocks'])
      expect(named(data.article.inputFields)).not.toContain(name);
    expect(named(data.sums.fields)).not.toContain('title');
    expect(named(data.days.enumValues)).toEqual(['VALUE', 'YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY']);
  });

  test.each([
    [
      'a private attribute',
      '(groupBy: { internalNote: VALUE }) { data { count } }',
      'Field "internalNote" is not defined',
    ],
    [
      'a part that a value does not have',
      '(groupBy: { publishOn: HOUR }) { data { count } }',
      'does not exist in "Key_Date"',
    ],
    ['a measure that a value does not have', ' { data { sum { title } } }', 'Cannot query field "title"'],
    [
      'a key that is not grouped by',
      '(groupBy: { kind: VALUE }) { data { key { title } } }',
      'The key title is selected',
    ],
    ['a sort by what is not asked', '(sort: "sum.views") { data { count } }', 'Invalid parameter sum.views'],
    ['a key twice', '(groupBy: [{ kind: VALUE }, { kind: VALUE }]) { data { count } }', 'Invalid parameter kind'],
    [
      'an unknown time zone',
      '(groupBy: { createdAt: DAY }, timeZone: "Mars") { data { count } }',
      'Invalid parameter timeZone',
    ],
    [
      'a list in key and measure',
      '(groupBy: { tags: { name: VALUE } }) { data { min { tags { name } } } }',
      'has no meaning beside',
    ],
    ['both forms of a page', '(pagination: { page: 1, start: 1 }) { data { count } }', 'Cannot use both'],
  ])('refuse %s', async (_name, field, message) => {
    const { errors = [] } = await ask(`{ articles_aggregate${field} }`);
    expect(errors.map((error) => error.message).join()).toContain(message);
  });

  test('need the right to the list, and to what relations lead to', async () => {
    await declare(client.service, {}, { some: ['api::article.article.find'], none: ['api::tag.tag.find'] });
    const query = (key: string): string => `{ articles_aggregate(groupBy: ${key}) { data { count } } }`;
    const messageFor = async (key: string, token: string) => (await ask(query(key), token)).errors?.[0]?.message;
    expect(await messageFor('{ kind: VALUE }', keyOf('none'))).toBe('Forbidden access');
    expect(await messageFor('{ kind: VALUE }', keyOf('some'))).toBeUndefined();
    expect(await messageFor('{ author: { name: VALUE } }', keyOf('some'))).toBe('Invalid parameter author');
    expect(
      (await ask('{ articles_aggregate { data { max { author { name } } } } }', keyOf('some'))).errors,
    ).toMatchObject([{ message: 'Invalid parameter author' }]);
  });

  test('are cached, tagged and purged as lists are', async () => {
    const query =
      '{ articles_aggregate(groupBy: { author: { name: VALUE } }) { data { key { author { name } } count } } }';
    const get = async (): Promise<Answer> =>
      request(client.service.url).get('/graphql').query({ query }).auth(client.service.token, { type: 'bearer' });
    for (let sent = 0; sent < 3; sent += 1) await get();
    expect(await commandsOf(client.service, get)).not.toContain('aggregate');
    expect((await get()).text).not.toContain('Lovelace');
    const { status } = await client.put('/api/authors/1', { name: 'Ada Lovelace' });
    expect(status).toBe(200);
    expect((await get()).text).toContain('Ada Lovelace');
  });

  test('count as fields in the limits of a request', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `a${index}: articles_aggregate { data { count } }`);
    expect((await ask(`{ ${many.join(' ')} }`)).errors?.[0]?.message).toContain('rootLimit');
    const deep = `${'author { articles { '.repeat(16)}id${' } }'.repeat(16)}`;
    expect((await ask(`{ articles_aggregate { data { min { ${deep} } } } }`)).errors?.[0]?.message).toContain('depth');
    const path = `${'{ author: { articles: '.repeat(12)}{ id: VALUE }${' } }'.repeat(12)}`;
    expect((await ask(`{ articles_aggregate(groupBy: ${path}) { data { count } } }`)).errors?.[0]?.message).toContain(
      'asks for too much',
    );
  });
});

describe('a schema without the setting', () => {
  const client = useService({ plugins: { strapi5: true } });
  test.each(['/graphql', '/v5/graphql'])('at %s has no groups', async (path) => {
    const query = '{ __schema { types { name } queryType { fields { name } } } }';
    const { body } = await request(client.service.url)
      .post(path)
      .auth(client.service.token, { type: 'bearer' })
      .send({ query });
    const { types, queryType } = body.data.__schema;
    expect(
      [...named(types), ...named(queryType.fields)].filter((name) => /_(?:aggregate|Key|Group|Sum)/.test(name)),
    ).toEqual([]);
  });
});

describe('where code of the project takes part', () => {
  const asked: string[] = [];
  const extension: Extension = {
    register: ({ strapi }) => {
      const service = strapi.plugin('graphql').service('extension');
      service.shadowCRUD('api::page.page').disableAction('find');
      service.shadowCRUD('api::product.product').field('price').disableOutput();
      service.shadowCRUD('api::product.product').field('name').disableFilters();
      service.use({
        resolvers: { Query: { bookmarks: () => ({ nodes: [] }) }, Article: { title: () => 'another' } },
        resolversConfig: {
          'Query.tags': { auth: false, policies: [({ args }) => asked.push(JSON.stringify(args)) > 0] },
          'Query.authors': { policies: [() => false] },
          'Query.comments': { middlewares: [(next, ...rest) => next(...rest)] },
          'Query.categories_aggregate': { policies: [() => false] },
          'Article.summary': { policies: [() => false] },
          'CategoryEntity.attributes': { policies: [() => true] },
        },
      });
    },
    guards: { 'api::section.section.find': { policies: [({ query }: any) => !('groupBy' in query)] } },
  };
  const client = useService({ plugins, extension });
  const ask = (query: string, token?: string) => askGraphql(client, query, token === undefined ? {} : { token });

  test('it is asked as for lists, and is never led around', async () => {
    const { data } = await ask('{ __schema { queryType { fields { name } } } }');
    const fields = named(data.__schema.queryType.fields);
    for (const name of ['pages', 'bookmarks', 'comments']) expect(fields).not.toContain(`${name}_aggregate`);
    const messageOf = async (query: string, token?: string) => (await ask(query, token)).errors?.[0]?.message;
    expect(await messageOf('{ authors_aggregate { data { count } } }')).toBe('Policy Failed');
    expect(await messageOf('{ categories_aggregate { data { count } } }')).toBe('Policy Failed');
    expect(await messageOf('{ sections_aggregate { data { count } } }')).toBeUndefined();
    expect(await messageOf('{ sections_aggregate(groupBy: { heading: VALUE }) { data { count } } }')).toBe('Forbidden');
    // What is public as a list is public in groups.
    expect(await messageOf('{ tags_aggregate(groupBy: { name: VALUE }) { data { count } } }', '')).toBeUndefined();
    expect(asked).toEqual([expect.stringContaining('groupBy')]);
  });

  test('what it hides or makes of values is no key and no measure', async () => {
    const { data } = await ask(`{
      article: __type(name: "Article_Key") { fields { name } }
      product: __type(name: "Product_Key") { fields { name } }
      category: __type(name: "Category_Key") { fields { name } }
    }`);
    const article = named(data.article.fields);
    expect(article).toContain('slug');
    for (const name of ['title', 'summary', 'category']) expect(article).not.toContain(name);
    for (const name of ['price', 'name']) expect(named(data.product.fields)).not.toContain(name);
    expect(data.category).toBeNull();
  });
});

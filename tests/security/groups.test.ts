import { beforeAll, describe, expect, test } from '@jest/globals';
import { askGraphql } from '../support/send-graphql.js';
import { useService, type Answer } from '../support/service.js';

/**
 * Requests for groups that would take the database or the process long, or lead it astray. No rights lift these rules.
 */
const client = useService({ plugins: { graphql: { config: { aggregation: true } } } }, { checked: false });
const tooMany =
  'There are more than 100000 groups, or they take too much memory: narrow the filters, or group by fewer or coarser keys';

/**
 * An article has more than 100,000 combinations of a tag and a link, and 36 million with those that it is related to.
 */
const LONG = 330;
beforeAll(async () => {
  const { db } = client.service.database;
  const ids = Array.from({ length: LONG }, (_, index) => index + 1);
  const links = ids.map((id) => ({ id, label: `link ${id}` }));
  const article = { locale: 'en', _live: 1, publishedAt: new Date(), author: 1, tags: ids, related: ids };
  await db.collection<{ _id: number }>('tags').insertMany(ids.map((_id) => ({ _id, name: `tag ${_id}` })));
  await db.collection<{ _id: number }>('authors').insertOne({ _id: 1, name: 'Ada' } as { _id: number });
  await db
    .collection<{ _id: number }>('articles')
    .insertOne({ _id: 1, ...article, title: 'Long', slug: 'long', links } as { _id: number });
});

const get = (query: string, of = 'articles'): Promise<Answer> => client.get(`/api/${of}/aggregate?${query}`);

async function expectHealthy(): Promise<void> {
  const { status, body } = await get('groupBy=title');
  expect([status, body.data]).toMatchObject([200, { length: 1 }]);
}

const before = Object.getOwnPropertyNames(Object.prototype);

describe.each([
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '$where',
  '_id',
  '_live',
  '$$ROOT',
])('the name %s', (name) => {
  test.each([
    `groupBy=${name}`,
    `groupBy[0][${name}]=month`,
    `groupBy[${name}][polluted]=month`,
    `groupBy=author.${name}`,
    `groupBy=createdAt:${name}`,
    `sum=${name}`,
    `min[0][${name}]=x`,
    `countDistinct=author.${name}`,
    `groupBy=title&having[${name}][$gt]=1`,
    `groupBy=title&sum=views&having[sum][${name}][$gt]=1`,
    `groupBy=title&having[count][${name}][$gt]=1`,
    `groupBy=title&sort=${name}`,
    `groupBy=title&sort[${name}][polluted]=asc`,
    `timeZone=${name}`,
  ])('is refused or left out: %s', async (query) => {
    const { status, text } = await get(query);
    expect([200, 400]).toContain(status);
    expect(text).not.toMatch(/Mongo|BSON|at .*\.[jt]s/);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect({}).not.toHaveProperty('polluted');
  });
});

test.each([
  [
    'many keys',
    Array.from({ length: 11 }, (_, index) => `groupBy[]=links.${index % 2 === 0 ? 'id' : 'label'}`).join('&'),
  ],
  [
    'measures behind many relations',
    `sum=${Array.from({ length: 12 }, (_, index) => `${'author.articles.'.repeat(index)}views`).join(',')}`,
  ],
  ['a deep path', `groupBy=${'author.articles.'.repeat(40)}title`],
  ['a deep object', `groupBy${'[author][articles]'.repeat(20)}[title]=month`],
  ['many conditions', Array.from({ length: 500 }, (_, index) => `having[$or][${index}][count]=${index}`).join('&')],
  ['deep conditions', `having${'[$not]'.repeat(40)}[count]=1`],
  ['a long list of operands', Array.from({ length: 300 }, () => 'having[count][$in][]=1').join('&')],
  ['a long name', `groupBy=${'x'.repeat(9000)}`],
  ['a long time zone', `groupBy=createdAt:day&timeZone=${'x'.repeat(9000)}`],
  ['an offset beyond all', 'groupBy=createdAt:day&timeZone=+99:99'],
  ['a huge page', 'groupBy=title&pagination[pageSize]=1e9x'],
])('%s are refused', async (_name, query) => {
  expect((await get(query)).status).toBe(400);
  await expectHealthy();
});

const nested = (open: string, inner: string, close: string, times: number): string =>
  `${open.repeat(times)}${inner}${close.repeat(times)}`;

describe('over GraphQL', () => {
  test.each([
    ['a deep key', `(groupBy: ${nested('{ author: { articles: ', '{ id: VALUE }', ' } }', 1000)})`],
    ['many keys', `(groupBy: [${Array.from({ length: 11 }, () => '{ links: { id: VALUE } }').join(' ')}])`],
    [
      'many conditions',
      `(having: { or: [${Array.from({ length: 1100 }, (_, index) => `{ count: { eq: ${index} } }`).join(' ')}] })`,
    ],
    ['deep conditions', `(having: ${nested('{ not: ', '{ count: { eq: 1 } }', ' }', 40)})`],
    ['conditions on what is nothing', '(having: { sum: { __proto__: { views: { gt: 1 } } } })'],
    ['a key of the prototype', '(groupBy: { constructor: VALUE })'],
    ['a sort by the prototype', '(sort: ["__proto__", "constructor.name:desc"])'],
    ['a huge page', '(pagination: { page: 2147483648 })'],
  ])('%s is refused', async (_name, args) => {
    const { status, body, text } = await client.graphql(`{ articles_aggregate${args} { data { count } } }`);
    expect([200, 400]).toContain(status);
    expect(body.errors).toHaveLength(1);
    expect(text).not.toMatch(/Mongo|BSON|at .*\.[jt]s/);
    expect({}).not.toHaveProperty('polluted');
    await expectHealthy();
  });

  test('conditions of variables, with names of the prototype, change nothing', async () => {
    const query = 'query ($having: Article_Having) { articles_aggregate(having: $having) { data { count } } }';
    const having = JSON.parse(
      '{ "__proto__": { "polluted": 1 }, "sum": { "__proto__": { "polluted": 1 } } }',
    ) as object;
    const { errors } = await askGraphql(client, query, { variables: { having } });
    expect(errors).not.toEqual([]);
    expect({}).not.toHaveProperty('polluted');
    await expectHealthy();
  });

  test('more groups than an answer can have are refused', async () => {
    const key = '{ tags: { name: VALUE } }, { links: { label: VALUE } }';
    const { body } = await client.graphql(`{ articles_aggregate(groupBy: [${key}]) { data { count } } }`);
    expect(body.errors?.[0]?.message).toBe(tooMany);
    await expectHealthy();
  });
});

describe('more groups than an answer can have', () => {
  test.each([
    ['articles', 'tags.name,links.label', 'groups that are made one by one'],
    ['articles', 'tags.createdAt:year,links.label,related.title', 'combinations in one entry, beyond all memory'],
    ['authors', 'articles.tags.name,articles.links.label', 'combinations in an entry behind a relation'],
    ['authors', 'articles.id,articles.tags.id,articles.links.id', 'combinations behind relations'],
  ])('of %s by %s are refused', async (of, keys) => {
    const { status, body } = await get(`groupBy=${keys}&sort=count:desc`, of);
    expect([status, body.error?.message]).toEqual([400, tooMany]);
    await expectHealthy();
  });

  test('are refused too where they are on later pages, or do not meet conditions', async () => {
    const { body } = await get('groupBy=tags.id,links.id&having[count][$gt]=5&pagination[start]=9007199254740991');
    expect(body.error.message).toBe(tooMany);
    await expectHealthy();
  });
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { declare, keyOf } from '../../../../tests/support/access.js';
import { useService } from '../../../../tests/support/service.js';
import { asker } from './ask.js';

const rest = useService({
  plugins: { strapi5: true, graphql: { config: { amountLimit: 3, depthLimit: 6, aliasLimit: 5, rootLimit: 4 } } },
  environment: { DRAFTS: 'restricted' },
});
const ask = asker(rest);
const reading = ['find', 'findOne'].flatMap((action) =>
  ['article', 'tag'].map((name) => `api::${name}.${name}.${action}`),
);
const forbidden = { extensions: { code: 'FORBIDDEN' } };
let documentId = '';

beforeAll(async () => {
  const tag = await rest.create('tags', { name: 'Shared' });
  const author = await rest.create('authors', { name: 'Ann', notes: 'Secret words' });
  await rest.create('articles', { title: 'Public', internalNote: 'Secret words', author, tags: [tag] });
  await rest.create('articles', { title: 'Hidden', tags: [tag], publishedAt: null });
  const { articles } = await ask.data(
    '{ articles(status: DRAFT, filters: { title: { eq: "Hidden" } }) { documentId } }',
  );
  documentId = articles[0].documentId;
  await declare(rest.service, {}, { reader: reading, 'name reader': ['api::tag.tag.find'] });
});

const askAs = (token: string, query: string, variables: object = {}) => ask(query, variables, keyOf(token));

describe('drafts that are hidden from a caller do not exist', () => {
  test.each([
    ['{ articles(status: DRAFT) { title } }', { articles: [{ title: 'Public' }] }],
    [
      '{ articles_connection(status: DRAFT) { pageInfo { total } } }',
      { articles_connection: { pageInfo: { total: 1 } } },
    ],
    ['{ articles(status: DRAFT, publicationFilter: NEVER_PUBLISHED) { title } }', { articles: [] }],
    ['query ($d: ID!) { article(documentId: $d, status: DRAFT) { title } }', { article: null }],
    [
      '{ tags(status: DRAFT) { articles { title } articles_connection { nodes { title } } } }',
      { tags: [{ articles: [{ title: 'Public' }], articles_connection: { nodes: [{ title: 'Public' }] } }] },
    ],
    ['{ tags(status: DRAFT, filters: { articles: { title: { eq: "Hidden" } } }) { name } }', { tags: [] }],
    ['query ($d: ID!) { tags(filters: { articles: { documentId: { eq: $d } } }) { name } }', { tags: [] }],
    ['{ tags(filters: { not: { articles: { title: { eq: "Hidden" } } } }) { name } }', { tags: [{ name: 'Shared' }] }],
  ])('%s', async (query, data) => {
    const variables = query.startsWith('query') ? { d: documentId } : {};
    expect(await askAs('reader', query, variables)).toEqual({ data });
  });
});

describe('what a caller may not read is refused', () => {
  test.each([
    '{ authors { name } }',
    '{ authors_connection { pageInfo { total } } }',
    '{ articles { author { name } } }',
    'mutation { createTag(data: { name: "x" }) { name } }',
    'mutation ($d: ID!) { updateArticle(documentId: $d, data: { title: "x" }) { title } }',
    'mutation ($d: ID!) { deleteArticle(documentId: $d) { documentId } }',
    '{ reviewWorkflowsWorkflows { name } }',
    '{ usersPermissionsUsers { username } }',
    '{ uploadFiles_connection { pageInfo { total } } }',
  ])('%s', async (query) => {
    const variables = query.includes('$d') ? { d: documentId } : {};
    expect(await askAs('reader', query, variables)).toMatchObject({ errors: [forbidden] });
  });

  test.each([
    '{ articles(filters: { author: { name: { eq: "Ann" } } }) { title } }',
    '{ articles(sort: "author.name") { title } }',
    '{ tags { articles(filters: { author: { documentId: { ne: "x" } } }) { title } } }',
  ])('%s', async (query) => {
    expect(await askAs('reader', query)).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  });
});

test.each([
  ['{ tags(sort: "nope") { name } }', { key: 'nope', path: null, param: 'sort' }],
  ['{ tags { articles(sort: "tags.nope") { title } } }', { key: 'nope', path: 'tags', param: 'sort' }],
])('an unknown name is refused with its place: %s', async (query, place) => {
  const details = { ...place, source: 'query' };
  expect(await ask(query)).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT', error: { details } } }] });
});

test.each([
  '{ articles(filters: { internalNote: { contains: "S" } }) { title } }',
  '{ articles(sort: "internalNote") { title } }',
  '{ articles(sort: "author.notes") { title } }',
  '{ articles { internalNote } }',
  '{ tags { articles(sort: "internalNote") { title } } }',
])('private attributes cannot be named: %s', async (query) => {
  const { errors, data } = await ask(query);
  expect(errors).toHaveLength(1);
  expect(JSON.stringify([errors, data])).not.toContain('Secret');
});

describe('the limits of requests are those of the other schema', () => {
  test.each([
    ['depth', '{ tags { articles { tags { articles { tags { articles { tags { name } } } } } } } }'],
    ['aliases', '{ tags { a: name b: name c: name d: name e: name f: name } }'],
    ['Too many queries', '{ a: tags { name } tags { name } articles { title } authors { name } products { name } }'],
  ])('%s', async (message, query) => {
    expect((await ask(query)).errors[0].message).toContain(message);
  });

  test('lists have at most as many entries', async () => {
    for (const name of ['B', 'C', 'D', 'E']) await rest.create('tags', { name });
    const { tags, tags_connection: page } = await ask.data(
      '{ tags(pagination: { limit: 100 }) { name } tags_connection(pagination: { pageSize: 100 }) { pageInfo { pageSize total } } }',
    );
    expect(tags).toHaveLength(3);
    expect(page.pageInfo).toEqual({ pageSize: 3, total: 5 });
  });
});

import { beforeAll, expect, test } from '@jest/globals';
import { useService } from '../../../../tests/support/service.js';
import { asker } from './ask.js';

const rest = useService({ plugins: { strapi5: true, i18n: { config: { locales: ['en', 'fr'] } } } });
const ask = asker(rest);
const ids: Record<string, string> = {};

beforeAll(async () => {
  const tag = await rest.create('tags', { name: 'Alpha' });
  const author = await rest.create('authors', { name: 'Ada' });
  await rest.create('articles', { title: 'First', tags: [tag], author });
  await rest.create('articles', { title: 'Draft', tags: [tag], publishedAt: null });
  const { articles } = await ask.data('{ articles(status: DRAFT) { documentId title } }');
  for (const { title, documentId } of articles) ids[title] = documentId;
});

test('lists have entries, and connections the page as well', async () => {
  const query = `{
    articles { title author { name } tags { name } tags_connection { nodes { name } } cover { url } gallery { url } }
    tags_connection(pagination: { pageSize: 5 }) { nodes { name articles { title } } pageInfo { page pageSize pageCount total } }
  }`;
  expect(await ask.data(query)).toEqual({
    articles: [
      {
        title: 'First',
        author: { name: 'Ada' },
        tags: [{ name: 'Alpha' }],
        tags_connection: { nodes: [{ name: 'Alpha' }] },
        cover: null,
        gallery: [],
      },
    ],
    tags_connection: {
      nodes: [{ name: 'Alpha', articles: [{ title: 'First' }] }],
      pageInfo: { page: 1, pageSize: 5, pageCount: 1, total: 1 },
    },
  });
});

test('the status of a request holds for related entries, and no draft has a time of publication', async () => {
  const query = `{ articles(status: DRAFT, sort: "title") { title publishedAt tags { articles(sort: "title") { title publishedAt } } } }`;
  const [draft, first] = ['Draft', 'First'].map((title) => ({ title, publishedAt: null }));
  const tags = [{ articles: [draft, first] }];
  expect(await ask.data(query)).toEqual({
    articles: [
      { ...draft, tags },
      { ...first, tags },
    ],
  });
});

test('the publication filter of a request holds for related entries', async () => {
  const query = '{ tags(status: DRAFT, publicationFilter: NEVER_PUBLISHED) { articles { title } } }';
  expect(await ask.data(query)).toEqual({ tags: [{ articles: [{ title: 'Draft' }] }] });
});

test('an entry is found by its documentId, in the status of the request', async () => {
  const query = `query ($d: ID!) { article(documentId: $d) { title } draft: article(documentId: $d, status: DRAFT) { title } }`;
  expect(await ask.data(query, { d: ids['Draft'] })).toEqual({ article: null, draft: { title: 'Draft' } });
  expect(await ask.data(query, { d: '1' })).toEqual({ article: null, draft: null });
});

test('filters name documentIds at every level', async () => {
  const { tags } = await ask.data('{ tags { documentId } }');
  const query = `query ($d: ID!) { articles(filters: { tags: { documentId: { eq: $d } } }) { documentId } }`;
  expect(await ask.data(query, { d: tags[0].documentId })).toEqual({ articles: [{ documentId: ids['First'] }] });
  expect(await ask.data(query, { d: 'none' })).toEqual({ articles: [] });
});

test('the same query has an answer of each schema, and sees what the other wrote', async () => {
  const query = '{ products { __typename } }';
  const ofBoth = async () => [(await rest.graphql(query)).body.data.products, (await ask.data(query)).products];
  for (let i = 0; i < 2; i += 1)
    expect(await ofBoth()).toEqual([{ __typename: 'ProductEntityResponseCollection' }, []]);
  await rest.create('products', { name: 'Anvil', sku: 'anvil-1' });
  expect((await ofBoth())[1]).toEqual([{ __typename: 'Product' }]);
});

test('types that Strapi 5 alone has are without entries', async () => {
  const query = `{ reviewWorkflowsWorkflows { name } reviewWorkflowsWorkflows_connection { pageInfo { total } } }`;
  expect(await ask.data(query)).toEqual({
    reviewWorkflowsWorkflows: [],
    reviewWorkflowsWorkflows_connection: { pageInfo: { total: 0 } },
  });
});

test('an error has the place of its field', async () => {
  expect(await ask('{ articles { title } }', {}, '')).toMatchObject({
    data: null,
    errors: [{ message: 'Forbidden access', path: ['articles'], extensions: { code: 'FORBIDDEN' } }],
  });
});

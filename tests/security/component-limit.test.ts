import { expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../support/service.js';

const client = useService({
  plugins: { strapi5: true, graphql: true },
  configure: (config) => ({ ...config, limits: { ...config.limits, components: 3 } }),
});
const { post, put, create, graphql } = client;
const texts = (count: number) => Array.from({ length: count }, () => ({ __component: 'blocks.text', content: 'x' }));
const tooMany = (operation: readonly string[] = []) => ({
  status: 400,
  body: {
    error: {
      details: {
        errors: [
          {
            path: [...operation, 'blocks'],
            message: 'blocks has too many components (COMPONENT_LIMIT): at most 3 in a request',
          },
        ],
      },
    },
  },
});

test.each(['/api/articles', '/v5/api/articles'])('%s refuses more components than the limit', async (path) => {
  const before = await client.service.database.db.collection('articles').countDocuments();
  expect(await post(path, { title: 'x', blocks: texts(4) })).toMatchObject(tooMany());
  expect(await client.service.database.db.collection('articles').countDocuments()).toBe(before);
  expect((await post(path, { title: 'x', blocks: texts(3) })).status).toBeLessThan(300);
});

const text = '{ __typename: "ComponentBlocksText", content: "x" }';
const creation = (name: string, count: number): string =>
  `${name}: createArticle(data: { title: "x", blocks: [${Array.from({ length: count }, () => text).join()}] }) { data { id } }`;
const message = 'blocks has too many components (COMPONENT_LIMIT): at most 3 in a request';
const refused = { body: { errors: [{ message, extensions: { error: { name: 'ValidationError' } } }] } };

test('all mutations of a request count together, and of variables nothing is made before', async () => {
  expect(await graphql(`mutation { ${creation('a', 3)} }`)).toMatchObject({ body: { data: { a: {} } } });
  expect(await graphql(`mutation { ${creation('a', 2)} ${creation('b', 2)} }`)).toMatchObject(refused);
  const blocks = (count: number) =>
    Array.from({ length: count }, () => ({ __typename: 'ComponentBlocksText', content: 'x' }));
  const create = 'mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }';
  const before = await client.service.database.db.collection('articles').countDocuments();
  expect(await graphql(create, { data: { title: 'x', blocks: blocks(4) } })).toMatchObject({ status: 400, ...refused });
  const links =
    'mutation ($links: [ComponentSharedLinkInput]) { createArticle(data: { title: "x", links: $links }) { data { id } } }';
  const tooMany = await graphql(links, { links: [{}, {}, {}, {}] });
  expect(tooMany).toMatchObject({
    status: 400,
    body: { errors: [{ message: expect.stringMatching(/COMPONENT_LIMIT/) }] },
  });
  expect(await client.service.database.db.collection('articles').countDocuments()).toBe(before);
  expect(
    (await graphql(create, { data: { title: 'x', blocks: blocks(3) } })).body.data.createArticle.data.id,
  ).toBeDefined();
});

test('the operations of a batch count together, over REST and GraphQL', async () => {
  const operation = { create: 'articles', data: { title: 'x', blocks: texts(2) } };
  const { url, token } = client.service;
  const send = async (path: string, body: object) => request(url).post(path).auth(token, { type: 'bearer' }).send(body);
  expect(await send('/api/batch', { operations: [operation] })).toMatchObject({ status: 200 });
  expect(await send('/api/batch', { operations: [operation, operation] })).toMatchObject(
    tooMany(['operations', '1', 'data']),
  );
  const query = `mutation { ${creation('a', 2)} }`;
  const [first, second] = (await send('/graphql', [{ query }, { query }])).body as readonly object[];
  const answers = [first, second].map((answer) => ({ body: answer }));
  expect(answers.filter((answer) => 'errors' in (answer.body ?? {}))).toMatchObject([refused]);
});

test('a form is refused as a body is', async () => {
  const { url, token } = client.service;
  const form = request(url).post('/api/articles').auth(token, { type: 'bearer' });
  expect(await form.field('data', JSON.stringify({ title: 'x', blocks: texts(4) }))).toMatchObject(tooMany());
});

test('components that are not one of the zone count, and those of an update', async () => {
  const id = await create('articles', { title: 'x' });
  expect(await put(`/api/articles/${id}`, { blocks: [1, 2, 3, 4] })).toMatchObject(tooMany());
});

test('code of the project has no limit', async () => {
  const { blocks } = await client.service.entries.create(
    'api::article.article',
    { title: 'x', blocks: texts(4) },
    { populate: 'blocks' },
  );
  expect(blocks).toHaveLength(4);
});

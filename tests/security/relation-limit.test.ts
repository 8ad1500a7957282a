import { expect, test } from '@jest/globals';
import { useService } from '../support/service.js';

const client = useService({
  plugins: { strapi5: true },
  configure: (config) => ({ ...config, limits: { ...config.limits, relations: 5 } }),
});
const { post, put, create, graphql } = client;
const many = [1, 2, 3, 4, 5, 6];

const refusal = (path: readonly string[], count = 6) => ({
  status: 400,
  body: {
    data: null,
    error: {
      status: 400,
      name: 'ValidationError',
      message: `${path.join('.')} must name at most 5 entries, names ${count}`,
      details: {
        errors: [
          { path, message: `${path.join('.')} must name at most 5 entries, names ${count}`, name: 'ValidationError' },
        ],
      },
    },
  },
});

/** The refusal of Strapi 5's API has the refused value, too. */
const inStrapi5 = ({ status, body }: ReturnType<typeof refusal>) => [status, body.error.details.errors];

/** Data that names too many entries, and where. */
const tooLong: readonly (readonly [idea: string, collection: string, data: object, path: readonly string[]])[] = [
  ['a list', 'articles', { title: 'x', tags: many }, ['tags']],
  ['a list of another side', 'tags', { name: 'x', articles: many }, ['articles']],
  ['a set', 'articles', { title: 'x', tags: { set: many } }, ['tags']],
  ['connect and disconnect', 'articles', { title: 'x', tags: { connect: [1, 2, 3], disconnect: [4, 5, 6] } }, ['tags']],
  ['a list for one entry', 'articles', { title: 'x', author: many }, ['author']],
  ['media', 'articles', { title: 'x', gallery: many }, ['gallery']],
  [
    'a relation in a zone',
    'articles',
    { title: 'x', blocks: [{ __component: 'blocks.text' }, { __component: 'blocks.quote', mentions: many }] },
    ['blocks', '1', 'mentions'],
  ],
  [
    'a relation to any type',
    'bookmarks',
    { label: 'x', items: many.map((id) => ({ __type: 'api::tag.tag', id })) },
    ['items'],
  ],
];

test.each(tooLong)(
  '%s that is too long is refused with its path, and nothing is written',
  async (_, collection, data, path) => {
    const { db } = client.service.database;
    const before = await db.collection(collection).countDocuments();
    expect(await post(`/api/${collection}`, data)).toMatchObject(refusal(path));
    const { status, body } = await post(`/v5/api/${collection}`, data);
    expect([status, body.error.details.errors]).toMatchObject(inStrapi5(refusal(path)));
    expect(await db.collection(collection).countDocuments()).toBe(before);
  },
);

test('relations beyond the limit are refused in updates', async () => {
  const id = await create('tags', { name: 'updated' });
  const data = { articles: { connect: many } };
  expect(await put(`/api/tags/${id}`, data)).toMatchObject(refusal(['articles']));
});

test('relations beyond the limit are refused over GraphQL', async () => {
  const { body } = await graphql(
    'mutation { createTag(data: { name: "x", articles: [1, 2, 3, 4, 5, 6] }) { data { id } } }',
  );
  expect(body.errors[0].message).toBe('articles must name at most 5 entries, names 6');
});

test('relations up to the limit are accepted, and project code has no limit', async () => {
  const ids: number[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ids.push(await create('tags', { name }));
  const id = await create('articles', { title: 'x', tags: ids.slice(1) });
  const { tags } = await client.service.entries.update('api::article.article', id, { tags: ids }, { populate: 'tags' });
  expect((tags as readonly unknown[]).length).toBe(6);
});

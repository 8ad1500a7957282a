import { describe, expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';

const client = useService();
const { create, graphql } = client;

async function dataOf(query: string, variables: object = {}) {
  const { body } = await graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

describe('a create mutation', () => {
  test('returns the selected fields of a draft', async () => {
    const tag = await create('tags', { name: 'Red' });
    const query = `mutation ($data: ArticleInput!) { createArticle(data: $data) { data { attributes {
      title publishedAt kind tags { data { attributes { name } } } blocks { ... on ComponentBlocksText { content } }
    } } } }`;
    const data = {
      title: 'New',
      kind: 'how_to',
      tags: [tag],
      blocks: [{ __typename: 'ComponentBlocksText', content: 'c' }],
    };
    expect(await dataOf(query, { data })).toEqual({
      createArticle: {
        data: {
          attributes: {
            title: 'New',
            publishedAt: null,
            kind: 'how_to',
            tags: { data: [{ attributes: { name: 'Red' } }] },
            blocks: [{ content: 'c' }],
          },
        },
      },
    });
  });

  test('refuses invalid data as REST does and writes nothing', async () => {
    const { body } = await graphql('mutation { createTag(data: { color: red }) { data { id } } }');
    expect(body).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT', error: { details: { errors: [{ path: ['name'] }] } } } }],
      data: { createTag: null },
    });
  });

  test('writes nothing if the selection costs too much', async () => {
    const articles = Array.from({ length: 501 }, (_, index) => `a${index}: articles { data { id } }`).join(' ');
    const before = (await client.get('/api/tags')).body.meta.pagination.total;
    const { body } = await graphql(
      `mutation { createTag(data: { name: "costly" }) { data { attributes { ${articles} } } } }`,
    );
    expect(body.data?.createTag ?? null).toBeNull();
    expect((await client.get('/api/tags')).body.meta.pagination.total).toBe(before);
  });
});

describe('a delete mutation', () => {
  test('returns the deleted values without relations', async () => {
    const author = await create('authors', { name: 'Ada', address: { city: 'Leeds' } });
    await create('articles', { title: 'One', author });
    const query = `mutation { deleteAuthor(id: ${author}) { data { id attributes { name address { city } avatar { data { id } } articles { data { id } } } } } }`;
    expect(await dataOf(query)).toEqual({
      deleteAuthor: {
        data: {
          id: String(author),
          attributes: { name: 'Ada', address: null, avatar: { data: null }, articles: { data: [] } },
        },
      },
    });
  });
});

test.each([
  'deleteTag(id: 99999) { data { id } }',
  'deleteTag(id: "x") { data { id } }',
  'updateTag(id: 99999, data: { name: "x" }) { data { id } }',
])('a missing entry is null: %s', async (field) => {
  const [answer] = Object.values(await dataOf(`mutation { ${field} }`));
  expect(answer).toEqual({ data: null });
});

describe('a single type', () => {
  test('is created by the first update and changed by the next', async () => {
    const update = (name: string) =>
      `mutation { updateSetting(data: { siteName: "${name}" }) { data { id attributes { siteName } } } }`;
    const first = (await dataOf(update('One'))).updateSetting.data;
    expect((await dataOf(update('Two'))).updateSetting.data).toEqual({ id: first.id, attributes: { siteName: 'Two' } });
    expect((await dataOf('{ setting { data { id } } }')).setting.data).toEqual({ id: first.id });
  });

  test('returns errors next to its data, as recorded', async () => {
    const { body } = await graphql('mutation { updateSetting(data: { maxItems: 99 }) { data { id } } }');
    expect(body).toMatchObject({ errors: [{}], data: { updateSetting: { data: null } } });
  });

  test('is deleted, also as a draft', async () => {
    await dataOf('mutation { updateHomepage(data: { title: "Draft" }) { data { id } } }');
    const remove = 'mutation { deleteHomepage { data { attributes { title publishedAt } } } }';
    expect(await dataOf(remove)).toEqual({
      deleteHomepage: { data: { attributes: { title: 'Draft', publishedAt: null } } },
    });
    const { body } = await graphql(remove);
    expect(body).toMatchObject({ errors: [{ message: 'Entity not found' }], data: { deleteHomepage: null } });
  });
});

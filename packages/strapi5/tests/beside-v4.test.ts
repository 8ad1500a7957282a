import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../../tests/support/service.js';

/**
 * What Strapi 5's clients save of published entries, before it is published, is not for those of Strapi v4: only
 * previews show it.
 */
const client = useService({ plugins: { strapi5: true } });
const SECRET = 'saved';

beforeAll(async () => {
  const { create } = client;
  const upload = request(client.service.url).post('/api/upload').auth(client.service.token, { type: 'bearer' });
  const { body: files } = await upload.attach('files', Buffer.from('text'), 'a.txt');
  const tag = await create('tags', { name: 'A' });
  const id = await create('articles', { title: 'Published', tags: [tag], cover: files[0].id });
  await create('pages', { title: 'P', path: '/p', hero: { label: 'h' }, featuredArticle: id });
  await create('bookmarks', { label: 'B', items: [{ __type: 'api::article.article', id }] });
  const { body } = await client.get('/v5/api/articles');
  await request(client.service.url)
    .put(`/v5/api/articles/${body.data[0].documentId}?status=draft`)
    .auth(client.service.token, { type: 'bearer' })
    .send({ data: { title: SECRET } })
    .expect(200);
});

const title = '{ data { attributes { title } } }';
const query = (text: string): string => `/graphql?query=${encodeURIComponent(text)}`;

test.each([
  '/api/articles',
  '/api/articles/1',
  '/api/tags?populate=*',
  '/api/tags/1?populate=articles',
  '/api/pages?populate=*',
  '/api/pages/1?populate=*',
  '/api/bookmarks?populate=*',
  '/api/bookmarks/1?populate=*',
  '/api/upload/files?populate=*',
  '/api/upload/files/1?populate=related',
  '/v5/api/upload/files?populate=*',
  '/v5/api/bookmarks?populate=*',
  query(`{ articles ${title} }`),
  query(`{ article(id: 1) ${title} }`),
  query(`{ tags { data { attributes { articles ${title} } } } }`),
  query(`{ pages { data { attributes { featuredArticle ${title} } } } }`),
  query('{ bookmarks { data { attributes { items { ... on Article { title } } } } } }'),
  query('{ uploadFiles { data { attributes { related { ... on Article { title } } } } } }'),
])('shows what is published: %s', async (path) => {
  const { status, text } = await client.get(path);
  expect([status, text]).toEqual([200, expect.stringContaining('Published')]);
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain('"errors"');
});

test.each([
  `/api/tags?filters[articles][title]=${SECRET}`,
  `/api/pages?filters[featuredArticle][title]=${SECRET}`,
  query(`{ pages(filters: { featuredArticle: { title: { eq: "${SECRET}" } } }) { data { id } } }`),
])('finds what is published: %s', async (path) => {
  expect((await client.get(path)).text).toMatch(/"data":\[\]/);
});

test.each([
  '/api/articles?publicationState=preview',
  '/api/pages?publicationState=preview&populate=*',
  '/v5/api/pages?status=draft&populate=featuredArticle',
  '/v5/api/bookmarks?status=draft&populate=items',
  query(`{ articles(publicationState: PREVIEW) ${title} }`),
  query(`{ pages(publicationState: PREVIEW) { data { attributes { featuredArticle ${title} } } } }`),
])('is shown in a preview, at every level: %s', async (path) => {
  expect((await client.get(path)).text).toContain(SECRET);
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { commandsOf } from '../../support/commands.js';
import { useService } from '../../support/service.js';

const extension: Extension = {
  routes: () => [
    { method: 'GET', path: '/tags/count', action: undefined, handle: async () => ({ body: { own: 'count' } }) },
    { method: 'GET', path: '/categories/:slug', action: undefined, handle: async () => ({ body: { own: 'one' } }) },
    { method: 'GET', path: '/comments', action: undefined, handle: async () => ({ body: { own: 'list' } }) },
  ],
  guards: {
    'api::page.page.find': { policies: [({ query }) => query['filters'] !== undefined] },
    'api::page.page.findOne': { policies: [() => true] },
  },
};
const client = useService({ extension, plugins: { i18n: { config: { locales: ['en', 'de'] } } } });
const { get, create } = client;

beforeAll(async () => {
  const author = await create('authors', { name: 'Ada', email: 'ada@example.test', notes: 'x' });
  for (const title of ['one', 'two', 'three']) await create('articles', { title, slug: title, code: title, author });
  await create('articles', { title: 'draft', slug: 'draft', code: 'draft', publishedAt: null });
  await create('articles', { title: 'zwei', slug: 'zwei', code: 'two-de', locale: 'de' });
});

describe('GET /count', () => {
  const lists = [
    '',
    'filters[title][$contains]=o',
    'filters[author][name]=Ada&sort=author.name&pagination[page]=7',
    'publicationState=preview',
    'locale=de',
    'locale=all&publicationState=preview&_q=e',
    'filters[title]=none',
  ];
  test.each(lists)('counts the entries of all pages of the list with %j', async (query) => {
    const { status, body } = await get(`/api/articles/count?${query}`);
    const { total } = (await get(`/api/articles?${query}`)).body.meta.pagination;
    expect([status, body]).toEqual([200, { data: { count: total } }]);
  });

  test('refuses what a list refuses, and needs the permission of lists', async () => {
    expect((await get('/api/articles/count?filters[internalNote]=x')).status).toBe(400);
    expect((await get('/api/articles/count?fields=internalNote')).status).toBe(400);
    expect((await request(client.service.url).get('/api/articles/count')).status).toBe(403);
    expect((await request(client.service.url).head('/api/articles/count')).status).toBe(403);
  });

  test('leaves other methods and types without lists as they are', async () => {
    expect((await client.put('/api/articles/count', {})).status).toBe(404);
    expect((await client.delete('/api/articles/count')).status).toBe(404);
    expect((await client.post('/api/articles/count', {})).status).toBe(405);
    expect((await get('/api/homepage/count')).status).toBe(404);
  });
});

describe('GET /by/:attribute/:value', () => {
  test('reads the entry with a unique value in one command', async () => {
    const path = '/api/articles/by/slug/two?fields=title&populate[author][fields]=name';
    const byId = await get('/api/articles/2?fields=title&populate[author][fields]=name');
    let body: unknown;
    const commands = await commandsOf(client.service, async () => {
      ({ body } = await get(path));
    });
    expect(body).toEqual(byId.body);
    expect(commands).toEqual(['aggregate']);
    expect(await commandsOf(client.service, () => get('/api/authors/by/email/ada@example.test'))).toEqual(['find']);
    expect((await get('/api/products/by/sku/none')).status).toBe(404);
  });

  test('reads any value that a path can have', async () => {
    const name = 'Brot & "Käse"/100 %?';
    const id = await create('tags', { name });
    const { body } = await get(`/api/tags/by/name/${encodeURIComponent(name)}`);
    expect(body.data).toMatchObject({ id, attributes: { name } });
    expect((await get('/api/tags/by/name/%E0%A4%A')).status).toBe(400);
  });

  test('finds live entries of the default locale, unless the query specifies otherwise', async () => {
    const statuses = async (...paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await get(`/api/articles/by/${path}`)).status));
    expect(await statuses('slug/draft', 'slug/draft?publicationState=preview')).toEqual([404, 200]);
    expect(await statuses('slug/zwei', 'slug/zwei?locale=de', 'slug/two?locale=de')).toEqual([404, 200, 404]);
    expect(await statuses('code/two-de?locale=all')).toEqual([200]);
  });

  test.each(['title', 'internalNote', 'nothing', 'author', 'id', '__proto__', 'blocks'])(
    'refuses %j, which is not unique, is private or does not exist, in the same way',
    async (attribute) => {
      const { status, body } = await get(`/api/articles/by/${attribute}/x`);
      expect([status, body.error.message]).toEqual([400, `Invalid parameter ${attribute}`]);
    },
  );

  test('refuses filters and sorts that a read by the id refuses, and needs its permission', async () => {
    expect((await get('/api/articles/by/slug/two?filters[internalNote]=x')).status).toBe(400);
    expect((await get('/api/articles/by/slug/two?populate[author][filters][notes]=x')).status).toBe(400);
    expect((await request(client.service.url).get('/api/articles/by/slug/two')).status).toBe(403);
    expect((await request(client.service.url).get('/api/articles/by/nothing/two')).status).toBe(403);
  });

  test('has nothing for single types', async () => {
    expect((await get('/api/homepage/by/slug/x')).status).toBe(404);
  });
});

test('routes of the project have precedence, and the routes they replace cannot be reached in other ways', async () => {
  expect((await get('/api/tags/count')).body).toEqual({ own: 'count' });
  expect((await get('/api/categories/count')).body).toEqual({ own: 'one' });
  expect((await get('/api/categories/by/slug/x')).body.error.name).toBe('NotFoundError');
  await create('comments', { text: 'x' });
  expect((await get('/api/comments')).body).toEqual({ own: 'list' });
  expect((await get('/api/comments/count')).status).toBe(404);
});

test('guards of lists run before a count, and what has guards of single entries is not found by a key', async () => {
  const filter = 'filters[path][$notNull]=true';
  expect((await get('/api/pages/count')).status).toBe(403);
  expect((await get(`/api/pages/count?${filter}`)).body).toEqual({ data: { count: 0 } });
  await create('pages', { title: 'x', path: 'x', publishedAt: null });
  expect((await get('/api/pages/by/path/x?publicationState=preview')).status).toBe(404);
});

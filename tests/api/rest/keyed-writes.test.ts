import { expect, test } from '@jest/globals';
import request from 'supertest';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { useService } from '../../support/service.js';

const extension: Extension = {
  routes: () => [
    { method: 'POST', path: '/comments', action: undefined, handle: async () => ({ body: { own: 'create' } }) },
    { method: 'PUT', path: '/categories/:id', action: undefined, handle: async () => ({ body: { own: 'update' } }) },
  ],
  guards: {
    'api::page.page.update': { policies: [() => true] },
    'api::product.product.create': { policies: [() => true] },
  },
};
const client = useService({ extension, plugins: { i18n: { config: { locales: ['en', 'de'] } } } });
const { get, put, post, create } = client;
const total = async (list: string): Promise<number> => (await get(`/api/${list}`)).body.meta.pagination.total;

/** A PUT with `If-None-Match: *`. */
const putIfAbsent = (path: string, data: unknown, tag = '*') =>
  request(client.service.url)
    .put(path)
    .auth(client.service.token, { type: 'bearer' })
    .set('If-None-Match', tag)
    .send({ data });

test('an entry is changed and deleted by a unique value', async () => {
  const id = await create('tags', { name: 'Bread & "Butter"/100 %' });
  const path = `/api/tags/by/name/${encodeURIComponent('Bread & "Butter"/100 %')}`;
  const changed = await put(`${path}?fields=color`, { color: 'blue' });
  expect([changed.status, changed.body]).toEqual([200, { data: { id, attributes: { color: 'blue' } }, meta: {} }]);
  expect((await put(path, { name: 'Rolls' })).body.data.attributes.name).toBe('Rolls');
  expect((await put(path, { color: 'red' })).status).toBe(404);
  expect((await client.delete('/api/tags/by/name/Rolls?fields=name')).body.data).toEqual({
    id,
    attributes: { name: 'Rolls' },
  });
  expect((await client.delete('/api/tags/by/name/Rolls')).status).toBe(404);
  expect((await put('/api/tags/by/nothing/x', { name: 'x' })).status).toBe(400);
  expect((await put('/api/tags/by/name/x', undefined)).status).toBe(400);
});

test('an upsert creates the missing entry with its key, and changes the existing one', async () => {
  const path = '/api/tags/by/name/upserted?upsert=true';
  const created = await put(path, { color: 'red' });
  expect([created.status, created.body.data.attributes]).toMatchObject([201, { name: 'upserted', color: 'red' }]);
  const changed = await put(path, { name: 'upserted', color: 'green' });
  expect([changed.status, changed.body.data]).toMatchObject([
    200,
    { id: created.body.data.id, attributes: { name: 'upserted', color: 'green' } },
  ]);
  const other = await put('/api/tags/by/name/third?upsert=true', { name: 'fourth' });
  expect(other.body.error.details.errors).toMatchObject([{ path: ['name'] }]);
  expect((await put('/api/tags/by/name/third?upsert=perhaps', {})).body.error.message).toBe('Invalid parameter upsert');
  await create('articles', { title: 'x', code: 'used', slug: 'used' });
  const taken = await put('/api/articles/by/code/unused?upsert=true', { title: 'x', slug: 'used' });
  expect(taken.body.error.details.errors).toMatchObject([{ path: ['slug'] }]);
});

test('with If-None-Match: * an entry is only created', async () => {
  const created = await putIfAbsent('/api/tags/by/name/absent', {});
  expect([created.status, created.body.data.attributes.name]).toEqual([201, 'absent']);
  const refused = await putIfAbsent('/api/tags/by/name/absent?upsert=true', { color: 'red' });
  expect([refused.status, refused.body.error.name]).toEqual([412, 'PreconditionFailedError']);
  expect((await get('/api/tags/by/name/absent')).body.data.attributes.color).toBeNull();
  expect((await putIfAbsent('/api/tags/by/name/absent', {}, '"x"')).status).toBe(400);
});

test('of concurrent upserts one creates the entry and the others change it', async () => {
  const before = await total('tags');
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      put('/api/tags/by/name/raced?upsert=true', { color: ['red', 'green', 'blue'][index % 3] }),
    ),
  );
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(11).fill(200), 201]);
  expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
  expect(await total('tags')).toBe(before + 1);
  const absent = await Promise.all(Array.from({ length: 6 }, () => putIfAbsent('/api/tags/by/name/only-once', {})));
  expect(absent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 412, 412, 412, 412, 412]);
});

test('concurrent upserts and deletes of one entry succeed or do not find it', async () => {
  const path = '/api/tags/by/name/contended';
  const responses = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      index % 2 === 0 ? put(`${path}?upsert=true`, { color: 'red' }) : client.delete(path),
    ),
  );
  for (const { status } of responses) expect([200, 201, 404]).toContain(status);
});

test('drafts are found, in the locale of the query or of the data', async () => {
  const id = await create('articles', { title: 'draft', slug: 'draft', publishedAt: null });
  expect((await put('/api/articles/by/slug/draft?upsert=true', { title: 'changed' })).body.data.id).toBe(id);
  const german = await put('/api/articles/by/code/zwei?upsert=true&locale=de', { title: 'Zwei' });
  expect([german.status, german.body.data.attributes]).toMatchObject([201, { locale: 'de', code: 'zwei' }]);
  await create('articles', { title: 'drei', slug: 'drei', locale: 'de' });
  expect((await put('/api/articles/by/code/zwei', { title: 'x' })).status).toBe(404);
  expect((await put('/api/articles/by/code/zwei?upsert=true', { title: 'x', locale: 'de' })).status).toBe(200);
  const contradiction = await put('/api/articles/by/code/x?upsert=true&locale=en', { title: 'x', locale: 'de' });
  expect(contradiction.body.error.details.errors).toMatchObject([{ path: ['locale'] }]);
  for (const locale of ['all', 'en&locale=de']) {
    const { status, body } = await put(`/api/articles/by/code/zwei?locale=${locale}`, { title: 'x' });
    expect([status, body.error.message]).toEqual([400, 'Invalid parameter locale']);
  }
  const foreign = await put('/api/articles/by/slug/drei?upsert=true', { title: 'x' });
  expect(foreign.body.error.details.errors).toMatchObject([{ path: ['slug'] }]);
  expect((await put('/api/articles/by/code/new?upsert=true&locale=xx', { title: 'x' })).status).toBe(400);
  expect((await client.delete('/api/articles/by/code/zwei?locale=de')).status).toBe(200);
});

test('a write by a key needs the permissions of the write, and never bypasses code of the project', async () => {
  const anonymous = request(client.service.url);
  expect((await anonymous.put('/api/tags/by/name/x').send({ data: {} })).status).toBe(403);
  expect((await anonymous.delete('/api/tags/by/name/x')).status).toBe(403);
  expect((await put('/api/comments/by/text/x?upsert=true', { text: 'x' })).status).toBe(400);
  expect((await put('/api/categories/by/slug/x', { name: 'x' })).status).toBe(405);
  expect((await put('/api/pages/by/path/x', { title: 'x' })).status).toBe(405);
  expect((await get('/api/pages/by/path/x')).status).toBe(404);
  const guarded = await put('/api/products/by/sku/x?upsert=true', { name: 'x' });
  expect([guarded.status, guarded.body.error.name]).toEqual([400, 'BadRequestError']);
  expect((await post('/api/tags/by/name/x', {})).headers['allow']).toBe('HEAD, GET, PUT, DELETE');
});

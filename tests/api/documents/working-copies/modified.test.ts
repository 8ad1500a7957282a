import { beforeEach, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../../support/service.js';

const client = useService({
  contentTypes: 'tests/api/documents/working-copies/content-types',
  plugins: { i18n: { config: { locales: ['en', 'de'] } } },
  environment: { RESPONSE_CACHE: '1mb' },
});
const KEY = 'key-of-an-editor';
const uid = 'api::article.article';

let changed: number;
beforeEach(async () => {
  for (const { id } of (await client.get('/api/articles?publicationState=preview&locale=all')).body.data)
    await client.delete(`/api/articles/${id}`);
  await client.create('articles', { title: 'Published', slug: 'one', price: 1 });
  await client.create('articles', { title: 'Draft', slug: 'two', publishedAt: null });
  changed = await client.create('articles', { title: 'Before', slug: 'three', price: 3 });
  await client.put(`/api/articles/${changed}?status=draft`, { title: 'Prepared' });
});

const list = async (query: string) => (await client.get(`/api/articles?${query}`)).body;
const titles = async (query: string): Promise<unknown> =>
  (await list(query)).data.map((entry: { attributes: { title: string } }) => entry.attributes.title);

test('a list of what is modified has published entries with a copy, in their latest state', async () => {
  const { data, meta } = await list('modified=true&fields=title');
  expect(data).toMatchObject([{ id: changed, attributes: { title: 'Prepared' } }]);
  expect(data).toHaveLength(1);
  expect(meta).toEqual({
    pagination: { page: 1, pageSize: 25, pageCount: 1, total: 1 },
    changes: { [changed]: ['title'] },
  });
  expect(await titles('modified=true&filters[title]=Prepared&sort=title:desc')).toEqual(['Prepared']);
  expect(await titles('modified=true&filters[title]=Before')).toEqual([]);
  expect(await titles('modified=true&status=draft')).toEqual(['Prepared']);
  expect(await client.service.entries.findMany(uid, { modified: true })).toMatchObject([
    { id: changed, title: 'Prepared' },
  ]);
  expect((await client.get('/api/articles/count?modified=true')).body.data.count).toBe(1);
  // What was answered before holds no longer.
  await client.put(`/api/articles/${changed}?status=published`, {});
  expect(await titles('modified=true&fields=title')).toEqual([]);
  expect((await titles('modified=false&publicationState=preview')) as unknown[]).toHaveLength(3);
});

test('a draft in which values wait is none', async () => {
  const localized = await request(client.service.url)
    .post(`/api/articles/${changed}/localizations?status=published`)
    .auth(client.service.token, { type: 'bearer' })
    .send({ locale: 'de', title: 'Deutsch' });
  expect(localized.status).toBe(200);
  await client.put(`/api/articles/${changed}`, { publishedAt: null });
  await client.put(`/api/articles/${changed}?status=draft`, { price: 9 });
  const copies = client.service.database.db.collection('_copies.articles');
  expect(await copies.countDocuments()).toBe(1);
  expect(await titles('modified=true&locale=all')).toEqual([]);
});

test('other values are refused, and so is what contradicts', async () => {
  for (const query of ['modified=x', 'modified[a]=true', 'modified=true&status=published'])
    expect([query, (await client.get(`/api/articles?${query}`)).status]).toEqual([query, 400]);
  // Types without working copies do not know it.
  expect((await client.get('/api/authors?modified=x')).status).toBe(200);
});

test('without the right to drafts there is nothing', async () => {
  const allow = (...actions: readonly string[]) =>
    client.service.applyAccess({
      roles: [],
      tokens: [
        {
          name: 'editor',
          key: KEY,
          type: 'custom',
          description: undefined,
          expiresAt: undefined,
          permissions: actions.map((action) => `${uid}.${action}`),
        },
      ],
      locales: [],
    });
  const asEditor = async (): Promise<unknown> => {
    const { body } = await request(client.service.url).get('/api/articles?modified=true').auth(KEY, { type: 'bearer' });
    return [body.data.length, body.meta.pagination.total, body.meta.changes];
  };
  await allow('find', 'update');
  expect(await asEditor()).toEqual([0, 0, undefined]);
  await allow('find', 'update', 'find.drafts');
  expect(await asEditor()).toEqual([1, 1, expect.anything()]);
});

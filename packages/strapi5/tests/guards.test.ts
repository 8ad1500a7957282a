import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../../tests/support/service.js';

/** Guards of a project run before Strapi 5's actions, too, and know an entry by its number. */
const seen: unknown[] = [];
const article = 'api::article.article';
/** A guard that reads the locale of a write in the name of the entry, as `fr: Nouvelles`. */
function moveToLocale({ body }: { readonly body: unknown }): true {
  const { data } = body as { data: Record<string, unknown> };
  const [, locale] = /^(.+): /.exec(String(data['name'])) ?? [];
  if (locale !== undefined) data['locale'] = locale;
  return true;
}
const client = useService({
  plugins: { strapi5: true, i18n: { config: { locales: ['en', 'fr'] } } },
  extension: {
    guards: {
      [`${article}.find`]: { policies: [({ action, query }) => seen.push([action, query['filters']]) > 0] },
      [`${article}.findOne`]: { policies: [({ action, id }) => (seen.push([action, id]), id !== '2')] },
      'api::homepage.homepage.find': { policies: [() => false] },
      [`${article}.create`]: { policies: [() => true] },
      'api::category.category.create': { policies: [moveToLocale] },
      'api::category.category.update': { policies: [moveToLocale] },
    },
  },
});

const documentIds: string[] = [];
beforeAll(async () => {
  for (const title of ['First', 'Second']) await client.create('articles', { title });
  const { body } = await client.get('/v5/api/articles?sort=id');
  documentIds.push(...body.data.map(({ documentId }: { documentId: string }) => documentId));
});
beforeEach(() => void seen.splice(0));

test('of a list they see the query', async () => {
  expect((await client.get('/v5/api/articles?filters[title]=First')).body.data).toHaveLength(1);
  expect(seen).toEqual([[`${article}.find`, { title: 'First' }]]);
});

test('of an entry they see its number, and can refuse it', async () => {
  const [first, second] = documentIds;
  expect((await client.get(`/v5/api/articles/${first}`)).status).toBe(200);
  expect((await client.get(`/v5/api/articles/${second}`)).status).toBe(403);
  expect(seen).toEqual([
    [`${article}.findOne`, '1'],
    [`${article}.findOne`, '2'],
  ]);
});

test('of an entry that does not exist they are not asked', async () => {
  expect((await client.get('/v5/api/articles/nothing')).status).toBe(404);
  expect(seen).toEqual([]);
});

test('of a single type, too', async () => {
  expect((await client.get('/v5/api/homepage')).status).toBe(403);
});

test('what they make of a body is no other request to an Idempotency-Key', async () => {
  const post = (data: object) =>
    request(client.service.url)
      .post('/v5/api/articles')
      .auth(client.service.token, { type: 'bearer' })
      .set('Idempotency-Key', 'same')
      .send({ data });
  const first = await post({ title: 'One' });
  const second = await post({ title: 'One' });
  expect([first.status, second.status, second.headers['idempotent-replayed'], second.text]).toEqual([
    201,
    201,
    'true',
    first.text,
  ]);
  expect((await post({ title: 'Two' })).status).toBe(422);
});

test('they give a new entry another locale, and none to one that is there', async () => {
  const path = '/v5/api/categories';
  const { status, body } = await client.post(path, { name: 'fr: Nouvelles' });
  expect([status, body.data?.locale]).toEqual([201, 'fr']);
  const moved = await client.put(`${path}/${body.data.documentId}?locale=fr`, { name: 'en: News' });
  expect([moved.status, moved.body.error?.message]).toEqual([400, expect.stringContaining('locale')]);
  expect((await client.get(`${path}/${body.data.documentId}?locale=fr`)).body.data.name).toBe('fr: Nouvelles');
  expect((await client.put(`${path}/${body.data.documentId}?locale=fr`, { name: 'fr: Les' })).status).toBe(200);
  expect((await client.post(path, { name: '*: All' })).status).toBe(400);
});

import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, keyOf } from '../../../tests/support/access.js';
import { useService, type Answer } from '../../../tests/support/service.js';

/** Requests to publish, of entries that Strapi 5's addresses name. */
const client = useService({
  contentTypes: 'packages/versions/tests/content-types',
  plugins: { strapi5: true, i18n: { config: { locales: ['en', 'de'] } } },
});

const uid = 'api::article.article';
const reading = ['find', 'findOne', 'find.drafts'].map((action) => `${uid}.${action}`);
beforeAll(() =>
  declare(
    client.service,
    {},
    {
      writer: [...reading, `${uid}.create.drafts`, `${uid}.update.drafts`],
      chief: [...reading, `${uid}.create`, `${uid}.update`],
      ruled: [...reading, { action: `${uid}.update`, where: { title: 'Other' } }],
      reader: reading,
    },
  ),
);

type Method = 'get' | 'put' | 'post' | 'delete';
const by =
  (token: string) =>
  async (method: Method, path: string, body?: object): Promise<Answer> => {
    const sent = request(client.service.url)[method](`/v5/api/articles${path}`).auth(keyOf(token), { type: 'bearer' });
    return body === undefined ? sent : sent.send(body);
  };
const [writer, chief, ruled, reader] = [by('writer'), by('chief'), by('ruled'), by('reader')];

/** A document in English and in German, both drafts: its path. */
async function createDocument(): Promise<string> {
  const { body } = await chief('post', '?status=draft', { data: { title: 'Bread' } });
  const path = `/${body.data.documentId}`;
  const german = await chief('put', `${path}?status=draft&locale=de`, { data: { title: 'Brot' } });
  expect(german.status).toBe(200);
  return path;
}

test('a request is about the entry of the document in one locale', async () => {
  const path = await createDocument();
  const asked = await writer('post', `${path}/review?locale=de`, { note: 'For Friday' });
  expect([asked.status, asked.body.data]).toMatchObject([200, { state: 'ready', notes: [{ text: 'For Friday' }] }]);
  expect((await chief('get', `${path}/review`)).body).toEqual({ data: null });
  const { tag } = (await chief('get', `${path}/review?locale=de`)).body.data;
  expect(tag).toBe(asked.body.data.tag);
  expect((await chief('post', `${path}/review/return?locale=de`, { tag, note: 'Which?' })).body.data.state).toBe(
    'back',
  );
  const again = await writer('post', `${path}/review?locale=de`, {});
  const published = await chief('post', `${path}/review/publish?locale=de`, { tag: again.body.data.tag });
  expect(published.status).toBe(200);
  expect((await chief('get', `${path}?locale=de`)).body.data.title).toBe('Brot');
  expect((await chief('get', path)).status).toBe(404);
});

test('a change of what is asked for is no secret, and publishes nothing', async () => {
  const path = await createDocument();
  const { tag } = (await writer('post', `${path}/review`, {})).body.data;
  await writer('put', `${path}?status=draft`, { data: { title: 'Rye' } });
  expect((await chief('get', `${path}/review`)).body.data).toMatchObject({ tag, changed: true });
  const refused = await chief('post', `${path}/review/publish`, { tag });
  expect([refused.status, refused.body.error.name]).toEqual([412, 'PreconditionFailedError']);
  expect((await writer('delete', `${path}/review`)).body).toEqual({ data: null });
  expect((await chief('get', `${path}/review`)).body).toEqual({ data: null });
});

test('an entry that the caller may not see, or that is not there, is not found by any address', async () => {
  const path = await createDocument();
  const { tag } = (await writer('post', `${path}/review`, {})).body.data;
  const doors: readonly (readonly [Method, string, object?])[] = [
    ['get', ''],
    ['post', '', {}],
    ['delete', ''],
    ['post', '/return', { tag, note: 'No' }],
    ['post', '/publish', { tag }],
  ];
  for (const [method, below, body] of doors) {
    const statusOf = async (caller: typeof chief, address: string): Promise<number> =>
      (await caller(method, address.replace('/review', `/review${below}`), body)).status;
    expect(await statusOf(reader, `${path}/review`)).toBe(403);
    expect(await statusOf(ruled, `${path}/review`)).toBe(404);
    expect(await statusOf(chief, '/nothing/review')).toBe(404);
    expect(await statusOf(chief, `${path}/review?locale=fr`)).toBe(404);
    expect(await statusOf(chief, `${path}/review?locale=*`)).toBe(400);
  }
  expect((await writer('post', `${path}/review/publish`, { tag })).status).toBe(403);
  expect((await chief('get', `${path}/review`)).body.data.tag).toBe(tag);
});

test('OpenAPI describes it with the documentId of the entry', async () => {
  const { body } = await client.get('/documentation/v5/api/openapi.json');
  const described = body.paths['/articles/{id}/review'];
  expect(described.parameters).toMatchObject([{ name: 'id', in: 'path', schema: { type: 'string' } }]);
  expect(described.post.parameters).toMatchObject([{ name: 'locale', in: 'query' }]);
  expect(Object.keys(body.paths).filter((path) => path.includes('versions'))).toEqual([]);
});

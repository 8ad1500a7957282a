import { expect, test } from '@jest/globals';
import request from 'supertest';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { useService } from '../../support/service.js';

let beforeCreate: (() => Promise<unknown>) | undefined;
let stamps = 0;
const extension: Extension = {
  guards: {
    'api::bookmark.bookmark.create': {
      middlewares: [
        (sent, _response, next) => {
          const { data } = sent.body as { data: Record<string, unknown> };
          data['label'] = `${(stamps += 1)}`;
          next();
        },
      ],
    },
  },
  lifecycles: {
    'api::tag.tag': {
      beforeCreate: async () => {
        await beforeCreate?.();
      },
    },
  },
};
const client = useService({ extension });

const post = (key: string, data: unknown, path = '/api/tags') =>
  request(client.service.url)
    .post(path)
    .auth(client.service.token, { type: 'bearer' })
    .set('Idempotency-Key', key)
    .send({ data });
const count = async (name: string): Promise<number> =>
  (await client.get(`/api/tags/count?filters[name][$startsWith]=${name}`)).body.data.count;

test('a repeated request gets the same response, whatever happened to the entry', async () => {
  const first = await post('a', { name: 'repeated' });
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
  await client.put(`/api/tags/${first.body.data.id}`, { color: 'red' });
  const second = await post('a', { name: 'repeated' });
  expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
  await client.delete(`/api/tags/${first.body.data.id}`);
  expect((await post('a', { name: 'repeated' })).text).toBe(first.text);
  expect(await count('repeated')).toBe(0);
});

test('a repeated update or deletion is not executed again', async () => {
  const id = await client.create('tags', { name: 'changing' });
  const agent = request(client.service.url);
  const send = (method: 'put' | 'delete', key: string) =>
    agent[method](`/api/tags/${id}`)
      .auth(client.service.token, { type: 'bearer' })
      .set('Idempotency-Key', key)
      .send({ data: { color: 'red' } });
  const updated = await send('put', 'update');
  await client.put(`/api/tags/${id}`, { color: 'blue' });
  const repeated = await send('put', 'update');
  expect([repeated.text, repeated.headers['idempotent-replayed']]).toEqual([updated.text, 'true']);
  expect((await client.get(`/api/tags/${id}`)).body.data.attributes.color).toBe('blue');
  const deleted = await send('delete', 'deletion');
  const again = await send('delete', 'deletion');
  expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, deleted.text, 'true']);
});

test('a key belongs to one request', async () => {
  await post('b', { name: 'own' });
  for (const response of [
    await post('b', { name: 'other' }),
    await post('b', { name: 'own' }, '/api/tags?fields=name'),
    await post('b', { title: 'own' }, '/api/articles'),
  ])
    expect([response.status, response.body.error.name]).toEqual([422, 'UnprocessableEntityError']);
  expect(await count('other')).toBe(0);
});

test('a request is the one that arrived, whatever guards make of its body', async () => {
  const first = await post('stamped', { label: 'Ada' }, '/api/bookmarks');
  const second = await post('stamped', { label: 'Ada' }, '/api/bookmarks');
  expect([first.status, second.status, second.headers['idempotent-replayed'], second.text]).toEqual([
    200,
    200,
    'true',
    first.text,
  ]);
  expect((await post('stamped', { label: 'Eve' }, '/api/bookmarks')).status).toBe(422);
});

test('each caller has keys of their own', async () => {
  await post('c', { name: 'callers' });
  const anonymous = await request(client.service.url)
    .post('/api/tags')
    .set('Idempotency-Key', 'c')
    .send({ data: { name: 'callers' } });
  expect(anonymous.status).toBe(403);
});

test('a repetition is refused while the first request is executed', async () => {
  let repeated: Promise<{ readonly status: number }> | undefined;
  beforeCreate = async () => {
    beforeCreate = undefined;
    repeated = post('d', { name: 'concurrent' }).then((response) => response);
    await repeated;
  };
  expect((await post('d', { name: 'concurrent' })).status).toBe(200);
  expect((await repeated)?.status).toBe(409);
  const others = await Promise.all(Array.from({ length: 6 }, () => post('e', { name: 'concurrent 2' })));
  for (const { status } of others) expect([200, 409]).toContain(status);
  expect(await count('concurrent')).toBe(2);
});

test('a key can be used again after a refused request', async () => {
  expect((await post('f', { name: 'concurrent' })).status).toBe(400);
  expect((await post('f', {})).status).toBe(400);
  const corrected = await post('f', { name: 'corrected' });
  expect([corrected.status, corrected.headers['idempotent-replayed']]).toEqual([200, undefined]);
  const next = await client.create('tags', { name: 'next' });
  expect(next).toBe(corrected.body.data.id + 1);
});

test('keys have a limited length, and bodies are JSON', async () => {
  expect((await post('x'.repeat(255), { name: 'long' })).status).toBe(200);
  for (const key of ['x'.repeat(256), 'a b']) expect((await post(key, { name: 'refused' })).status).toBe(400);
  const types = ['multipart/form-data', 'Multipart/Form-Data'];
  for (const type of types) {
    const form = await request(client.service.url)
      .post('/api/tags')
      .auth(client.service.token, { type: 'bearer' })
      .set({ 'Idempotency-Key': 'form', 'Content-Type': `${type}; boundary=b` })
      .send('--b\r\nContent-Disposition: form-data; name="data"\r\n\r\n{"name":"form"}\r\n--b--\r\n');
    expect([type, form.body.error?.message]).toEqual([type, 'Idempotency-Key needs a body in JSON']);
  }
});

test('a long response is repeated', async () => {
  const data = { title: 'long', body: 'x'.repeat(600_000) };
  const first = await post('g', data, '/api/articles');
  const second = await post('g', data, '/api/articles');
  expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
});

test('of a response above 4 MB the id is repeated', async () => {
  const articles: number[] = [];
  while (articles.length < 8)
    articles.push(await client.create('articles', { title: `part ${articles.length}`, body: 'x'.repeat(600_000) }));
  const first = await post('4MB', { name: 'far too long', articles }, '/api/tags?populate=articles');
  const second = await post('4MB', { name: 'far too long', articles }, '/api/tags?populate=articles');
  expect(first.text.length).toBeGreaterThan(4_000_000);
  const data = { id: first.body.data.id, attributes: {} };
  expect([second.status, second.body]).toEqual([200, { data, meta: { shortened: true } }]);
});

test('a key expires after a day', async () => {
  await post('h', { name: 'expires' });
  const keys = client.service.database.db.collection('_idempotency_keys');
  await keys.updateMany({}, { $set: { at: new Date(Date.now() - 86_400_001) } });
  expect((await post('h', { name: 'expires again' })).status).toBe(200);
});

const sendBatch = (key: string, operations: readonly object[], query = '') =>
  request(client.service.url)
    .post(`/api/batch${query}`)
    .auth(client.service.token, { type: 'bearer' })
    .set('Idempotency-Key', key)
    .send({ operations });

test('a repeated batch gets the same response, and is executed once', async () => {
  const id = await client.create('authors', { name: 'batch' });
  const operations = [
    { create: 'authors', data: { name: 'batch new' } },
    { delete: 'authors', id },
  ];
  expect((await sendBatch('i', operations, '?dryRun=true')).status).toBe(200);
  const first = await sendBatch('i', operations);
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
  const second = await sendBatch('i', operations);
  expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
  expect((await sendBatch('i', operations.slice(1))).status).toBe(422);
  expect((await client.get('/api/authors/count')).body.data.count).toBe(1);
});

test('a key can be used again after a refused batch', async () => {
  const valid = { create: 'tags', data: { name: 'batch valid' } };
  // The second time, the database refuses it after the first operation.
  const taken = await client.create('tags', { name: 'batch other' });
  beforeCreate = async () => {
    beforeCreate = undefined;
    await client.service.database.db
      .collection('tags')
      .updateOne({ _id: taken as never }, { $set: { name: 'batch taken' } });
  };
  for (const refused of [
    { create: 'tags', data: {} },
    { create: 'tags', data: { name: 'batch taken' } },
  ])
    expect((await sendBatch('j', [valid, refused])).status).toBe(400);
  expect((await sendBatch('j', [valid])).body.data).toMatchObject([{ attributes: { name: 'batch valid' } }]);
});

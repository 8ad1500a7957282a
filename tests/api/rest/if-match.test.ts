import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { useService } from '../../support/service.js';

let beforeUpdate: (() => Promise<unknown>) | undefined;
const once = async (): Promise<void> => {
  const run = beforeUpdate;
  beforeUpdate = undefined;
  await run?.();
};
const extension: Extension = {
  lifecycles: { 'api::tag.tag': { beforeUpdate: once, beforeDelete: once } },
};
const client = useService({ extension, plugins: { i18n: { config: { locales: ['en', 'de'] } } } });
const { get, put, create } = client;

const send = (method: 'put' | 'delete', path: string, ifMatch: string, data?: object) => {
  const sending = request(client.service.url)[method](path).auth(client.service.token, { type: 'bearer' });
  return sending.set('If-Match', ifMatch).send(data && { data });
};
const tagOf = async (path: string): Promise<string> => String((await get(path)).headers['etag']);

let id: number;
let path: string;
beforeAll(async () => {
  id = await create('tags', { name: 'first', color: 'red' });
  path = `/api/tags/${id}`;
});

test('a write with the ETag of the entry is executed, and one with an older ETag is refused without effect', async () => {
  const tag = await tagOf(path);
  expect((await send('put', path, tag, { color: 'green' })).status).toBe(200);
  const refused = await send('put', path, tag, { color: 'blue' });
  expect([refused.status, refused.body.error]).toMatchObject([412, { name: 'PreconditionFailedError' }]);
  expect((await send('delete', path, tag)).status).toBe(412);
  expect((await get(path)).body.data.attributes.color).toBe('green');
  const list = `"other", ${await tagOf(path)}`;
  expect((await send('put', path, list, { color: 'red' })).status).toBe(200);
});

test('the ETag is that of a read of the same URL', async () => {
  const fields = `${path}?fields=name`;
  const tag = await tagOf(fields);
  await put(path, { color: 'blue' });
  expect((await send('put', fields, tag, { color: 'green' })).status).toBe(200);
  expect((await send('put', path, tag, { color: 'red' })).status).toBe(412);
  const byKey = '/api/tags/by/name/first';
  const keyed = await tagOf(byKey);
  expect((await send('put', byKey, keyed, { color: 'red' })).status).toBe(200);
  expect((await send('put', byKey, keyed, { color: 'blue' })).status).toBe(412);
  expect((await send('delete', byKey, keyed)).status).toBe(412);
});

test.each(['x', 'W/x', '"a" "b"', ''])('refuses If-Match: %j', async (ifMatch) => {
  expect((await send('put', path, ifMatch, { color: 'red' })).status).toBe(400);
});

test('If-Match: * needs an entry', async () => {
  expect((await send('put', path, '*', { color: 'red' })).status).toBe(200);
  expect((await send('put', '/api/tags/9999', '*', { color: 'red' })).status).toBe(404);
  expect((await send('put', '/api/tags/by/name/none?upsert=true', '*', {})).status).toBe(412);
  expect((await send('put', '/api/setting', '*', {})).status).toBe(412);
});

test('of concurrent writes with the same ETag exactly one is executed', async () => {
  const tag = await tagOf(path);
  const names = Array.from({ length: 8 }, (_, index) => `name-${index}`);
  const statuses = await Promise.all(names.map(async (name) => (await send('put', path, tag, { name })).status));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
});

test.each(['put', 'delete'] as const)('a %s is refused if the entry changes after the check', async (method) => {
  const other = await create('tags', { name: `checked-${method}` });
  const tag = await tagOf(`/api/tags/${other}`);
  beforeUpdate = () => client.service.entries.update('api::tag.tag', other, { color: 'blue' });
  expect((await send(method, `/api/tags/${other}`, tag, { color: 'red' })).status).toBe(412);
  expect((await get(`/api/tags/${other}`)).body.data.attributes.color).toBe('blue');
});

test('a change that the client cannot see neither refuses the write nor is lost', async () => {
  const product = await create('products', { name: 'x', sku: 'hidden' });
  const address = `/api/products/${product}?fields=name`;
  const tag = await tagOf(address);
  await client.service.entries.update('api::product.product', product, { cost: 5 });
  expect((await send('put', address, tag, { name: 'y' })).status).toBe(200);
  expect(await client.service.entries.findOne('api::product.product', product)).toMatchObject({ cost: 5, name: 'y' });
});

test('single types, and entries with shared values and relations', async () => {
  await put('/api/setting', { siteName: 'x' });
  const tag = await tagOf('/api/setting');
  expect((await send('put', '/api/setting', tag, {})).status).toBe(200);
  expect((await send('put', '/api/setting', tag, {})).status).toBe(412);
  expect((await send('delete', '/api/setting', tag)).status).toBe(412);
  expect((await send('delete', '/api/setting', await tagOf('/api/setting'))).status).toBe(200);

  const article = await create('articles', { title: 'x' });
  const german = `/api/articles/${article}/localizations`;
  await request(client.service.url).post(german).auth(client.service.token, { type: 'bearer' }).send({ locale: 'de' });
  const populated = `/api/articles/${article}?populate=tags`;
  const before = await tagOf(populated);
  const data = { kind: 'review', tags: [id] };
  expect((await send('put', populated, before, data)).status).toBe(200);
  expect((await send('put', populated, before, data)).status).toBe(412);
});

test('the comparison needs the permission to read', async () => {
  const { status } = await request(client.service.url).put(path).set('If-Match', '"x"').send({ data: {} });
  expect(status).toBe(403);
});

test.each([
  ['put', '/api/tags/1', 'If-None-Match'],
  ['delete', '/api/tags/1', 'If-None-Match'],
  ['delete', '/api/setting', 'If-None-Match'],
  ['delete', '/api/tags/by/name/first', 'If-None-Match'],
  ['post', '/api/tags', 'If-None-Match'],
  ['post', '/api/tags', 'If-Match'],
] as const)('%s %s refuses %s', async (method, target, header) => {
  const sending = request(client.service.url)[method](target).auth(client.service.token, { type: 'bearer' });
  const { status, body } = await sending.set(header, '*').send({ data: { name: 'refused' } });
  expect([status, body.error.message]).toEqual([400, expect.stringMatching(`^${header} is not supported here: `)]);
});

import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { useService } from '../../support/service.js';

const extension: Extension = { lifecycles: { 'api::author.author': { afterCreate: async () => undefined } } };
const client = useService({ extension, plugins: { i18n: { config: { locales: ['en', 'de'] } } } });
const { get, create } = client;

type Method = 'post' | 'put' | 'delete';
const send = (method: Method, path: string, data?: object, headers: Record<string, string> = {}) => {
  const sending = request(client.service.url)[method](path).auth(client.service.token, { type: 'bearer' });
  return sending.set(headers).send(data && { data });
};

/** All that the service stores. */
const stored = async (): Promise<unknown> => {
  const { db } = client.service.database;
  const names: readonly string[] = (await db.listCollections().toArray()).map(({ name }) => name).toSorted();
  return Promise.all(names.map(async (name) => [name, await db.collection(name).find().sort({ _id: 1 }).toArray()]));
};

/** Without times, and with the ids of new entries and components as in a dry run. */
const comparable = (body: unknown, isNew: boolean): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    /^(created|updated|published)At$/.test(name) ? 'time' : isNew && name === 'id' ? null : value,
  );

type Example = readonly [Method, string, object?];

/** The response to a dry run, which must store nothing, and that to the write, which follows. */
async function rehearse([method, path, data]: Example, isNew = false): Promise<readonly [unknown, unknown]> {
  const before = await stored();
  const dry = await send(method, `${path}${path.includes('?') ? '&' : '?'}dryRun=true`, data);
  expect(await stored()).toEqual(before);
  const written = await send(method, path, data);
  // Errors show that the example is wrong.
  expect(written.body.error).toBeUndefined();
  const present = ({ status, body }: request.Response): unknown => [status, comparable(body, isNew)];
  return [present(dry), present(written)];
}

let tag: number;
let article: number;
beforeAll(async () => {
  tag = await create('tags', { name: 'Bread', color: 'red' });
  article = await create('articles', { title: 'Dough', slug: 'dough', tags: [tag], links: [{ label: 'a' }] });
});

test('a dry run of a creation responds as the creation', async () => {
  const data = {
    title: 'Dough',
    code: 'c',
    secret: 'secret',
    meta: { a: [1] },
    tags: [tag],
    author: null,
    links: [{ label: 'a', url: 'https://example.org' }],
    blocks: [{ __component: 'blocks.text', content: 'x' }],
  };
  const examples: readonly Example[] = [
    ['post', '/api/tags', { name: 'Rye', color: 'green' }],
    ['post', '/api/tags?populate=articles', { name: 'Oats' }],
    ['post', '/api/articles?populate[tags]=true&populate[links]=true&populate[blocks]=true', data],
    ['put', '/api/tags/by/name/Spelt?upsert=true', { color: 'blue' }],
    ['put', '/api/setting?populate=*', { siteName: 'a', footerLinks: [{ label: 'b' }] }],
  ];
  for (const example of examples) {
    const [dry, written] = await rehearse(example, true);
    expect(dry).toEqual(written);
  }
});

test('a dry run of a change responds as the change', async () => {
  const other = await create('tags', { name: 'other' });
  const { body } = await get(`/api/articles/${article}?populate=links`);
  const path = `/api/articles/${article}?populate[tags]=true&populate[links]=true&populate[localizations]=true`;
  const examples: readonly Example[] = [
    ['put', `/api/tags/${tag}`, { color: 'blue' }],
    ['put', `/api/tags/${tag}?fields=name`, { color: null }],
    ['put', '/api/tags/by/name/Bread', { name: 'Loaf' }],
    ['put', path, { tags: { connect: [{ id: other, position: { before: tag } }] }, kind: 'review' }],
    ['put', path, { tags: { disconnect: [tag] }, summary: '$literal', meta: { $set: 1 } }],
    // A name of the compiler's own.
    ['put', `/api/articles/${article}?populate[seo][filters][shareImage][name]=x`, { meta: { $ids: 0 } }],
    ['put', path, { links: [{ ...body.data.attributes.links[0], label: 'changed' }] }],
    ['put', path, { publishedAt: null }],
    ['put', '/api/setting', { siteName: 'c' }],
  ];
  for (const example of examples) {
    const [dry, written] = await rehearse(example);
    expect(dry).toEqual(written);
  }
});

test('a dry run of a deletion responds as the deletion', async () => {
  const id = await create('tags', { name: 'gone' });
  await create('tags', { name: 'lost' });
  await client.put('/api/setting', { siteName: 'a' });
  const paths = [`/api/tags/${id}`, '/api/tags/by/name/lost', '/api/setting'];
  for (const path of paths) {
    const [dry, written] = await rehearse(['delete', path]);
    expect(dry).toEqual(written);
  }
});

test.each([
  ['post', '/api/tags', { name: 'Taken' }, 400, 'This attribute must be unique'],
  ['put', '/api/tags/FREE', { name: 'Taken' }, 400, 'This attribute must be unique'],
  ['post', '/api/tags', {}, 400, 'name must be defined.'],
  ['post', '/api/articles', { title: 'a', tags: [9999] }, 400, '1 relation(s) of type api::tag.tag'],
  ['put', '/api/tags/9999', { name: 'a' }, 404, 'Not Found'],
  ['delete', '/api/tags/9999', undefined, 404, 'Not Found'],
  ['put', '/api/tags/by/name/none', { color: 'red' }, 404, 'Not Found'],
] as const)('a dry run checks what %s %s with %j checks', async (method, path, data, status, message) => {
  await client.post('/api/tags', { name: 'Taken' });
  const free = (
    (await client.post('/api/tags', { name: 'Free' })).body.data ?? (await get('/api/tags/by/name/Free')).body.data
  ).id;
  const { status: actual, body } = await send(method, `${path.replace('FREE', free)}?dryRun=true`, data);
  expect([actual, body.error.message]).toEqual([status, expect.stringContaining(message)]);
});

test('a dry run checks conditions, and neither stores nor uses an Idempotency-Key', async () => {
  const id = await create('tags', { name: 'conditional' });
  const refused = await send('put', `/api/tags/${id}?dryRun=true`, { color: 'red' }, { 'If-Match': '"old"' });
  expect(refused.status).toBe(412);
  const before = await stored();
  await send('post', '/api/tags?dryRun=true', { name: 'k' }, { 'Idempotency-Key': 'k' });
  expect(await stored()).toEqual(before);
  const created = await send('post', '/api/tags', { name: 'k' }, { 'Idempotency-Key': 'k' });
  expect(created.body.data.id).toEqual(expect.any(Number));
});

test.each([
  ['post', '/api/tags?dryRun=yes', { name: 'x' }, 'Invalid parameter dryRun'],
  ['post', '/api/tags?dryRun[a]=true', { name: 'x' }, 'Invalid parameter dryRun'],
  ['post', '/api/authors?dryRun=true', { name: 'x' }, 'lifecycles of the project run for api::author.author'],
  ['delete', '/api/authors/1?dryRun=true', undefined, 'lifecycles of the project run for api::author.author'],
  ['put', '/api/tags/TAG?dryRun=true&populate=articles', { articles: [] }, 'populate[articles] is not supported'],
  ['post', '/api/articles/1/schedule?dryRun=true', {}, 'dryRun is not supported here'],
  ['post', '/api/articles/1/localizations?dryRun=true', { locale: 'de' }, 'dryRun is not supported here'],
] as const)('%s %s is refused and stores nothing', async (method, path, data, message) => {
  const before = await stored();
  const { status, body } = await send(method, path.replace('TAG', String(tag)), data);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  expect(await stored()).toEqual(before);
});

test.each(['multipart/form-data', 'Multipart/Form-Data'])(
  'a form is refused as %j: its files would be stored',
  async (type) => {
    const before = await stored();
    const { body } = await request(client.service.url)
      .post('/api/tags?dryRun=true')
      .auth(client.service.token, { type: 'bearer' })
      .set('Content-Type', `${type}; boundary=b`)
      .send('--b\r\nContent-Disposition: form-data; name="data"\r\n\r\n{"name":"form"}\r\n--b--\r\n');
    expect(body.error.message).toContain('dryRun needs a body in JSON');
    expect(await stored()).toEqual(before);
  },
);

import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../support/service.js';

const client = useService();
const { get, post, put, create } = client;
const raw = (text: string, type = 'application/json', path = '/api/comments') =>
  request(client.service.url)
    .post(path)
    .auth(client.service.token, { type: 'bearer' })
    .set('Content-Type', type)
    .send(text);

test.each([
  ['/api/nothing'],
  ['/api/comments/99999'],
  ['/api/comments/abc'],
  ['/api/comments/1.5'],
  ['/api/comments/99999999999999999999'],
  ['/api/setting/1'],
  ['/api//comments'],
  ['/api'],
  ['/'],
])("GET %s returns 404 in Strapi's error format", async (path) => {
  const { status, body } = await get(path);
  expect(status).toBe(404);
  expect(body).toEqual({
    data: null,
    error: { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} },
  });
});

test.each(['utf8', 'latin1', 'iso-8859-1', 'unknown'])(
  'bodies that declare the charset %s are read as UTF-8',
  async (charset) => {
    const { status, body } = await raw('{"data":{"text":"é"}}', `application/json; charset=${charset}`);
    expect([status, body.data?.attributes?.text]).toEqual([expect.any(Number), 'é']);
  },
);

test('an unsupported method returns 405 with the supported ones', async () => {
  const { status, text, headers } = await put('/api/comments', {});
  expect({ status, text, allow: headers['allow'] }).toEqual({
    status: 405,
    text: 'Method Not Allowed',
    allow: 'HEAD, GET, POST',
  });
});

describe('a body', () => {
  test.each([
    ['without data', '{}', 'Missing "data" payload in the request body'],
    ['with a string as data', '{"data":"x"}', 'Missing "data" payload in the request body'],
    ['that is empty', '', 'Missing "data" payload in the request body'],
    ['that is null', 'null', 'invalid JSON, only supports object and array'],
    ['that begins neither an object nor a list', 'text', 'invalid JSON, only supports object and array'],
  ])('%s is refused', async (_, text, message) => {
    const { status, body } = await raw(text);
    expect({ status, message: body.error.message }).toEqual({ status: 400, message });
  });

  test('that is no object or list is refused by every route', async () => {
    const { status, body } = await raw('5', 'application/json', '/api/users');
    expect([status, body.error.name]).toEqual([400, 'Error']);
  });

  test('that is not valid JSON returns 400 with the position of the error', async () => {
    const { status, body } = await raw('{"data": {');
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ name: 'SyntaxError', message: expect.stringContaining('position 10') });
  });

  test('larger than the limit returns 413', async () => {
    expect((await raw(`{"data":{"text":"${'x'.repeat(1_100_000)}"}}`)).status).toBe(413);
  });

  test('with keys such as __proto__ changes no prototype', async () => {
    const { status, body } = await raw('{"data":{"text":"t","__proto__":{"polluted":1},"_id":7,"$set":{"a":1}}}');
    expect(status).toBe(200);
    expect(body.data.attributes).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });
});

test('a refused write reports all errors with their paths and writes nothing', async () => {
  const before = (await get('/api/articles?publicationState=preview')).body.meta.pagination.total;
  const { status, body } = await post('/api/articles', {
    title: null,
    views: -2,
    seo: {},
    links: [{}, { label: 'ok', url: 'bad' }],
    blocks: [{ __component: 'blocks.text' }],
  });
  expect(status).toBe(400);
  expect(body.error.message).toBe('6 errors occurred');
  expect(body.error.details.errors.map(({ path }: { path: string[] }) => path.join('.'))).toEqual([
    'title',
    'views',
    'seo.metaTitle',
    'links.0.label',
    'links.1.url',
    'blocks.0.content',
  ]);
  expect((await get('/api/articles?publicationState=preview')).body.meta.pagination.total).toBe(before);
});

test('a component that its dynamic zone does not list returns 400', async () => {
  const { status, body } = await post('/api/pages', {
    title: 'T',
    path: '/zone',
    hero: { label: 'h' },
    layout: [{ __component: 'blocks.quote', text: 'x' }],
  });
  expect(status).toBe(400);
  expect(body.error.details.errors[0].path).toEqual(['layout', '0', '__component']);
});

test.each([
  ['a value', { sku: 'x' }],
  ['a date', { restockAt: 'never' }],
  ['a relation', { vendor: true }],
  ['a place in a relation', { vendor: { connect: 1 } }],
  ['a list', [{ sku: 'OK-1' }]],
])('a missing entry returns 404 even if %s is invalid', async (_, data) => {
  const { status, body } = await put('/api/products/999999', data);
  expect({ status, name: body.error.name }).toEqual({ status: 404, name: 'NotFoundError' });
});

test('a length counts UTF-16 code units: an emoji is two', async () => {
  expect((await post('/api/categories', { name: '😀' })).body.data.attributes.name).toBe('😀');
  const tooLong = await post('/api/products', { name: 'x', sku: '😀'.repeat(7) });
  expect(tooLong.body.error.details.errors).toMatchObject([{ path: ['sku'] }]);
  expect((await post('/api/products', { name: 'x', sku: '😀'.repeat(6) })).status).toBe(200);
  const user = { email: 'emoji@example.test', username: 'b😀', password: '😀😀😀', role: 1 };
  const sent = await request(client.service.url)
    .post('/api/users')
    .auth(client.service.token, { type: 'bearer' })
    .send(user);
  expect(sent.body).toMatchObject({ username: 'b😀' });
  const document = 'mutation { createCategory(data: { name: "😀" }) { data { attributes { name } } } }';
  expect((await client.graphql(document)).body.data.createCategory.data.attributes.name).toBe('😀');
});

test('a relation to an entry that does not exist returns 400 and uses up no id', async () => {
  const first = await create('products', { sku: 'REL-1', name: 'n' });
  const { status, body } = await post('/api/products', { sku: 'REL-2', name: 'n', vendor: 4711 });
  expect(status).toBe(400);
  expect(body.error.message).toBe('1 relation(s) of type api::author.author associated with this entity do not exist');
  expect(await create('products', { sku: 'REL-3', name: 'n' })).toBe(first + 1);
});

test.each([
  ['filters[nope]=1', 'Invalid parameter nope'],
  ['filters[internalNote][$contains]=x', 'Invalid parameter internalNote'],
  ['filters[author][notes]=x', 'Invalid parameter notes'],
  ['filters[$where]=sleep(1000)', 'Invalid parameter $where'],
  ['filters[author.name]=x', 'Invalid parameter author.name'],
  ['sort=secret', 'Invalid parameter secret'],
  ['sort[$natural]=asc', 'Invalid parameter $natural'],
  ['fields[0]=internalNote', 'Invalid parameter internalNote'],
  ['populate[author][fields][0]=notes', 'Invalid parameter notes'],
  ['filters[startsAt]=garbage', 'Invalid format, expected a timestamp or an ISO date'],
])('the query %s is refused', async (query, message) => {
  const { status, body } = await get(`/api/articles?${query}`);
  expect({ status, name: body.error.name, message: body.error.message }).toEqual({
    status: 400,
    name: 'ValidationError',
    message,
  });
});

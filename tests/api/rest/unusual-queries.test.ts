import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../support/service.js';

const client = useService();
const { get, create } = client;
const ask = (method: string, path: string, body?: object) => {
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  const asking = request(client.service.url)[verb](path).auth(client.service.token, { type: 'bearer' });
  return body === undefined ? asking : asking.send(body);
};

beforeAll(async () => {
  await create('comments', { text: 'a comment' });
  await ask('PUT', '/api/homepage', { data: { title: 'Welcome' } });
});

describe.each([
  ['GET', '/api/comments/1', undefined],
  ['GET', '/api/comments/99', undefined],
  ['GET', '/api/comments/x', undefined],
  ['GET', '/api/homepage', undefined],
  ['GET', '/api/users/99', undefined],
  ['GET', '/api/users/count', undefined],
  ['GET', '/api/upload/files', undefined],
  ['GET', '/api/upload/files/99', undefined],
  ['POST', '/api/comments', { data: { text: 'not written' } }],
  ['POST', '/api/comments', {}],
  ['PUT', '/api/comments/1', { data: { text: 'not written' } }],
  ['PUT', '/api/comments/99', {}],
  ['DELETE', '/api/comments/1', undefined],
  ['DELETE', '/api/comments/x', undefined],
])('invalid query parameters of %s %s with the body %j', (method, path, body) => {
  test.each([
    ['filters[nope]=1', 'nope'],
    ['filters[id][$foo]=1', '$foo'],
    ['sort=nope', 'nope'],
    ['fields=nope', 'nope'],
    ['fields[0]=*&fields[1]=nope', 'nope'],
    ['fields[]=', ''],
  ])('return 400: %s', async (query, name) => {
    const { status, body: answer } = await ask(method, `${path}?${query}`, body);
    expect({ status, message: answer.error?.message }).toEqual({ status: 400, message: `Invalid parameter ${name}` });
  });
});

test('refused requests write nothing', async () => {
  const { body } = await get('/api/comments?fields=text');
  expect(body.data).toEqual([{ id: 1, attributes: { text: 'a comment' } }]);
});

test.each([
  ['GET', '/api/comments/1?pagination[page]=x&limit=3', 200],
  ['GET', '/api/products/1?filters[nope]=1', 400],
  ['GET', '/api/comments/1?filters[createdAt]=garbage', 200],
  ['GET', '/api/comments/1?sort=createdAt:up', 200],
  ['GET', '/api/comments/1?sort[0][createdAt]=up', 200],
  ['GET', '/api/comments/1?sort=createdAt:up,nope', 400],
  ['GET', '/api/comments/1?filters=x', 200],
  ['GET', '/api/comments/1?filters[]=x', 200],
  ['GET', '/api/comments/1?filters[$or]=x', 200],
  ['GET', '/api/comments/1?filters[createdAt][$between][0]=x', 200],
  ['GET', '/api/comments/1?filters[createdAt]=garbage&filters[nope]=1', 400],
  ['GET', '/api/comments/99?filters[createdAt]=garbage&filters[id][$foo]=1', 400],
  ['PUT', '/api/comments/1?pagination[page]=x&filters[createdAt]=garbage', 200],
  ['GET', '/api/homepage?pagination[page]=1&pagination[limit]=1', 200],
  ['PUT', '/api/homepage?filters[nope]=1&sort=nope', 200],
  ['DELETE', '/api/upload/files/99?fields=nope&sort=nope', 404],
])('%s %s checks only the names of parameters without effect: %i', async (method, path, expected) => {
  const body = method === 'PUT' ? { data: {} } : undefined;
  expect((await ask(method, path, body)).status).toBe(expected);
});

test.each([
  [{ data: { restockAt: 'never' } }],
  [{ data: { stock: 'many' } }],
  [{ data: { vendor: 4711 } }],
  [{ data: [] }],
  [{ data: { name: 'valid', sku: 'VALID' } }],
])('PUT of a missing entry returns 404 whatever is wrong with %j', async (body) => {
  expect((await ask('PUT', '/api/products/99', body)).status).toBe(404);
});

test.each(['sections', 'relatedPages'])('invalid connect positions in %s return 400', async (name) => {
  await create('sections', { heading: 'A section', links: [{ label: 'x' }] });
  await create('pages', { title: 'A page', path: `/${name}`, hero: { label: 'x' } });
  const data = { [name]: { connect: [{ id: 1, position: { after: 1 } }] } };
  expect((await ask('PUT', '/api/pages/99', { data })).status).toBe(404);
});

test('a body without data returns 400 before the entry is read', async () => {
  expect((await ask('PUT', '/api/products/x', {})).body.error.message).toBe(
    'Missing "data" payload in the request body',
  );
});

test.each([
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740993', 9_007_199_254_740_992],
  ['99999999999999999999', 1e20],
])('page %s is empty and returned with its number', async (page, number) => {
  const { body } = await get(`/api/comments?pagination[page]=${page}&pagination[pageSize]=10`);
  expect(body).toEqual({ data: [], meta: { pagination: { page: number, pageSize: 10, pageCount: 1, total: 1 } } });
});

test('a start beyond all entries returns an empty page with that start', async () => {
  const { body } = await get('/api/comments?pagination[start]=99999999999999999999');
  expect(body).toEqual({ data: [], meta: { pagination: { start: 1e20, limit: 25, total: 1 } } });
});

test.each([
  [2_147_483_647, 10, 2_147_483_647],
  [2_147_483_647, 2_147_483_647, 2_147_483_647],
])('over GraphQL page %i of %i entries is empty and returned with its number', async (page, pageSize, reportedPage) => {
  const { body } = await client.graphql(
    `{ comments(pagination: { page: ${page}, pageSize: ${pageSize} }) { data { id } meta { pagination { page total } } } }`,
  );
  expect(body).toEqual({ data: { comments: { data: [], meta: { pagination: { page: reportedPage, total: 1 } } } } });
});

describe.each(['/api/users', '/api/upload/files'])('start and limit of %s', (path) => {
  test.each(['', 'limit=', 'limit', 'limit=0', 'limit=-1', 'start=', 'page=2&pageSize=1', 'pagination[page]=x'])(
    'return everything with "%s"',
    async (query) => {
      expect((await get(`${path}?${query}`)).status).toBe(200);
    },
  );
  test.each([
    ['limit=x', 'ValidationError'],
    ['limit=-2', 'ValidationError'],
    ['limit=1.5', 'ValidationError'],
    ['start=-1', 'ValidationError'],
    ['start=x', 'ValidationError'],
    ['page=', 'PaginationError'],
    ['pageSize=1.5', 'PaginationError'],
    ['page=1&start=1', 'PaginationError'],
  ])('return 400: %s', async (query, name) => {
    const { status, body } = await get(`${path}?${query}`);
    expect({ status, name: body.error?.name }).toEqual({ status: 400, name });
  });
});

test('a limit of 0 returns all users, 1 returns one', async () => {
  for (const name of ['one', 'two']) {
    const user = { username: `user-${name}`, email: `${name}@example.test`, password: 'secret-of-them', role: 1 };
    expect((await ask('POST', '/api/users', user)).status).toBe(201);
  }
  expect((await get('/api/users?limit=0')).body).toHaveLength(2);
  expect((await get('/api/users?limit=1')).body).toHaveLength(1);
  expect((await get('/api/users/count?username=user-one')).body).toBe(1);
  expect((await get('/api/users/count?nope=1')).status).toBe(400);
});

test.each([
  ['start=0&limit=1', 200],
  ['page=2', 200],
  ['start=1', 404],
  ['start=x', 400],
  ['page=1&limit=1', 400],
])('a single type is the first entry of a list without pages: %s', async (query, status) => {
  expect((await get(`/api/homepage?${query}`)).status).toBe(status);
});

describe('a localized single type', () => {
  test('returns a list of its localizations with locale=all', async () => {
    const all = await get('/api/homepage?locale=all&fields=title');
    expect(all.body).toMatchObject({ data: [{ id: 1, attributes: { title: 'Welcome' } }], meta: {} });
    expect((await get('/api/setting?locale=all')).status).toBe(404);
  });

  test('returns one localization for a list of locales', async () => {
    const { body } = await get('/api/homepage?locale[]=en&locale[]=fr&fields=title');
    expect(body).toMatchObject({ data: { id: 1, attributes: { title: 'Welcome' } }, meta: {} });
  });

  test('is returned by DELETE without related entries', async () => {
    const { body } = await ask('DELETE', '/api/homepage?populate=*&fields=title');
    expect(body.data.attributes).toMatchObject({ title: 'Welcome', locale: 'en' });
    expect(body.data.attributes).not.toHaveProperty('highlights');
    expect((await get('/api/homepage?locale=all')).body).toEqual({ data: [], meta: {} });
  });
});

test.each(['publicationState=all', 'publicationState[]=live', '_q[]=x', '_q[a]=x'])('%s is refused', async (query) => {
  const { status, body } = await get(`/api/articles?${query}`);
  expect({ status, message: body.error?.message }).toEqual({
    status: 400,
    message: `Invalid parameter ${/^\w+/.exec(query)?.[0]}`,
  });
});

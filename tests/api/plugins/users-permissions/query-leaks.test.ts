import { beforeAll, describe, expect, test } from '@jest/globals';
import { usePeople } from './users-client.js';

/** Neither the results nor the errors of queries reveal values that a role may not see. */
const people = usePeople();
const get = (path: string) => people.send('get', path);
const refusal = (name: string) => ({ status: 400, body: { error: { message: `Invalid parameter ${name}` } } });

beforeAll(async () => {
  const author = await people.sendFreely('post', '/api/authors', { data: { name: 'Ann', notes: 'SECRET of Ann' } });
  const article = { title: 'One', internalNote: 'TOPSECRET99', author: author.body.data.id, tags: [] };
  await people.sendFreely('post', '/api/articles', { data: article });
  await people.sendFreely('post', '/api/articles', { data: { title: 'Two' } });
  await people.allow('public', ['api::article.article.find', 'api::article.article.findOne', 'api::tag.tag.find']);
});

describe('S01, S02, S04, S05: a private attribute', () => {
  test.each([
    ['filters[internalNote][$contains]=TOP'],
    ['filters[$or][0][$and][0][$not][internalNote][$eq]=x'],
    ['filters[$not][internalNote][$null]=true'],
    ['sort=internalNote'],
    ['sort[0][internalNote]=desc'],
    ['fields[0]=internalNote'],
  ])('is refused as a parameter: %s', async (query) => {
    expect(await get(`/api/articles?${query}`)).toMatchObject(refusal('internalNote'));
  });

  test.each(['t0.title', 'internalNote.x', 'Internalnote', '_live', '_id', '__v', '$where', '$natural'])(
    'is not reachable by the name %s',
    async (name) => {
      for (const query of [`filters[${name}][$eq]=x`, `sort=${name}`, `fields[0]=${name}`]) {
        expect((await get(`/api/articles?${query}`)).status).toBe(400);
      }
    },
  );
});

test('S06: a full-text search does not look into private attributes', async () => {
  expect((await get('/api/articles?_q=TOPSECRET99')).body.data).toEqual([]);
});

test('S08: unknown top-level parameters are ignored', async () => {
  const plain = await get('/api/articles');
  for (const query of [
    'where[internalNote]=x',
    '_where[id]=1',
    'lookup[x]=1',
    'select=id',
    'on[x]=1',
    'data=1',
    'files=1',
  ]) {
    expect((await get(`/api/articles?${query}`)).text).toBe(plain.text);
  }
});

test('S09: creators cannot be filtered by and are not returned', async () => {
  expect(await get('/api/articles?filters[createdBy][id]=1')).toMatchObject(refusal('createdBy'));
  expect((await get('/api/articles?populate=createdBy')).body.data[0].attributes).not.toHaveProperty('createdBy');
});

describe('S03, S10, S11: a relation that the role may not list', () => {
  test.each([
    ['filters[author][name][$eq]=Ann'],
    ['filters[author]=1'],
    ['filters[author][$null]=true'],
    ['filters[$or][0][author][id]=1&filters[$or][1][title]=x'],
    ['filters[$not][author][name]=Ann'],
    ['sort=author.name'],
    ['sort[author][name]=asc'],
    ['populate[tags][filters][articles][author][name]=Ann'],
    ['populate[tags][sort]=articles.author.name'],
  ])('is refused as a parameter: %s', async (query) => {
    const { status, body } = await get(`/api/articles?${query}`);
    expect([status, body.data]).toEqual([400, null]);
  });

  test.each([
    'populate[subject][on][api::tag.tag][filters][articles][author][name][$startsWith]=A',
    'populate[subject][on][api::tag.tag][sort]=articles.author.name',
    'populate[subject][on][api::author.author][filters][account][email][$startsWith]=ann',
    'populate[subject][on][api::tag.tag][populate][articles][filters][author][name]=Ann',
  ])('is refused as a parameter of a morph relation to several types: %s', async (query) => {
    const token = await people.token('commenter', [
      'api::comment.comment.find',
      'api::article.article.find',
      'api::tag.tag.find',
    ]);
    const { status, body } = await people.send('get', `/api/comments?${query}`, undefined, token);
    expect([status, body.data]).toEqual([400, null]);
  });

  test.each(['author', '*', 'author,tags', 'deep'])('is left out of populate=%s', async (populate) => {
    const { status, body } = await get(`/api/articles?populate=${populate}`);
    expect(status).toBe(200);
    expect(body.data).not.toEqual([]);
    for (const { attributes } of body.data) expect(attributes).not.toHaveProperty('author');
  });

  test('is left out of nested populates', async () => {
    const { text } = await get('/api/articles?populate[tags][populate][articles][populate]=*');
    expect(text).not.toMatch(/"author"/);
  });

  test('still refuses private attributes as parameters once it may be listed', async () => {
    const token = await people.token('lister', ['api::article.article.find', 'api::author.author.find']);
    for (const query of [
      'filters[author][notes][$startsWith]=S',
      'populate[author][filters][notes]=x',
      'sort=author.notes',
    ]) {
      const answer = await people.send('get', `/api/articles?${query}`, undefined, token);
      expect(answer).toMatchObject(refusal('notes'));
    }
    const { text } = await people.send('get', '/api/articles?populate=author', undefined, token);
    expect(text).toContain('Ann');
    expect(text).not.toContain('SECRET');
  });
});

test('S14: permissions are checked first and reveal neither existing entries nor valid values', async () => {
  const requests = [
    ['get', '/api/authors/1'],
    ['get', '/api/authors/999'],
    ['get', '/api/authors?filters[unknown]=1'],
    ['put', '/api/authors/1', { data: {} }],
    ['put', '/api/authors/999', { data: {} }],
    ['delete', '/api/authors/999'],
    ['post', '/api/authors', { data: { email: 'no address' } }],
    ['post', '/api/authors', {}],
    ['post', '/api/articles', { data: { title: 'One' } }],
  ] as const;
  const answers = [];
  for (const [method, path, body] of requests) answers.push(await people.send(method, path, body));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.status).toBe(403);
});

test('S55: a relation to a type that the role may not list is not written', async () => {
  const token = await people.token('writer', ['api::article.article.create', 'api::article.article.update']);
  const written = await people.send('post', '/api/articles', { data: { title: 'Three', author: 1 } }, token);
  const { id } = written.body.data;
  const read = () => people.sendFreely('get', `/api/articles/${id}?populate=author`);
  expect((await read()).body.data.attributes.author.data).toBeNull();
  await people.send('put', `/api/articles/${id}`, { data: { author: { connect: [1] } } }, token);
  expect((await read()).body.data.attributes.author.data).toBeNull();
});

describe('the users of a role', () => {
  beforeAll(async () => {
    const ben = { username: 'ben', email: 'ben@example.test', password: 'secret-of-ben', role: 1 };
    await people.sendFreely('post', '/api/users', ben);
  });

  test.each([
    '/api/users?populate[role][populate]=users',
    '/api/users?populate=role.users',
    '/api/users?populate[0]=role.users',
    '/api/users?populate[role][populate]=*',
    '/api/users?populate[role][populate][users][populate]=*',
    '/api/users/1?populate=role.users.role',
  ])('are not returned to any token: %s', async (path) => {
    const { status, text } = await people.sendFreely('get', path);
    expect([status, text.includes('"role":{"id":'), text.includes('"users":')]).toEqual([200, true, false]);
  });

  test('are not returned below an entry', async () => {
    const { body } = await people.sendFreely('get', '/api/users?filters[username]=ben');
    await people.sendFreely('put', '/api/authors/1', { data: { account: body[0].id } });
    const { text } = await people.sendFreely('get', '/api/authors/1?populate[account][populate][role][populate]=*');
    expect(text).toContain('"role":{"data":{"id":');
    expect(text).not.toContain('"users":');
  });

  test('can be filtered by with permission to list users, as in Strapi v4', async () => {
    const path = '/api/users?filters[role][users][username]=ben';
    expect((await people.sendFreely('get', path)).body).toHaveLength(1);
    const token = await people.token('authors', ['api::author.author.find', 'plugin::users-permissions.role.find']);
    const refused = await people.send(
      'get',
      '/api/authors?populate[account][filters][role][users][username]=ben',
      undefined,
      token,
    );
    expect(refused).toMatchObject(refusal('users'));
  });
});

test('a filter by a type that the caller may not list is refused also if its relation is left out', async () => {
  const token = await people.token('reader', ['api::author.author.find']);
  const get400 = await people.send('get', '/api/authors?populate[account][filters][role]=3', undefined, token);
  expect(get400).toMatchObject(refusal('role'));
  const left = await people.send('get', '/api/authors?populate[account][filters][username]=x', undefined, token);
  expect(left.status).toBe(200);
  expect(left.body.data[0].attributes).not.toHaveProperty('account');
});

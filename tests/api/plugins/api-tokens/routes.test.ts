import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare } from '../../../support/access.js';
import { useService } from '../../../support/service.js';

const client = useService({
  plugins: { 'api-tokens': { config: { routes: true } }, 'users-permissions': { config: { rateLimit: false } } },
});
const token = (name: string): string => `plugin::api-tokens.token.${name}`;
const day = 24 * 3_600_000;
const valid = { name: 'website', permissions: ['api::article.article.find'], lifespan: day };
let jwt: string;

const logInWith = async (role: number, username: string): Promise<string> => {
  const user = { username, email: `${username}@example.org`, password: 'a-long-password', confirmed: true, role };
  await send('post', '/api/users', user, client.service.token);
  const { body } = await send('post', '/api/auth/local', { identifier: username, password: user.password });
  return body.jwt;
};
const send = (method: 'get' | 'post' | 'delete', path: string, data?: object, key?: string): request.Test => {
  const sent = request(client.service.url)[method](path);
  if (key !== undefined) void sent.auth(key, { type: 'bearer' });
  return data === undefined ? sent : sent.send(data);
};
const stored = () => client.service.database.db.collection<{ _id: number }>('strapi_api_tokens');

beforeAll(async () => {
  await declare(
    client.service,
    {
      public: ['plugin::users-permissions.auth.callback', token('create')],
      authenticated: [
        ...['find', 'create', 'delete'].map(token),
        'api::article.article.find',
        { action: 'api::article.article.findOne', fields: ['-code'] },
        { action: 'api::author.author.find', where: { name: 'Ada' } },
        { action: 'api::author.author.create', set: { name: 'Ada' } },
      ],
    },
    { other: ['api::tag.tag.find'] },
  );
  jwt = await logInWith(1, 'ann');
});

test('a user creates a token, whose key is shown once and stored as a hash', async () => {
  const before = Date.now();
  const { status, body } = await send('post', '/api/api-tokens', { ...valid, description: 'For the site' }, jwt);
  expect(status).toBe(201);
  const { accessKey, ...shown } = body.data;
  expect(shown).toEqual({
    id: expect.any(Number),
    name: 'website',
    description: 'For the site',
    type: 'custom',
    permissions: ['api::article.article.find'],
    expiresAt: expect.any(String),
    createdAt: expect.any(String),
  });
  expect(Date.parse(shown.expiresAt)).toBeGreaterThanOrEqual(before + day);
  expect(Date.parse(shown.expiresAt)).toBeLessThanOrEqual(Date.now() + day);
  expect((await send('get', '/api/articles', undefined, accessKey)).status).toBe(200);
  expect((await send('get', '/api/tags', undefined, accessKey)).status).toBe(403);
  const listed = await send('get', '/api/api-tokens', undefined, jwt);
  expect(listed.body.data.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['other', 'website']),
  );
  const document = await stored().findOne({ _id: shown.id });
  const secrets = [accessKey, String((document as { accessKey?: unknown } | null)?.accessKey)];
  expect(secrets[1]).toMatch(/^[\da-f]{128}$/);
  for (const secret of secrets) expect(listed.text).not.toContain(secret);
  expect(JSON.stringify(document)).not.toContain(accessKey);
});

test('and revokes it', async () => {
  const { body } = await send('post', '/api/api-tokens', { ...valid, name: 'short' }, jwt);
  const { id, accessKey } = body.data;
  const revoked = await send('delete', `/api/api-tokens/${id}`, undefined, jwt);
  expect([revoked.status, revoked.body.data.name, revoked.text.includes('accessKey')]).toEqual([200, 'short', false]);
  expect((await send('get', '/api/articles', undefined, accessKey)).status).toBe(401);
  expect((await send('delete', `/api/api-tokens/${id}`, undefined, jwt)).status).toBe(404);
});

describe('S43: a token is refused', () => {
  test.each([
    ['with an action that the user may not do', { permissions: ['api::tag.tag.find'] }, 'permissions.0', 'may not do yourself'],
    ['with an action whose fields a rule limits', { permissions: ['api::article.article.find', 'api::article.article.findOne'] }, 'permissions.1', 'only with a rule'],
    ['with an action whose entries a rule limits', { permissions: ['api::author.author.find'] }, 'permissions.0', 'only with a rule'],
    ['with an action whose values a rule sets', { permissions: ['api::author.author.create'] }, 'permissions.0', 'only with a rule'],
    ['with the stored form of a rule', { permissions: ['api::author.author.find.restricted'] }, 'permissions.0', 'is not an action'],
    ['with an action that does not exist', { permissions: ['api::article.article.read'] }, 'permissions.0', 'is not an action'],
    ['with no action', { permissions: [] }, 'permissions', 'must be a list'],
    ['with another type', { type: 'full-access' }, 'type', 'must be custom'],
    ['that never expires', { lifespan: null }, 'lifespan', 'must be milliseconds'],
    ['that expires in two years', { lifespan: 2 * 365 * day }, 'lifespan', '(a year)'],
    ['without a name', { name: ' ' }, 'name', '1 to 255 characters'],
    ['with a key of its own', { accessKey: 'chosen-by-the-user' }, 'accessKey', 'unknown'],
    ['with the name of a property of objects', { constructor: 1 }, 'constructor', 'unknown'],
  ])('%s', async (_name, change, path, message) => {
    const { status, body } = await send('post', '/api/api-tokens', { ...valid, name: 'refused', ...change }, jwt);
    expect(status).toBe(400);
    expect(body.error.details.errors).toEqual([
      expect.objectContaining({ path: path.split('.'), message: expect.stringContaining(message) }),
    ]);
  }); // prettier-ignore

  test('with the name of another one', async () => {
    const { status, body } = await send('post', '/api/api-tokens', { ...valid, name: 'other' }, jwt);
    expect([status, body.error.details.errors[0].path]).toEqual([400, ['name']]);
  });

  test('beyond 200 of them, also if several are created at once', async () => {
    const missing = 199 - (await stored().countDocuments());
    const documents = Array.from({ length: missing }, (_, index) => ({ _id: 1_000_000 + index, accessKey: `k${index}`, name: `n${index}` }));
    await stored().insertMany(documents);
    const created = await Promise.all(
      ['a', 'b', 'c'].map((name) => send('post', '/api/api-tokens', { ...valid, name }, jwt)),
    );
    await stored().deleteMany({ _id: { $gte: 1_000_000 } });
    expect(created.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
    expect(created.find(({ status }) => status === 400)?.body.error.message).toContain('200 API tokens');
  }); // prettier-ignore
});

test('neither visitors nor tokens manage tokens, whatever their permissions are', async () => {
  for (const key of [undefined, client.service.token]) {
    expect((await send('post', '/api/api-tokens', valid, key)).status).toBe(403);
    expect((await send('get', '/api/api-tokens', undefined, key)).status).toBe(403);
    expect((await send('delete', '/api/api-tokens/1', undefined, key)).status).toBe(403);
  }
});

test('a user without the permissions does not', async () => {
  await declare(client.service, { authenticated: ['api::article.article.find'] });
  expect((await send('post', '/api/api-tokens', valid, jwt)).status).toBe(403);
  expect((await send('get', '/api/api-tokens', undefined, jwt)).status).toBe(403);
  expect((await send('delete', '/api/api-tokens/1', undefined, jwt)).status).toBe(403);
});

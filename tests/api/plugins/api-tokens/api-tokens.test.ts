import { describe, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import type { TokenAccess } from '../../../../src/plugins/contract/access/access.js';
import { useService } from '../../../support/service.js';

const client = useService();
const nothing = { roles: [], locales: [] };
const declare = (...tokens: readonly Partial<TokenAccess>[]): Promise<void> =>
  client.service.applyAccess({
    ...nothing,
    tokens: tokens.map((token) => ({
      name: 'token',
      type: 'custom',
      permissions: [],
      key: 'a-key-of-enough-characters',
      description: undefined,
      expiresAt: undefined,
      ...token,
    })),
  });
const get = async (path: string, token: string) =>
  request(client.service.url).get(path).auth(token, { type: 'bearer' });
const stored = () => client.service.database.db.collection('strapi_api_tokens');

describe('S43: an API token', () => {
  test('of type read-only can read and nothing else', async () => {
    await declare({ name: 'reader', type: 'read-only', key: 'key-of-the-reader' });
    expect((await get('/api/tags', 'key-of-the-reader')).status).toBe(200);
    expect((await get('/api/users/count', 'key-of-the-reader')).status).toBe(403);
    const posted = await request(client.service.url)
      .post('/api/tags')
      .auth('key-of-the-reader', { type: 'bearer' })
      .send({ data: { name: 'x' } });
    expect(posted.status).toBe(403);
  });

  test('of type custom can perform the listed actions', async () => {
    await declare({ name: 'custom', key: 'key-of-the-custom', permissions: ['api::tag.tag.find'] });
    expect((await get('/api/tags', 'key-of-the-custom')).status).toBe(200);
    expect((await get('/api/authors', 'key-of-the-custom')).status).toBe(403);
  });

  test('of type full-access has no user for routes about the caller', async () => {
    const { status, body } = await client.get('/api/users/me');
    expect([status, body.error.message]).toEqual([401, 'Unauthorized']);
  });

  test('that has expired is refused with "Token expired"', async () => {
    await declare({ name: 'over', key: 'key-of-the-over', type: 'full-access', expiresAt: new Date(Date.now() - 1) });
    const { status, body } = await get('/api/tags', 'key-of-the-over');
    expect([status, body.error.message]).toEqual([401, 'Token expired']);
  });

  test('expires exactly, also if it is cached', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    await declare({ name: 'short', key: 'key-of-the-short', type: 'full-access', expiresAt });
    expect((await get('/api/tags', 'key-of-the-short')).status).toBe(200);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(expiresAt.getTime());
    try {
      expect((await get('/api/tags', 'key-of-the-short')).status).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });

  test('is refused immediately after its deletion in the same process', async () => {
    await declare({ name: 'gone', key: 'key-of-the-gone', type: 'full-access' });
    expect((await get('/api/tags', 'key-of-the-gone')).status).toBe(200);
    const [entry] = await client.service.entries.findMany('admin::api-token', { filters: { name: 'gone' } });
    await client.service.entries.delete('admin::api-token', entry?.id ?? 0);
    expect((await get('/api/tags', 'key-of-the-gone')).status).toBe(401);
  });

  test('is accepted in the header only', async () => {
    const { token, url } = client.service;
    for (const path of [`/api/tags?access_token=${token}`, `/api/tags?token=${token}`]) {
      expect((await request(url).get(path)).status).toBe(403);
    }
    expect((await request(url).get('/api/tags').set('Cookie', `jwt=${token}; token=${token}`)).status).toBe(403);
  });

  test('is stored as a hash only', async () => {
    await declare({ name: 'hashed', key: 'key-of-the-hashed' });
    expect(JSON.stringify(await stored().find().toArray())).not.toContain('key-of');
  });
});

test('a declared token is updated to its declaration, and unchanged if it matches', async () => {
  await declare({ name: 'changing', key: 'key-of-the-changing', permissions: ['api::tag.tag.find'] });
  const first = await stored().findOne({ name: 'changing' });
  await declare({ name: 'changing', key: 'key-of-the-changing', permissions: ['api::tag.tag.find'] });
  expect(await stored().findOne({ name: 'changing' })).toEqual(first);
  await declare({ name: 'changing', key: 'another-key-of-it', permissions: ['api::author.author.find'] });
  expect((await get('/api/tags', 'key-of-the-changing')).status).toBe(401);
  expect((await get('/api/authors', 'another-key-of-it')).status).toBe(200);
});

test('tokens have no routes unless the plugins file enables them', async () => {
  expect((await client.get('/api/api-tokens')).status).toBe(404);
  expect((await client.get('/api/users-permissions/permissions')).text).not.toContain('api-tokens');
});

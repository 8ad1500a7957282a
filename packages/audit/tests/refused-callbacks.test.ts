import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService, type TestService } from '../../../src/testing.js';
import {
  client,
  startOpenIdProvider,
  type OpenIdProvider,
} from '../../../tests/api/plugins/users-permissions/open-id-provider.js';
import { corpus } from '../../../tests/support/service.js';

const PUBLIC_URL = 'https://cms.test';
const LIMIT = 3;
let house: OpenIdProvider;
let service: TestService;
beforeAll(async () => {
  house = await startOpenIdProvider();
  const provider = { ...client, enabled: true, callback: 'https://shop.test/done', issuer: house.issuer };
  const rateLimit = { attempts: LIMIT, minutes: 5 };
  service = await createTestService({
    contentTypes: corpus,
    mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
    environment: { PUBLIC_URL },
    plugins: { audit: true, 'users-permissions': { config: { rateLimit, providers: { house: provider } } } },
  });
});
afterAll(async () => {
  await service.close();
  await house.close();
});

const get = (path: string, cookie?: string) => {
  const sending = request(service.url).get(path);
  return cookie === undefined ? sending : sending.set('Cookie', cookie);
};
const failures = () => service.entries.findMany('admin::audit.record', { filters: { action: 'failedLogin' } });
/** What the browser asks for after the provider, with the cookie of the log-in. */
async function goToProvider(): Promise<readonly [path: string, cookie: string]> {
  const begun = await get('/api/connect/house');
  const { headers } = await fetch(begun.headers['location'] ?? '', { redirect: 'manual' });
  const [cookie = ''] = String(begun.headers['set-cookie']).split(';', 1);
  return [(headers.get('location') ?? '').replace(PUBLIC_URL, ''), cookie];
}

test('S87: a log-in at a provider that ends well is forgiven, and one that is refused is recorded, up to the limit', async () => {
  Object.assign(house, { person: { sub: 'ann', email: 'ann@example.test', email_verified: true }, idToken: {} });
  for (let count = 0; count <= LIMIT; count += 1) expect((await get(...(await goToProvider()))).status).toBe(302);
  expect(await failures()).toEqual([]);
  const [used, cookie] = await goToProvider();
  await get(used, cookie);
  // Again, without the browser that began, and with an id token for somebody else.
  expect((await get(used, cookie)).headers['location']).toContain('error=');
  expect((await get(used)).headers['location']).toContain('error=');
  Object.assign(house, { idToken: { aud: 'another' } });
  const foreign = await get(...(await goToProvider()));
  expect(foreign.headers['location']).toContain('error=');
  const recorded = { action: 'failedLogin', kind: 'public', entry: null, door: 'rest', address: expect.any(String) };
  expect(await failures()).toMatchObject(Array.from({ length: LIMIT }, () => recorded));
  expect((await get(...(await goToProvider()))).status).toBe(429);
  expect((await failures()).length).toBe(LIMIT);
});

test('a code that nobody has given out is one, too', async () => {
  const before = (await failures()).length;
  expect((await get('/api/auth/house/callback?access_token=code-guessed')).status).toBe(400);
  expect((await failures()).length).toBe(before + 1);
});

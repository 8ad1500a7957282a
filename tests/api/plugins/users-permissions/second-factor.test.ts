import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { usePeople, type AuthUser } from './users-client.js';
import { operationsOf, type OpenApi } from '../../../support/open-api.js';

const people = usePeople({
  plugins: {
    'users-permissions': { config: { rateLimit: { attempts: 5, minutes: 5 } } },
    documentation: { enabled: true },
  },
});
const PERIOD = 30_000;
/** Milliseconds by which the clock of the app is wrong, or later. */
const codeOf = (secret: string, later = 0): string => new TOTP({ secret }).generate({ timestamp: Date.now() + later });

const permissions = ['plugin::users-permissions.user.me', 'plugin::users-permissions.auth.changePassword'];
const declare = (secondFactor: boolean, further: readonly string[] = []): Promise<void> =>
  people.service.applyAccess({
    roles: [
      {
        type: 'authenticated',
        name: undefined,
        description: undefined,
        permissions: [...permissions, ...further],
        secondFactor,
      },
    ],
    tokens: [],
    locales: [],
  });
const passwordOf = ({ email }: AuthUser): string => `secret-of-${email.split('@', 1)[0]}`;
const account = (user: AuthUser) => ({ identifier: user.email, password: passwordOf(user) });
const logIn = (user: AuthUser, secondFactor?: unknown) =>
  people.send('post', '/api/auth/local', { ...account(user), ...(secondFactor !== undefined && { secondFactor }) });
const me = (jwt: string) => people.send('get', '/api/users/me', undefined, jwt);

/** Sets a factor up. The code of now is used then. */
async function setUp(user: AuthUser) {
  const begun = await people.send('post', '/api/auth/second-factor', account(user));
  const { secret, address } = begun.body as { readonly secret: string; readonly address: string };
  const confirmed = await people.send('post', '/api/auth/second-factor/confirm', {
    ...account(user),
    secondFactor: codeOf(secret),
  });
  return { secret, address, confirmed, codes: confirmed.body.recoveryCodes as readonly string[] };
}

// Otherwise the next step could begin within a test.
beforeAll(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.now()));
afterAll(() => void jest.restoreAllMocks());
beforeEach(async () => {
  await people.service.database.db.collection('_rate_limits').deleteMany({});
  await declare(false);
});

test('whoever has set a factor up logs in with a code of it, and earlier tokens end', async () => {
  const user = await people.register('ada');
  expect((await me(user.jwt)).status).toBe(200);
  const { address, confirmed, secret, codes } = await setUp(user);
  expect(address).toMatch(/^otpauth:\/\/totp\//);
  expect([confirmed.status, codes.length, confirmed.body.user.username]).toEqual([200, 10, 'ada']);
  expect((await me(confirmed.body.jwt)).status).toBe(200);
  expect((await me(user.jwt)).status).toBe(401);
  const without = await logIn(user);
  expect([without.status, without.body.error.name, without.body.jwt]).toEqual([
    401,
    'SecondFactorNeededError',
    undefined,
  ]);
  const { status, body } = await logIn(user, codeOf(secret, PERIOD));
  expect([status, (await me(body.jwt)).status]).toEqual([200, 200]);
  expect(JSON.stringify([without.body, body, (await me(body.jwt)).body])).not.toContain(secret);
});

test('a code is good for one step before and after, and once, whichever of several requests has it', async () => {
  const user = await people.register('bob');
  const { secret } = await setUp(user);
  for (const [later, status] of [
    [-3, 400],
    [3, 400],
    [-1, 200],
    [-1, 400],
    [0, 400],
  ] as const)
    expect([later, (await logIn(user, codeOf(secret, later * PERIOD))).status]).toEqual([later, status]);
  await people.service.database.db.collection('_rate_limits').deleteMany({});
  const next = codeOf(secret, PERIOD);
  const statuses = (await Promise.all(Array.from({ length: 4 }, () => logIn(user, next)))).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 400, 400, 400]);
});

test('a recovery code is good once, however it is typed, and no other is lost', async () => {
  const user = await people.register('cleo');
  const { codes } = await setUp(user);
  const [first = '', second = '', third = ''] = codes;
  expect((await logIn(user, first.replaceAll('-', ' ').toUpperCase())).status).toBe(200);
  expect((await logIn(user, first)).status).toBe(400);
  const both = await Promise.all([logIn(user, second), logIn(user, third)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect((await logIn(user, second)).status).toBe(400);
});

test('a thousand guesses end after a few', async () => {
  const user = await people.register('dora');
  const { secret } = await setUp(user);
  const statuses = new Map<number, number>();
  for (let guess = 0; guess < 1000; guess += 50) {
    const sent = Array.from({ length: 50 }, (_, index) => logIn(user, String(guess + index).padStart(6, '0')));
    for (const { status } of await Promise.all(sent)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([statuses.get(400) ?? 0, statuses.get(200)]).toEqual([5, undefined]);
  // The right one is refused as well: nobody learns which it was.
  expect((await logIn(user, codeOf(secret, PERIOD))).status).toBe(429);
});

test.each([[''], [7], [['123456']], [{ $ne: 1 }], ['x'.repeat(65)]])('%j is no code', async (code) => {
  const user = await people.register(`emil-${JSON.stringify(code).length}`);
  await setUp(user);
  expect((await logIn(user, code)).status).toBe(400);
});

test('who knows the password alone does not replace a factor, remove it or change the password', async () => {
  const user = await people.register('finn');
  const { secret, codes, confirmed } = await setUp(user);
  expect((await people.send('post', '/api/auth/second-factor', account(user))).status).toBe(400);
  const { jwt } = confirmed.body;
  const change = {
    currentPassword: passwordOf(user),
    password: 'another-secret',
    passwordConfirmation: 'another-secret',
  };
  const send = (path: string, body: object) => people.send('post', `/api/auth/${path}`, body, jwt);
  expect((await send('change-password', change)).body.error.name).toBe('SecondFactorNeededError');
  expect((await send('second-factor/remove', {})).body.error.name).toBe('SecondFactorNeededError');
  const changed = await send('change-password', { ...change, secondFactor: codes[0] });
  expect([changed.status, (await me(changed.body.jwt)).status]).toEqual([200, 200]);
  const removed = await people.send(
    'post',
    '/api/auth/second-factor/remove',
    { secondFactor: codeOf(secret, PERIOD) },
    changed.body.jwt,
  );
  expect(removed.body).toEqual({ ok: true });
  expect((await people.logIn('finn', 'another-secret')).status).toBe(200);
});

test('a code of a mail sets a new password, and no more', async () => {
  const user = await people.register('gail');
  const { secret } = await setUp(user);
  const forgotten = async () => {
    await people.service.entries.update('plugin::users-permissions.user', user.id, { resetPasswordToken: 'of-a-mail' });
    return { code: 'of-a-mail', password: 'new-secret', passwordConfirmation: 'new-secret' };
  };
  const refused = await people.send('post', '/api/auth/reset-password', await forgotten());
  expect([refused.body.error.name, (await people.logIn('gail', 'new-secret')).status]).toEqual([
    'SecondFactorNeededError',
    400,
  ]);
  const sent = { ...(await forgotten()), secondFactor: codeOf(secret, PERIOD) };
  const { status, body } = await people.send('post', '/api/auth/reset-password', sent);
  expect([status, (await me(body.jwt)).status]).toEqual([200, 200]);
});

test('a stolen database has neither a secret nor a recovery code', async () => {
  const user = await people.register('hugo');
  const { secret, codes } = await setUp(user);
  const { db } = people.service.database;
  const all: string[] = [];
  for (const { name } of await db.listCollections().toArray())
    all.push(JSON.stringify(await db.collection(name).find().toArray()));
  for (const text of [secret, ...codes]) expect(all.filter((stored) => stored.includes(text))).toEqual([]);
});

test('whoever may change a user takes the factor away; nobody else does, and nobody sees or writes it', async () => {
  const user = await people.register('ines');
  const { confirmed } = await setUp(user);
  const path = `/api/users/${user.id}/second-factor`;
  expect((await people.send('delete', path, undefined, confirmed.body.jwt)).status).toBe(403);
  await people.sendFreely('put', `/api/users/${user.id}`, { secondFactor: null });
  const shown = await people.sendFreely('get', `/api/users?populate=*&fields=*`);
  expect(JSON.stringify(shown.body)).not.toMatch(/secondFactor|recovery/);
  const filtered = await people.sendFreely('get', '/api/users?filters[secondFactor][$notNull]=true');
  expect(filtered.status).toBe(400);
  expect((await logIn(user)).status).toBe(401);
  // Tokens have their time in seconds.
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2000);
  expect((await people.sendFreely('delete', path)).body).toMatchObject({ username: 'ines' });
  expect((await me(confirmed.body.jwt)).status).toBe(401);
  expect((await logIn(user)).status).toBe(200);
  expect((await people.sendFreely('delete', '/api/users/999999/second-factor')).status).toBe(404);
});

test('nobody begins where nobody may log in', async () => {
  const user = await people.register('nora');
  const { body } = await people.sendFreely('get', '/api/users-permissions/roles');
  const { id } = body.roles.find(({ type }: { readonly type: string }) => type === 'public');
  const { permissions: before } = (await people.sendFreely('get', `/api/users-permissions/roles/${id}`)).body.role;
  await people.allow('public', ['plugin::users-permissions.auth.register']);
  for (const path of ['second-factor', 'second-factor/confirm'])
    expect((await people.send('post', `/api/auth/${path}`, account(user))).status).toBe(403);
  await people.sendFreely('put', `/api/users-permissions/roles/${id}`, { permissions: before });
  expect((await logIn(user)).status).toBe(200);
});

describe('a role that needs a factor', () => {
  test('is entered after one is set up only', async () => {
    const user = await people.register('jana');
    await declare(true);
    expect((await logIn(user)).body.error.name).toBe('SecondFactorMissingError');
    expect((await me(user.jwt)).status).toBe(401);
    const { confirmed } = await setUp(user);
    expect((await me(confirmed.body.jwt)).status).toBe(200);
  });

  test('gives no token to who registers, and stores the user', async () => {
    await declare(true);
    const input = { username: 'karl', email: 'karl@example.test', password: 'secret-of-karl' };
    const { status, body } = await people.send('post', '/api/auth/local/register', input);
    expect([status, body.jwt, body.user.username]).toEqual([200, undefined, 'karl']);
  });

  test('is closed on every route to a token that was issued before', async () => {
    const user = await people.register('lena');
    await declare(true);
    const routes = operationsOf((await people.sendFreely('get', '/documentation/openapi.json')).body as OpenApi);
    expect(routes.length).toBeGreaterThan(100);
    const open: string[] = [];
    for (const [method, path] of [...routes, ['post', '/graphql']] as const) {
      const { status } = await people.send(method as 'get', path, undefined, user.jwt);
      if (status !== 401) open.push(`${method} ${path}: ${status}`);
    }
    expect(open).toEqual([]);
  });
});

test('a secret that was sealed by another JWT_SECRET lets nobody in', async () => {
  const user = await people.register('mona');
  const { secret } = await setUp(user);
  const stored = { secondFactor: { secret: 'c2VhbGVkIGJ5IGFub3RoZXIga2V5IG9mIGFub3RoZXIgc2VydmljZQ', recovery: [] } };
  await people.service.entries.update('plugin::users-permissions.user', user.id, stored);
  expect((await logIn(user, codeOf(secret, PERIOD))).status).toBe(400);
});

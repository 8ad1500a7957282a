import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { openFeed } from '../../../support/change-feed.js';
import { monitoredUri } from '../../../support/commands.js';
import { usePeople, type AuthUser } from './users-client.js';
import { operationsOf, type OpenApi } from '../../../support/open-api.js';

const environment = { JWT_SECRET: 'a-secret-for-web-tokens', EVENTS: 'true' };
const plugins = {
  'users-permissions': { config: { rateLimit: false } },
  documentation: true,
  strapi5: true,
  mcp: true,
};
const people = usePeople({
  environment,
  plugins,
});
const agents = {
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  phone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
};
const passwordOf = ({ email }: AuthUser): string => `secret-of-${email.split('@', 1)[0]}`;
const user = 'plugin::users-permissions.user';

beforeEach(() =>
  people.allow('authenticated', ['plugin::users-permissions.user.me', 'plugin::users-permissions.auth.changePassword']),
);

/** The token of a log-in as the editor logs in. */
async function begin(of: AuthUser, agent: string = agents.firefox): Promise<string> {
  const { body } = await request(people.service.url)
    .post('/api/auth/local')
    .set('X-Session', 'true')
    .set('User-Agent', agent)
    .send({ identifier: of.email, password: passwordOf(of) });
  return body.jwt as string;
}
const me = async (jwt: string): Promise<number> => (await people.send('get', '/api/users/me', undefined, jwt)).status;
const list = async (jwt: string) =>
  (await people.send('get', '/api/auth/sessions', undefined, jwt)).body as readonly {
    readonly id: string;
    readonly since: string;
    readonly current: boolean;
  }[];
const claimsOf = (jwt: string): object =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as object;

test('whoever may change a user logs them out everywhere; nobody else does', async () => {
  const [user, other] = [await people.register('mila'), await people.register('nils')];
  const session = await begin(user);
  const path = `/api/users/${user.id}/sessions`;
  expect((await people.send('delete', path, undefined, other.jwt)).status).toBe(403);
  expect([await me(session), await me(user.jwt)]).toEqual([200, 200]);
  expect((await people.sendFreely('delete', path)).body).toMatchObject({ username: 'mila' });
  expect([await me(session), await me(user.jwt), await me(other.jwt)]).toEqual([401, 401, 200]);
  expect(await list(await begin(user))).toHaveLength(1);
  expect((await people.sendFreely('delete', '/api/users/999999/sessions')).status).toBe(404);
});

test('only who asks for a session gets one; all others get the tokens of Strapi v4', async () => {
  const ada = await people.register('ada');
  expect(Object.keys(claimsOf(ada.jwt))).toEqual(['id', 'iat', 'exp']);
  expect(Object.keys(claimsOf(await begin(ada)))).toEqual(['id', 'session', 'iat', 'exp']);
});

test('a user sees their sessions, the latest first, and ends one, which counts at once', async () => {
  const bob = await people.register('bob');
  const [old, current] = [await begin(bob, agents.phone), await begin(bob)];
  const sessions = await list(current);
  expect(sessions).toMatchObject([
    { browser: 'Firefox', system: 'Linux', current: true },
    { browser: 'Safari', system: 'iPhone', current: false },
  ]);
  expect(Date.now() - Date.parse(sessions[1]?.since ?? '')).toBeLessThan(60_000);
  const { status, body } = await people.send('delete', `/api/auth/sessions/${sessions[1]?.id}`, undefined, current);
  expect([status, body, await me(old), await me(current)]).toEqual([200, { ok: true }, 401, 200]);
  expect(await list(current)).toHaveLength(1);
});

test('nobody sees or ends the sessions of another', async () => {
  const [cleo, dora] = [await people.register('cleo'), await people.register('dora')];
  const [of, by] = [await begin(cleo), await begin(dora)];
  const [session] = await list(of);
  expect((await people.send('delete', `/api/auth/sessions/${session?.id}`, undefined, by)).status).toBe(404);
  expect((await people.send('delete', '/api/auth/sessions/unknown', undefined, of)).status).toBe(404);
  expect([await me(of), (await list(by)).length]).toEqual([200, 1]);
  for (const [method, path] of [
    ['get', '/api/auth/sessions'],
    ['delete', '/api/auth/sessions'],
    ['delete', `/api/auth/sessions/${session?.id}`],
    ['post', '/api/auth/logout'],
  ] as const) {
    expect((await people.send(method, path)).status).toBe(401);
    expect((await people.sendFreely(method, path)).status).toBe(401);
  }
});

test('a log-out ends the session of its token, and no other', async () => {
  const emil = await people.register('emil');
  const [one, two] = [await begin(emil), await begin(emil)];
  expect((await people.send('post', '/api/auth/logout', undefined, one)).body).toEqual({ ok: true });
  expect([await me(one), await me(two), await me(emil.jwt)]).toEqual([401, 200, 200]);
  expect((await people.send('post', '/api/auth/logout', undefined, emil.jwt)).status).toBe(400);
});

test('all others end together, with the tokens that have no session', async () => {
  const finn = await people.register('finn');
  const [one, two] = [await begin(finn), await begin(finn)];
  const [before] = await list(two);
  expect((await people.send('delete', '/api/auth/sessions', undefined, two)).body).toEqual({ ok: true });
  expect([await me(one), await me(two), await me(finn.jwt)]).toEqual([401, 200, 401]);
  expect(await list(two)).toEqual([before]);
});

describe('sessions end by', () => {
  const change = (password: string) => ({ password, passwordConfirmation: password });
  const endings: Readonly<Record<string, (of: AuthUser, jwt: string) => Promise<unknown>>> = {
    'a changed password': (of, jwt) =>
      people.send('post', '/api/auth/change-password', { currentPassword: passwordOf(of), ...change('another') }, jwt),
    'a password that another gives': ({ id }) => people.sendFreely('put', `/api/users/${id}`, { password: 'another' }),
    'a forgotten password': async ({ id }) => {
      await people.service.entries.update(user, id, { resetPasswordToken: 'of-a-mail' });
      return people.send('post', '/api/auth/reset-password', { code: 'of-a-mail', ...change('another') });
    },
    'another role': ({ id }) => people.sendFreely('put', `/api/users/${id}`, { role: 2 }),
    'a role that connects the user': ({ id }) =>
      people.sendFreely('put', `/api/users/${id}`, { role: { connect: [{ id: 2 }], disconnect: [{ id: 1 }] } }),
    'a block': ({ id }) => people.sendFreely('put', `/api/users/${id}`, { blocked: true }),
    'the end of the account': ({ id }) => people.sendFreely('delete', `/api/users/${id}`),
  };
  test.each(Object.entries(endings))('%s, and nothing opens them again', async (name, end) => {
    const of = await people.register(name.replaceAll(' ', '-'));
    const [jwt, other] = [await begin(of), await begin(of)];
    await end(of, jwt);
    expect([await me(jwt), await me(other)]).toEqual([401, 401]);
    expect(await people.service.database.db.collection('_sessions').findOne({ _id: of.id as never })).toMatchObject({
      sessions: [],
    });
    if (name === 'the end of the account') return;
    await people.sendFreely('put', `/api/users/${of.id}`, { blocked: false, role: 1 });
    expect([await me(jwt), await me(other)]).toEqual([401, 401]);
  });

  test('no change that is none', async () => {
    const of = await people.register('gail');
    const jwt = await begin(of);
    await people.sendFreely('put', `/api/users/${of.id}`, { role: 1, blocked: false, username: 'gail-2' });
    expect(await me(jwt)).toBe(200);
  });

  test('a new password begins another, where the client asks for one', async () => {
    const of = await people.register('hugo');
    const jwt = await begin(of);
    const { body } = await request(people.service.url)
      .post('/api/auth/change-password')
      .auth(jwt, { type: 'bearer' })
      .set('X-Session', 'true')
      .send({ currentPassword: passwordOf(of), ...change('another') });
    expect([await me(body.jwt), (await list(body.jwt)).length]).toEqual([200, 1]);
  });
});

describe('by time and number', () => {
  test('sessions run out with their tokens, and those that have are forgotten', async () => {
    const ines = await people.register('ines');
    await begin(ines);
    const later = Date.now() + 31 * 86_400_000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    try {
      const jwt = await begin(ines);
      expect(await list(jwt)).toHaveLength(1);
    } finally {
      jest.restoreAllMocks();
    }
  });

  test('a user has at most twenty: the oldest ends', async () => {
    const jana = await people.register('jana');
    const tokens = await Promise.all(Array.from({ length: 24 }, () => begin(jana)));
    const open = (await Promise.all(tokens.map(me))).filter((status) => status === 200);
    expect(open).toHaveLength(20);
  });
});

test('each User-Agent is shown in short words of a closed table', async () => {
  const karl = await people.register('karl');
  const jwt = await begin(karl, '<script>alert(1)</script>');
  expect(await list(jwt)).toMatchObject([{ browser: null, system: null }]);
});

describe('S82: an ended session', () => {
  let jwt: string;
  let open: string;
  beforeAll(async () => {
    const lena = await people.register('lena');
    [jwt, open] = [await begin(lena), await begin(lena)];
  });

  test('is refused at every door', async () => {
    await people.allow('authenticated', ['api::article.article.find']);
    // The doors that stay open.
    const subscription = await fetch(`${people.service.url}/graphql`, {
      method: 'POST',
      headers: { Accept: 'text/event-stream', 'Content-Type': 'application/json', Authorization: `Bearer ${jwt}` },
      body: JSON.stringify({ query: 'subscription { changes(types: ["articles"]) { id } }' }),
    });
    const feed = await openFeed(`${people.service.url}/api/changes?types=articles`, { Authorization: `Bearer ${jwt}` });
    expect(feed.response.status).toBe(200);
    await feed.next();
    expect((await people.send('post', '/api/auth/logout', undefined, jwt)).status).toBe(200);
    await people.sendFreely('post', '/api/articles', { data: { title: 'written after the log-out' } });
    expect(await feed.next()).toBeUndefined();
    expect([subscription.status, await subscription.text()]).toEqual([200, expect.not.stringContaining('"id"')]);
    const routes = operationsOf((await people.sendFreely('get', '/documentation/openapi.json')).body as OpenApi);
    expect(routes.length).toBeGreaterThan(100);
    const others = [
      ['post', '/graphql'],
      ['post', '/mcp'],
      ['get', '/v5/api/articles'],
      ['post', '/v5/graphql'],
    ] as const;
    const entered: string[] = [];
    for (const [method, path] of [...routes, ...others]) {
      const { status } = await people.send(method as 'get', path, undefined, jwt);
      if (status !== 401) entered.push(`${method} ${path}: ${status}`);
    }
    expect(entered).toEqual([]);
  });

  test('ends no other', async () => expect(await me(open)).toBe(200));
});

describe('in another process', () => {
  let other: TestService;
  beforeAll(async () => {
    other = await createTestService({
      contentTypes: 'tests/fixtures/corpus/content-types',
      environment,
      plugins,
      mongodbUri: monitoredUri(people.service.database.db.databaseName),
    });
  });
  afterAll(() => other.close());

  test('a log-out counts for the next request, although the user is known there', async () => {
    const mona = await people.register('mona');
    for (let round = 0; round < 5; round += 1) {
      const jwt = await begin(mona);
      const there = () => request(other.url).get('/api/users/me').auth(jwt, { type: 'bearer' });
      expect((await there()).status).toBe(200);
      await people.send('post', '/api/auth/logout', undefined, jwt);
      expect((await there()).status).toBe(401);
    }
  });
});

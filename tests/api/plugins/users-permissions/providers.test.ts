import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { corpus, type Answer } from '../../../support/service.js';
import { client, startOpenIdProvider, type OpenIdProvider } from './open-id-provider.js';

const PUBLIC_URL = 'https://cms.test';
const page = 'https://shop.test/connect/redirect';
let [house, other]: OpenIdProvider[] = [];
let service: TestService;
beforeAll(async () => {
  [house, other] = [await startOpenIdProvider(), await startOpenIdProvider()];
  const common = { ...client, enabled: true, callback: page };
  const providers = {
    house: { ...common, issuer: house.issuer },
    other: { ...common, issuer: other.issuer, acceptAccessTokens: true },
    bound: { ...common, issuer: house.issuer, sameBrowser: true },
    staff: {
      ...common,
      issuer: house.issuer,
      roles: [
        { claim: 'groups', value: 'chiefs', role: 'chief' },
        { claim: 'realm.roles', value: 'writer', role: 'authenticated' },
        { claim: 'department', value: 'lost', role: 'not-there' },
      ],
    },
    off: { ...common, issuer: other.issuer, enabled: false },
    away: { ...common, issuer: 'http://127.0.0.1:9' },
    github: { ...common, icon: 'github', scope: ['user', 'user:email'] },
  };
  service = await createTestService({
    contentTypes: corpus,
    mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
    environment: { PUBLIC_URL },
    plugins: { 'users-permissions': { config: { rateLimit: false, providers } } },
  });
  await service.entries.create('plugin::users-permissions.role', { name: 'Chief', type: 'chief' });
});
afterAll(async () => {
  await service.close();
  await house?.close();
  await other?.close();
});
const at = (name: string): OpenIdProvider => {
  const provider = name === 'house' ? house : other;
  if (provider === undefined) throw new Error('not started');
  return provider;
};
const be = (name: string, more: Readonly<Record<string, unknown>> = {}): void => {
  const person = { sub: `sub of ${name}`, email: `${name}@Example.test`, email_verified: true, ...more };
  Object.assign(at('house'), { person, idToken: {} });
  Object.assign(at('other'), { person, idToken: {} });
};
beforeEach(() => be('somebody'));

const get = async (path: string, cookie = ''): Promise<Answer> =>
  request(service.url)
    .get(path)
    .set(cookie === '' ? {} : { Cookie: cookie });
const headerOf = (answer: Answer, name: string): string => [answer.headers[name] ?? ''].flat().join();
const cookieOf = (answer: Answer): string => headerOf(answer, 'set-cookie').split(';', 1)[0] ?? '';
/** The request of a browser after the provider has redirected it. */
async function visit(answer: Answer): Promise<string> {
  const { headers } = await fetch(headerOf(answer, 'location'), { redirect: 'manual' });
  return (headers.get('location') ?? '').replace(PUBLIC_URL, '');
}
/** Goes the whole way, to the address of the front end's page. */
async function goThrough(provider: string, query = ''): Promise<URL> {
  const begun = await get(`/api/connect/${provider}${query}`);
  expect(begun.status).toBe(302);
  return new URL(headerOf(await get(await visit(begun), cookieOf(begun)), 'location'));
}
const logIn = (provider: string, token: string | null): Promise<Answer> =>
  get(`/api/auth/${provider}/callback?access_token=${token ?? ''}`);
/** As `name`, at a provider, to the answer with the token. */
async function logInAs(name: string, provider = 'house'): Promise<Answer> {
  be(name);
  return logIn(provider, (await goThrough(provider)).searchParams.get('access_token'));
}
const register = (name: string) =>
  request(service.url)
    .post('/api/auth/local/register')
    .send({ username: name, email: `${name}@example.test`, password: `secret-of-${name}` });
const messageOf = ({ status, body }: Answer): readonly unknown[] => [status, body.error?.name, body.error?.message];

describe('a user who logs in by a provider', () => {
  test('is registered the first time and logged in each time', async () => {
    be('ada', { preferred_username: 'Ada L.' });
    const arrived = await goThrough('house');
    expect(`${arrived.origin}${arrived.pathname}`).toBe(page);
    const first = await logIn('house', arrived.searchParams.get('access_token'));
    expect(first.body).toMatchObject({
      jwt: expect.any(String),
      user: { username: 'Ada L.', email: 'ada@example.test', provider: 'house', confirmed: true, blocked: false },
    });
    expect(first.body.user).not.toHaveProperty('password');
    const me = await request(service.url).get('/api/users/me').auth(first.body.jwt, { type: 'bearer' });
    expect(me.body.username).toBe('Ada L.');
    expect((await logInAs('ada')).body.user.id).toBe(first.body.user.id);
    const stored = await service.database.db.collection('up_users').findOne({ email: 'ada@example.test' });
    expect(stored).toMatchObject({ role: 1, provider: 'house' });
  });

  test('gets another name if that of the provider is taken or equals an email address', async () => {
    await register('bob');
    be('bob2', { preferred_username: 'bob' });
    const named = await logIn('house', (await goThrough('house')).searchParams.get('access_token'));
    expect(named.body.user.username).toMatch(/^bob-\w{8}$/);
    be('bob3', { preferred_username: 'BOB@example.test' });
    const misleading = await logIn('house', (await goThrough('house')).searchParams.get('access_token'));
    expect(misleading.body.user.username).toMatch(/^BOB@example.test-\w{8}$/);
  });

  test('is not linked to an account with a password or of another provider with the same address', async () => {
    await register('carl');
    expect(messageOf(await logInAs('carl'))).toEqual([400, 'ApplicationError', 'Email is already taken.']);
    await logInAs('dave');
    expect(messageOf(await logInAs('dave', 'other'))).toEqual([400, 'ApplicationError', 'Email is already taken.']);
  });

  test('cannot log in with a password, not even an empty one', async () => {
    await logInAs('edda');
    for (const password of ['', 'x', 'secret-of-edda']) {
      const answer = await request(service.url).post('/api/auth/local').send({ identifier: 'edda', password });
      expect(answer.status).toBe(400);
    }
  });

  test('is informed if blocked', async () => {
    const { body } = await logInAs('fay');
    await service.entries.update('plugin::users-permissions.user', body.user.id, { blocked: true });
    const message = 'Your account has been blocked by an administrator';
    expect(messageOf(await logInAs('fay'))).toEqual([400, 'ApplicationError', message]);
  });

  test.each([
    ['without an address', { email: undefined }, 'Email was not available.'],
    ['with something else in place of an address', { email: { $ne: null } }, 'Email was not available.'],
    ['with an unverified address', { email_verified: false }, 'Email is not verified.'],
    ['with an unverified address, as a string', { email_verified: 'false' }, 'Email is not verified.'],
  ])('%s is redirected with an error', async (_, person, error) => {
    be('gil', person);
    expect(Object.fromEntries((await goThrough('house')).searchParams)).toEqual({ error });
  });

  test('becomes one account in ten concurrent logins', async () => {
    be('hal');
    const arrivals = await Promise.all(Array.from({ length: 10 }, () => goThrough('house')));
    const answers = await Promise.all(arrivals.map((url) => logIn('house', url.searchParams.get('access_token'))));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });
});

describe('the redirect to a provider', () => {
  test('has state, nonce and code challenge, and an HttpOnly cookie', async () => {
    const begun = await get('/api/connect/house');
    const { origin, searchParams } = new URL(headerOf(begun, 'location'));
    expect(origin).toBe(at('house').issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: client.key,
      response_type: 'code',
      redirect_uri: `${PUBLIC_URL}/api/connect/house/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^\w{40}$/),
      nonce: expect.stringMatching(/^\w{40}$/),
      code_challenge: expect.any(String),
      code_challenge_method: 'S256',
    });
    expect(headerOf(begun, 'set-cookie')).toMatch(
      /; Max-Age=600; Path=\/api\/connect; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('uses the preset of the provider and the configured scope', async () => {
    const { origin, pathname, searchParams } = new URL(headerOf(await get('/api/connect/github'), 'location'));
    expect(`${origin}${pathname}`).toBe('https://github.com/login/oauth/authorize');
    expect(searchParams.get('scope')).toBe('user,user:email');
    expect(searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}/api/connect/github/callback`);
    expect(searchParams.get('state')).toMatch(/^\w{40}$/);
  });

  test('S52: returns only to the configured page or another of its site', async () => {
    const wished = `${new URL(page).origin}/elsewhere?x=1`;
    const arrived = await goThrough('house', `?callback=${encodeURIComponent(wished)}`);
    expect([arrived.pathname, arrived.searchParams.get('x')]).toEqual(['/elsewhere', '1']);
    for (const callback of [
      'http://evil.test',
      'https://shop.test.evil.test/',
      '//evil.test',
      '/page',
      'javascript:1',
      `blob:${wished}`,
    ]) {
      const refused = await get(`/api/connect/house?callback=${encodeURIComponent(callback)}`);
      expect(messageOf(refused)).toEqual([400, 'ValidationError', 'Invalid callback URL provided']);
    }
    for (const query of ['?callback[]=https://evil.test', '?callback[x]=1']) {
      expect((await get(`/api/connect/house${query}`)).status).toBe(400);
    }
    const evil = { Host: 'evil.test', 'X-Forwarded-Host': 'evil.test' };
    const begun = await request(service.url).get('/api/connect/house').set(evil);
    expect(begun.headers['location']).not.toContain('evil');
  });

  test.each(['off', 'unknown', 'google', '__proto__', 'email'])('is refused for the provider %s', async (name) => {
    for (const path of [`/api/connect/${name}`, `/api/connect/${name}/callback?code=x`]) {
      expect(messageOf(await get(path))).toEqual([400, 'ApplicationError', 'This provider is disabled']);
    }
    expect(messageOf(await logIn(name, 'x'))).toEqual([400, 'ApplicationError', 'This provider is disabled']);
  });

  test('asks for a token of passwords, which are an enabled provider in Strapi v4', async () => {
    expect(messageOf(await get('/api/auth/email/callback'))).toEqual([400, 'ApplicationError', 'No access_token.']);
    const answer = await get('/api/auth/google/callback');
    expect(messageOf(answer)).toEqual([400, 'ApplicationError', 'This provider is disabled']);
  });

  test('is refused without a 500 if the provider does not answer', async () => {
    const message = 'The provider does not answer, or refuses the access token';
    expect(messageOf(await get('/api/connect/away'))).toEqual([400, 'ApplicationError', message]);
  });
});

describe('S87: the callback of a provider', () => {
  const errorOf = (answer: Answer): unknown => {
    const { origin, pathname, searchParams } = new URL(headerOf(answer, 'location'));
    expect([`${origin}${pathname}`, searchParams.get('access_token')]).toEqual([page, null]);
    return searchParams.get('error');
  };

  test('is valid once, in the browser that started the login', async () => {
    const begun = await get('/api/connect/house');
    const back = await visit(begun);
    expect(errorOf(await get(back))).toBe('The provider refused');
    const arrived = await get(back, cookieOf(begun));
    expect(headerOf(arrived, 'location')).toContain('access_token=');
    expect(headerOf(arrived, 'set-cookie')).toMatch(/; Max-Age=0;/);
    expect(errorOf(await get(back, cookieOf(begun)))).toBe('invalid_grant');
  });

  test('is refused with another state, without a state, and with a modified cookie', async () => {
    const [mine, theirs] = [await get('/api/connect/house'), await get('/api/connect/house')];
    const back = await visit(theirs);
    expect(errorOf(await get(back, cookieOf(mine)))).toBe('Grant: OAuth2 state mismatch');
    expect(errorOf(await get(back.replace(/state=\w+/, ''), cookieOf(theirs)))).toBe('Grant: OAuth2 state mismatch');
    expect(errorOf(await get(back, cookieOf(theirs).slice(0, -3)))).toBe('The provider refused');
  });

  test('is refused by the callback of another provider', async () => {
    const begun = await get('/api/connect/house');
    const back = (await visit(begun)).replace('/house/', '/other/');
    expect(errorOf(await get(back, cookieOf(begun)))).toBe('The provider refused');
  });

  test("passes on the provider's error if it is a plain word", async () => {
    const begun = await get('/api/connect/house');
    const path = '/api/connect/house/callback?error=';
    expect(errorOf(await get(`${path}access_denied`, cookieOf(begun)))).toBe('access_denied');
    expect(errorOf(await get(`${path}%3Cscript%3E`, cookieOf(begun)))).toBe('The provider refused');
  });

  test.each([
    ['of another issuer', { iss: 'https://evil.test' }, 'The provider did not return a valid id token'],
    ['about another user', { sub: 'another' }, 'The provider did not return a valid id token'],
    ['that is over', { exp: 1 }, 'The provider did not return a valid id token'],
    ['for another application', { aud: 'another' }, 'Grant: OpenID Connect invalid id_token audience'],
    [
      'for several, of which another asked',
      { aud: [client.key, 'x'], azp: 'x' },
      'The provider did not return a valid id token',
    ],
    ['of another log-in', { nonce: 'another' }, 'Grant: OpenID Connect nonce mismatch'],
    ['of no log-in', { nonce: undefined }, 'Grant: OpenID Connect nonce mismatch'],
  ])('is refused with an id token %s', async (_, idToken, error) => {
    at('house').idToken = idToken;
    expect((await goThrough('house')).searchParams.get('error')).toBe(error);
  });
});

describe('the access_token passed to the front end', () => {
  test("is not the provider's token, and is valid once, for that provider only", async () => {
    be('ivy');
    const token = (await goThrough('house')).searchParams.get('access_token');
    expect(messageOf(await logIn('other', token))).toEqual([400, 'ApplicationError', 'Invalid access_token.']);
    const second = (await goThrough('house')).searchParams.get('access_token');
    expect((await logIn('house', second)).status).toBe(200);
    expect(messageOf(await logIn('house', second))).toEqual([400, 'ApplicationError', 'Invalid access_token.']);
  });

  test('is not accepted as a token of the API', async () => {
    be('jan');
    const token = (await goThrough('house')).searchParams.get('access_token') ?? '';
    expect((await request(service.url).get('/api/users/me').auth(token, { type: 'bearer' })).status).toBe(401);
    const { body } = await logIn('house', token);
    expect(messageOf(await logIn('house', body.jwt))).toEqual([400, 'ApplicationError', 'Invalid access_token.']);
  });

  test('reveals nothing about the user, nor does its stored form', async () => {
    be('lea');
    const token = (await goThrough('house')).searchParams.get('access_token') ?? '';
    expect(token).toMatch(/^code-[\w-]{43}$/);
    const stored = await service.database.db.collection<{ _id: string }>('_claims').find().toArray();
    expect(stored.some(({ _id }) => _id.includes(token))).toBe(false);
    await logIn('house', token);
    expect(JSON.stringify(await service.database.db.collection('_claims').find().toArray())).not.toContain('lea@');
  });

  test('is valid once in concurrent requests', async () => {
    be('mia');
    const token = (await goThrough('house')).searchParams.get('access_token');
    const answers = await Promise.all(Array.from({ length: 8 }, () => logIn('house', token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(400)]);
  });

  test('is invalid after five minutes', async () => {
    be('ned');
    const token = (await goThrough('house')).searchParams.get('access_token');
    const claims = service.database.db.collection('_claims');
    await claims.updateMany({ text: { $exists: true } }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect(messageOf(await logIn('house', token))).toEqual([400, 'ApplicationError', 'Invalid access_token.']);
  });

  test('is refused in another browser, and with sameBrowser also without a cookie', async () => {
    be('olga');
    const arrive = async (name: string) => {
      const begun = await get(`/api/connect/${name}`);
      const arrived = await get(await visit(begun), cookieOf(begun));
      const cookies = [arrived.headers['set-cookie'] ?? ''].flat();
      const cookie = cookies.find((one) => one.startsWith('content-service-code=')) ?? '';
      const token = new URL(headerOf(arrived, 'location')).searchParams.get('access_token') ?? '';
      return { cookie, path: `/api/auth/${name}/callback?access_token=${token}` };
    };
    const [mine, theirs] = [await arrive('house'), await arrive('house')];
    expect(mine.cookie).toMatch(/; Max-Age=300; Path=\/api\/auth; HttpOnly; SameSite=Lax; Secure$/);
    const invalid = [400, 'ApplicationError', 'Invalid access_token.'];
    expect(messageOf(await get(theirs.path, mine.cookie.split(';', 1)[0]))).toEqual(invalid);
    expect((await get(mine.path, `a=b; ${mine.cookie.split(';', 1)[0]}`)).status).toBe(200);
    be('oskar');
    const [first, second] = [await arrive('bound'), await arrive('bound')];
    expect(messageOf(await get(first.path))).toEqual(invalid);
    expect((await get(second.path, second.cookie.split(';', 1)[0])).status).toBe(200);
  });

  test.each(['', 'x', 'a.b.c', 'x'.repeat(43), '$'.repeat(43)])('is refused as %j', async (token) => {
    expect((await logIn('house', token)).status).toBe(400);
  });

  test("can be the provider's own token with acceptAccessTokens", async () => {
    be('kim');
    expect(messageOf(await logIn('house', at('house').giveToken()))).toEqual([
      400,
      'ApplicationError',
      'Invalid access_token.',
    ]);
    expect((await logIn('other', at('other').giveToken())).body.user.email).toBe('kim@example.test');
    const message = 'The provider does not answer, or refuses the access token';
    expect(messageOf(await logIn('other', 'unknown'))).toEqual([400, 'ApplicationError', message]);
  });
});

describe('a provider with a table of roles', () => {
  const noRole = [400, 'ApplicationError', 'Your account at the provider has no role here'];
  const enter = async (name: string, claims: Readonly<Record<string, unknown>>): Promise<Answer> => {
    be(name, claims);
    return logIn('staff', (await goThrough('staff')).searchParams.get('access_token'));
  };
  const stored = async (name: string) => {
    const filters = { email: `${name}@example.test` };
    return service.entries.findFirst('plugin::users-permissions.user', { filters, populate: 'role' });
  };
  const roleOf = async (name: string): Promise<unknown> =>
    ((await stored(name))?.['role'] as { readonly type: string } | undefined)?.type;
  const me = async ({ body }: Answer): Promise<number> =>
    (await request(service.url).get('/api/users/me').auth(body.jwt, { type: 'bearer' })).status;

  test('makes an account with the role of the first row that is true, and changes it at each login', async () => {
    expect((await enter('pia', { groups: ['all', 'chiefs'], realm: { roles: 'writer' } })).status).toBe(200);
    expect(await roleOf('pia')).toBe('chief');
    expect((await enter('pia', { groups: ['all'], realm: { roles: ['writer'] } })).status).toBe(200);
    expect(await roleOf('pia')).toBe('authenticated');
    be('pia');
    at('house').idToken = { groups: ['chiefs'] };
    const fromIdToken = await logIn('staff', (await goThrough('staff')).searchParams.get('access_token'));
    expect([fromIdToken.status, await roleOf('pia')]).toEqual([200, 'chief']);
  });

  test.each([
    ['without the claim', {}],
    ['with part of the value', { groups: 'chiefs of others' }],
    ['with the value elsewhere', { groups: { chiefs: true }, realm: 'writer' }],
    ['with a row whose role is not there', { department: 'lost' }],
  ])('makes no account %s', async (_, claims) => {
    expect(messageOf(await enter('quin', claims))).toEqual(noRole);
    expect(await stored('quin')).toBeUndefined();
  });

  test('ends the tokens of a user whose claim is gone, until it is there again', async () => {
    const before = await enter('rita', { realm: { roles: ['writer'] } });
    expect(await me(before)).toBe(200);
    expect(messageOf(await enter('rita', { groups: [] }))).toEqual(noRole);
    expect(await me(before)).toBe(401);
    expect(await me(await enter('rita', { realm: { roles: ['writer'] } }))).toBe(200);
  });

  test.each([undefined, false, null, 'yes'])('refuses an address with email_verified %j', async (email_verified) => {
    be('sven', { groups: ['chiefs'], email_verified });
    expect((await goThrough('staff')).searchParams.get('error')).toBe('Email is not verified.');
  });

  test('S81: gives no token by another door: not by a new password, mailed or changed', async () => {
    const { body } = await enter('tom', { realm: { roles: ['writer'] } });
    const user = 'plugin::users-permissions.user';
    await service.entries.update(user, body.user.id, { password: 'secret-of-tom', resetPasswordToken: 'mailed' });
    const own = await enter('tom', { realm: { roles: ['writer'] } });
    const passwords = { password: 'another-of-tom', passwordConfirmation: 'another-of-tom' };
    const post = (path: string, data: object) => request(service.url).post(path).send(data);
    const refused = [400, 'ApplicationError', 'This account logs in with its provider'];
    expect(messageOf(await post('/api/auth/reset-password', { ...passwords, code: 'mailed' }))).toEqual(refused);
    const changed = await post('/api/auth/change-password', { ...passwords, currentPassword: 'secret-of-tom' }).auth(
      own.body.jwt,
      { type: 'bearer' },
    );
    expect(messageOf(changed)).toEqual(refused);
    const byPassword = await post('/api/auth/local', { identifier: 'tom@example.test', password: 'secret-of-tom' });
    expect(byPassword.status).toBe(400);
    expect(await me(own)).toBe(200);
  });

  test('does not take over an account with a password', async () => {
    await register('uwe');
    const answer = await enter('uwe', { groups: ['chiefs'] });
    expect(messageOf(answer)).toEqual([400, 'ApplicationError', 'Email is already taken.']);
    expect(await roleOf('uwe')).toBe('authenticated');
  });

  test('S84: gives the account to the person and not to the address, which another person can get', async () => {
    const writer = { realm: { roles: ['writer'] } };
    const vera = await enter('vera', writer);
    const other = [400, 'ApplicationError', 'This address belongs to the account of another person'];
    for (const claims of [{ groups: ['chiefs'] }, { groups: [] }])
      expect(messageOf(await enter('vera', { sub: 'somebody else', ...claims }))).toEqual(other);
    expect([await me(vera), await roleOf('vera')]).toEqual([200, 'authenticated']);
    const moved = await enter('vera', { email: 'vera.new@example.test', ...writer });
    expect([moved.status, moved.body.user.id]).toEqual([200, vera.body.user.id]);
    const ended = await enter('vera', { email: 'vera.new@example.test' });
    expect([messageOf(ended), await me(vera)]).toEqual([noRole, 401]);
  });

  test('knows who had an account before subjects were kept by the address, once', async () => {
    const writer = { realm: { roles: ['writer'] } };
    const { body } = await enter('wim', writer);
    await service.entries.update('plugin::users-permissions.user', body.user.id, { providerSubject: null });
    expect((await enter('wim', writer)).body.user.id).toBe(body.user.id);
    expect((await enter('wim', { sub: 'somebody else', ...writer })).status).toBe(400);
    expect(JSON.stringify((await enter('wim', writer)).body)).not.toContain('sub of wim');
  });

  test('makes one account of two logins at once', async () => {
    const writer = { realm: { roles: ['writer'] } };
    be('xaver', writer);
    const codes = [await goThrough('staff'), await goThrough('staff')].map(({ searchParams }) =>
      searchParams.get('access_token'),
    );
    const answers = await Promise.all(codes.map((code) => logIn('staff', code)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body.user.id).toBe(answers[1]?.body.user.id);
  });
});

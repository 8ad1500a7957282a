import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { parseSettings } from '../../../../src/plugins/users-permissions/settings.js';
import { createJsonWebTokens } from '../../../../src/plugins/users-permissions/auth/jwt.js';
import { usePeople, type AuthUser } from './users-client.js';

const JWT_SECRET = 'a-secret-for-web-tokens';
const people = usePeople({ environment: { JWT_SECRET } });

type Claims = Readonly<Record<string, unknown>>;
const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const digests: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** A token made by hand, as an attacker makes it. */
function forge(payload: Claims, header: Claims = {}, secret = JWT_SECRET): string {
  const head = { alg: 'HS256', typ: 'JWT', ...header };
  const text = `${encode(head)}.${encode(payload)}`;
  const digest = digests[head.alg];
  return `${text}.${digest === undefined ? '' : createHmac(digest, secret).update(text).digest('base64url')}`;
}
const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
/** In seconds: this file may be loaded long before it runs. */
const now = (): number => Math.floor(Date.now() / 1000);
const good = (id: unknown): Claims => ({ id, iat: now() - 10, exp: now() + 1000 });
const me = (token: string) => people.send('get', '/api/users/me', undefined, token);
const refused = {
  data: null,
  error: { status: 401, name: 'UnauthorizedError', message: 'Missing or invalid credentials', details: {} },
};

test('a token contains { id, iat, exp } and is valid for 30 days', async () => {
  const { id, jwt } = await people.register('lena');
  const [head = '', payload = ''] = jwt.split('.');
  expect(decode(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
  const { iat, exp, ...rest } = decode(payload) as { iat: number; exp: number };
  expect([rest, exp - iat]).toEqual([{ id }, 30 * 86_400]);
  expect((await me(forge(good(id)))).status).toBe(200);
});

describe('S26, S40, S41: the same 401 response is returned for', () => {
  const forgeries: readonly (readonly [string, (id: number) => string])[] = [
    ['an id that is an operator', () => forge(good({ $ne: 0 }))],
    ['an id that is a string', (id) => forge(good(String(id)))],
    ['an id that is a fraction', () => forge(good(1.5))],
    ['no id', () => forge(good(undefined))],
    ['the algorithm none', (id) => forge(good(id), { alg: 'none' })],
    ['the algorithm HS384', (id) => forge(good(id), { alg: 'HS384' })],
    ['the algorithm HS512', (id) => forge(good(id), { alg: 'HS512' })],
    ['a key of its own', (id) => forge(good(id), { jwk: { kty: 'oct', k: 'eA' }, kid: '../x' }, 'x')],
    ['another secret', (id) => forge(good(id), {}, 'another-secret')],
    ['a token that is cut off', (id) => forge(good(id)).slice(0, -4)],
    ['a token that is over', (id) => forge({ ...good(id), exp: now() - 1 })],
    ['a token of the future', (id) => forge({ ...good(id), nbf: now() + 1000 })],
    ['a user that was never there', () => forge(good(999_999))],
    ['no token at all', () => 'x.y.z'],
  ];
  let person: Promise<AuthUser> | undefined;
  test.each(forgeries)('%s', async (_, make) => {
    person ??= people.register('maja');
    const { status, body } = await me(make((await person).id));
    expect([status, body]).toEqual([401, refused]);
  });

  test('a blocked user', async () => {
    const { id, jwt } = await people.register('nils');
    expect((await me(jwt)).status).toBe(200);
    await people.sendFreely('put', `/api/users/${id}`, { blocked: true });
    expect((await me(jwt)).body).toEqual(refused);
    await people.sendFreely('put', `/api/users/${id}`, { blocked: false });
    expect((await me(jwt)).status).toBe(200);
  });

  test('a deleted user', async () => {
    const { id, jwt } = await people.register('olga');
    expect((await me(jwt)).status).toBe(200);
    await people.sendFreely('delete', `/api/users/${id}`);
    expect((await me(jwt)).body).toEqual(refused);
  });
});

describe('S42: a new password invalidates earlier tokens', () => {
  test('when the user changes it, and the new token is valid immediately', async () => {
    const { jwt } = await people.register('paul');
    const [password, passwordConfirmation] = ['a-new-secret', 'a-new-secret'];
    const input = { currentPassword: 'secret-of-paul', password, passwordConfirmation };
    const { status, body } = await people.send('post', '/api/auth/change-password', input, jwt);
    expect(status).toBe(200);
    expect((await me(jwt)).body).toEqual(refused);
    expect((await me(body.jwt)).status).toBe(200);
    expect((await me((await people.logIn('paul', password)).body.jwt)).status).toBe(200);
  });

  test('when a caller with permission sets it', async () => {
    const { id, jwt } = await people.register('quinn');
    await people.sendFreely('put', `/api/users/${id}`, { password: 'another-secret' });
    expect((await me(jwt)).body).toEqual(refused);
  });

  test('but other changes do not', async () => {
    const { id, jwt } = await people.register('rosa');
    await people.sendFreely('put', `/api/users/${id}`, { username: 'rosalind' });
    expect((await me(jwt)).status).toBe(200);
  });
});

test('S41: another algorithm is accepted only where the settings choose it, and then alone', async () => {
  const user = { id: 1, passwordChangedAt: null };
  const tokens = (config: Claims) => createJsonWebTokens(JWT_SECRET, parseSettings({ jwt: config }));
  const [usual, long] = [tokens({}), tokens({ algorithm: 'HS512' })];
  const [ofUsual, ofLong] = [
    await usual.issue(user, { hasProved: false }),
    await long.issue(user, { hasProved: false }),
  ];
  expect(await long.read(ofLong)).toMatchObject({ id: 1 });
  expect([await long.read(ofUsual), await usual.read(ofLong)]).toEqual([undefined, undefined]);
  for (const algorithm of ['none', 'RS256', '']) expect(() => tokens({ algorithm })).toThrow('config.jwt.algorithm');
});

describe('a header Authorization that is not "Bearer <token>"', () => {
  const lenient = usePeople({ environment: { UNKNOWN_AUTHORIZATION: 'ignore' } });
  const list = async ({ service }: Pick<typeof people, 'service'>, authorization: string) =>
    (await fetch(`${service.url}/api/articles`, { headers: { authorization } })).status;
  const read = 'api::article.article.find';

  test.each(['Basic YWxpY2U6eA==', 'Bearer', 'Bearer a b', 'a-key-without-scheme'])(
    'is refused, or counts as none with UNKNOWN_AUTHORIZATION=ignore: %s',
    async (authorization) => {
      await people.allow('public', [read]);
      await lenient.allow('public', [read]);
      expect([await list(people, authorization), await list(lenient, authorization)]).toEqual([401, 200]);
      expect(await list(people, '')).toBe(200);
    },
  );
});

import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { holdLock } from '../../../../src/mongo/coordination/locks.js';
import { createAuthenticator, type Wrong } from '../../../support/authenticator.js';
import { usePeople, type AuthUser } from './users-client.js';

const origin = 'https://cms.example.org';
const site = { origin, rpId: 'cms.example.org' };
const people = usePeople({
  environment: { PUBLIC_URL: origin },
  plugins: { 'users-permissions': { config: { rateLimit: { attempts: 5, minutes: 5 } } } },
});
const passwordOf = ({ email }: AuthUser): string => `secret-of-${email.split('@', 1)[0]}`;
const account = (user: AuthUser) => ({ identifier: user.email, password: passwordOf(user) });
const post = (path: string, body: object, jwt?: string) => people.send('post', `/api/auth/${path}`, body, jwt);
const logIn = (user: AuthUser, proof: object = {}) => post('local', { ...account(user), ...proof });
const me = async (jwt: string) => (await people.send('get', '/api/users/me', undefined, jwt)).status;
let last = 0;
const newUser = (): Promise<AuthUser> => people.register(`user-${(last += 1)}`);
type Asked = { readonly challenge: string };

/** Sets a passkey up as the factor of a user. */
async function setUp(user: AuthUser, name?: string) {
  const authenticator = createAuthenticator(site);
  const begun = (await post('second-factor', account(user))).body as { readonly passkey: Asked };
  const newPasskey = authenticator.create(begun.passkey);
  const confirmed = await post('second-factor/confirm', { ...account(user), newPasskey, ...(name && { name }) });
  return { authenticator, asked: begun.passkey, newPasskey, confirmed, jwt: confirmed.body.jwt as string };
}
/** What the passkeys of a user have to sign. */
const askedOf = async (user: AuthUser): Promise<Asked> => (await logIn(user)).body.error.details.passkey;

beforeAll(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.now()));
afterAll(() => void jest.restoreAllMocks());
beforeEach(async () => {
  await people.service.database.db.collection('_rate_limits').deleteMany({});
  await people.allow('authenticated', [
    'plugin::users-permissions.auth.changePassword',
    'plugin::users-permissions.user.me',
  ]);
});

test('whoever has set a passkey up logs in with it, and earlier tokens end', async () => {
  const user = await people.register('ada');
  const { authenticator, confirmed, jwt } = await setUp(user);
  expect([confirmed.status, confirmed.body.recoveryCodes.length]).toEqual([200, 10]);
  expect([await me(jwt), await me(user.jwt)]).toEqual([200, 401]);
  const needed = await logIn(user);
  expect(needed.body.error).toMatchObject({
    name: 'SecondFactorNeededError',
    details: { codes: false, passkey: { rpId: site.rpId, allowCredentials: [{ transports: ['internal'] }] } },
  });
  const passkey = authenticator.sign(needed.body.error.details.passkey);
  const { status, body } = await logIn(user, { passkey });
  expect([status, await me(body.jwt)]).toEqual([200, 200]);
  // A recovery code is for who has lost it, and no code of an app is right.
  expect((await logIn(user, { secondFactor: confirmed.body.recoveryCodes[0] })).status).toBe(200);
  expect((await logIn(user, { secondFactor: '123456' })).status).toBe(400);
});

describe('S85: what was signed is refused', () => {
  const other = createAuthenticator(site);
  test.each<readonly [string, Wrong]>([
    ['for another site', { origin: 'https://evil.example.org' }],
    ['for another name', { rpId: 'evil.example.org' }],
    ['for another challenge', { challenge: Buffer.alloc(54).toString('base64url') }],
    ['for no challenge', { challenge: '' }],
    ['by nobody who is there', { isAlone: true }],
    ['by a copy, whose counter goes back', { counter: 0 }],
  ])('%s', async (_, wrong) => {
    const user = await newUser();
    const { authenticator } = await setUp(user);
    expect((await logIn(user, { passkey: authenticator.sign(await askedOf(user), { counter: 5 }) })).status).toBe(200);
    const asked = await askedOf(user);
    const { body } = await logIn(user, { passkey: authenticator.sign(asked, { counter: 6, ...wrong }) });
    expect([body.error?.message, body.jwt]).toEqual(['Invalid passkey', undefined]);
    // It was refused for that alone.
    expect((await logIn(user, { passkey: authenticator.sign(asked, { counter: 7 }) })).status).toBe(200);
  });

  test('a second time, also at once', async () => {
    const user = await people.register('carl');
    const { authenticator } = await setUp(user);
    const passkey = authenticator.sign(await askedOf(user));
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => logIn(user, { passkey })))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400, 400, 400]);
    // One that does not count is no exception.
    const asked = await askedOf(user);
    const again = authenticator.sign(asked, { counter: 9 });
    expect((await logIn(user, { passkey: again })).status).toBe(200);
    expect((await logIn(user, { passkey: authenticator.sign(asked, { counter: 10 }) })).status).toBe(400);
  });

  test('too late, for another user, and by another passkey', async () => {
    const [user, thief] = [await people.register('dora'), await people.register('eve')];
    const { authenticator } = await setUp(user);
    const { authenticator: own } = await setUp(thief);
    const asked = await askedOf(user);
    expect((await logIn(user, { passkey: own.sign(asked) })).status).toBe(400);
    expect((await logIn(thief, { passkey: own.sign(asked) })).status).toBe(400);
    expect((await logIn(user, { passkey: other.sign(asked) })).status).toBe(400);
    const late = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * 60_000);
    expect((await logIn(user, { passkey: authenticator.sign(asked) })).status).toBe(400);
    late.mockReturnValue(Date.now() - 1);
    expect((await logIn(user, { passkey: authenticator.sign(asked) })).status).toBe(200);
  });

  test.each([
    [''],
    [7],
    [[]],
    [{}],
    [{ id: 'x' }],
    [{ id: {}, response: { clientDataJSON: 1 } }],
    [{ __proto__: null }],
  ])('where it is %j', async (passkey) => {
    const user = await newUser();
    await setUp(user);
    const { status, body } = await logIn(user, { passkey });
    expect([status, body.error?.message]).toEqual([400, 'Invalid passkey']);
  });

  test('a thousand times', async () => {
    const user = await people.register('gail');
    const { authenticator } = await setUp(user);
    const asked = await askedOf(user);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await logIn(user, { passkey: other.sign(asked) })).status),
    );
    expect(statuses.filter((status) => status === 400).length).toBe(5);
    expect((await logIn(user, { passkey: authenticator.sign(asked) })).status).toBe(429);
  });
});

describe('S86: what a browser has made is refused', () => {
  test.each<readonly [string, Wrong]>([
    ['at another site', { origin: 'https://evil.example.org' }],
    ['for another name', { rpId: 'evil.example.org' }],
    ['for another challenge', { challenge: Buffer.alloc(54).toString('base64url') }],
    // With the address of a list of revocations, which nobody may fetch.
    [
      'with certificates',
      { attestation: Buffer.from('a363666d74667061636b65646761747453746d74a0686175746844617461', 'hex') },
    ],
  ])('%s', async (_, wrong) => {
    const user = await newUser();
    const { passkey } = (await post('second-factor', account(user))).body;
    const created = createAuthenticator(site).create(passkey, wrong);
    const { body } = await post('second-factor/confirm', { ...account(user), newPasskey: created });
    expect(body.error?.message).toBe('Invalid passkey');
    expect((await logIn(user)).status).toBe(200);
  });

  test('a second time, and where another factor was set up meanwhile', async () => {
    const user = await people.register('ines');
    const { passkey, secret } = (await post('second-factor', account(user))).body;
    const created = createAuthenticator(site).create(passkey);
    const code = new TOTP({ secret }).generate({ timestamp: Date.now() });
    expect((await post('second-factor/confirm', { ...account(user), secondFactor: code })).status).toBe(200);
    const { status, body } = await post('second-factor/confirm', { ...account(user), newPasskey: created });
    expect([status, body.error.message]).toEqual([400, 'The second factor is set up already']);
    await people.sendFreely('delete', `/api/users/${user.id}/second-factor`);
    expect((await post('second-factor/confirm', { ...account(user), newPasskey: created })).status).toBe(200);
    await people.sendFreely('delete', `/api/users/${user.id}/second-factor`);
    expect((await post('second-factor/confirm', { ...account(user), newPasskey: created })).status).toBe(400);
  });
});

test('a role that needs a factor is entered with a passkey', async () => {
  const user = await people.register('olga');
  const permissions = ['plugin::users-permissions.user.me'];
  const role = { type: 'authenticated', name: undefined, description: undefined, permissions, secondFactor: true };
  const none = { tokens: [], locales: [] };
  await people.service.applyAccess({ roles: [role], ...none });
  expect([(await logIn(user)).body.error.name, await me(user.jwt)]).toEqual(['SecondFactorMissingError', 401]);
  const { jwt } = await setUp(user);
  expect(await me(jwt)).toBe(200);
  await people.service.applyAccess({ roles: [{ ...role, secondFactor: false }], ...none });
});

describe('users', () => {
  test('add, name and remove passkeys with a proof, and see nothing of a key', async () => {
    const user = await people.register('jana');
    const { authenticator, newPasskey, jwt } = await setUp(user, 'Telephone');
    const own = async (token: string) => (await people.send('get', '/api/auth/second-factor', undefined, token)).body;
    const shown = await own(jwt);
    expect(shown).toMatchObject({ isSetUp: true, codes: false, recoveryCodes: 10, passkeys: [{ name: 'Telephone' }] });
    expect(JSON.stringify(shown)).not.toContain(newPasskey.id);
    const { error } = (await post('second-factor/passkeys', {}, jwt)).body;
    expect(error.name).toBe('SecondFactorNeededError');
    const proof = { passkey: authenticator.sign(error.details.passkey) };
    const { passkey } = (await post('second-factor/passkeys', proof, jwt)).body;
    expect(passkey.excludeCredentials).toMatchObject([{ id: newPasskey.id }]);
    const second = createAuthenticator(site);
    const added = await post(
      'second-factor/passkeys/confirm',
      { newPasskey: second.create(passkey), name: 'Key' },
      jwt,
    );
    expect([added.status, added.body.name]).toEqual([200, 'Key']);
    expect((await logIn(user, { passkey: second.sign(await askedOf(user)) })).status).toBe(200);
    const one = `second-factor/passkeys/${added.body.id}`;
    const named = await people.send('put', `/api/auth/${one}`, { name: 'Blue key' }, jwt);
    expect([named.status, (await own(jwt)).passkeys.map(({ name }: { readonly name: string }) => name)]).toEqual([
      200,
      ['Telephone', 'Blue key'],
    ]);
    expect((await post(`${one}/remove`, {}, jwt)).body.error.name).toBe('SecondFactorNeededError');
    // Tokens have their time in seconds.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2000);
    const removed = await post(`${one}/remove`, { passkey: authenticator.sign(await askedOf(user)) }, jwt);
    expect([removed.status, await me(removed.body.jwt), await me(jwt)]).toEqual([200, 200, 401]);
    expect((await logIn(user, { passkey: second.sign(await askedOf(user)) })).status).toBe(400);
    const [only] = (await own(removed.body.jwt)).passkeys;
    const all = await post(
      `second-factor/passkeys/${only.id}/remove`,
      { passkey: authenticator.sign(await askedOf(user)) },
      removed.body.jwt,
    );
    expect([all.status, all.body.error.message]).toMatchObject([400, expect.stringContaining('only passkey')]);
  });

  test('do none of it with the passkeys of others, and not without a token', async () => {
    const [user, thief] = [await people.register('karl'), await people.register('lena')];
    const { jwt } = await setUp(user);
    const { authenticator, jwt: other } = await setUp(thief);
    const [{ id }] = (await people.send('get', '/api/auth/second-factor', undefined, jwt)).body.passkeys;
    expect((await people.send('put', `/api/auth/second-factor/passkeys/${id}`, { name: 'mine' }, other)).status).toBe(
      404,
    );
    const proof = { passkey: authenticator.sign(await askedOf(thief)) };
    expect((await post(`second-factor/passkeys/${id}/remove`, proof, other)).status).toBe(404);
    const { passkey } = (await post('second-factor/passkeys', proof, other)).body;
    const created = { newPasskey: createAuthenticator(site).create(passkey) };
    expect((await post('second-factor/passkeys/confirm', created, jwt)).status).toBe(400);
    for (const path of ['passkeys', 'passkeys/confirm', `passkeys/${id}/remove`])
      expect((await post(`second-factor/${path}`, created)).status).toBe(403);
  });

  test('prove a new password with a passkey, by a mail as well', async () => {
    const user = await people.register('mona');
    const { authenticator, jwt } = await setUp(user);
    const password = { password: 'another-secret', passwordConfirmation: 'another-secret' };
    const change = { currentPassword: passwordOf(user), ...password };
    const { error } = (await post('change-password', change, jwt)).body;
    const changed = await post(
      'change-password',
      { ...change, passkey: authenticator.sign(error.details.passkey) },
      jwt,
    );
    expect([changed.status, await me(changed.body.jwt)]).toEqual([200, 200]);
    await people.service.entries.update('plugin::users-permissions.user', user.id, { resetPasswordToken: 'of-a-mail' });
    const reset = { code: 'of-a-mail', password: 'new-secret', passwordConfirmation: 'new-secret' };
    const asked = (await post('reset-password', reset)).body.error.details.passkey;
    const done = await post('reset-password', { ...reset, passkey: authenticator.sign(asked) });
    expect([done.status, await me(done.body.jwt)]).toEqual([200, 200]);
  });

  test('who lost all of them are helped by whoever may change users', async () => {
    const user = await people.register('nora');
    await setUp(user);
    expect((await people.sendFreely('delete', `/api/users/${user.id}/second-factor`)).status).toBe(200);
    expect((await logIn(user)).status).toBe(200);
  });

  test('have no factor after it was taken away, although it was being changed at that moment', async () => {
    const user = await people.register('wanda');
    const { jwt } = await setUp(user);
    const { db } = people.service.database;
    const users = db.collection<{ readonly _id: number; readonly secondFactor: string }>('up_users');
    const taken = await holdLock(db, `second factor of ${user.id}`, async () => {
      const before = await users.findOne({ _id: user.id });
      const taking = people.sendFreely('delete', `/api/users/${user.id}/second-factor`).then(({ status }) => status);
      // It has had its turn, if it needs none.
      for (let turn = 0; turn < 10; turn += 1) await me(jwt);
      await users.updateOne({ _id: user.id }, { $set: { secondFactor: before?.secondFactor ?? '' } });
      return { taking };
    });
    expect([await taken.taking, (await logIn(user)).status]).toEqual([200, 200]);
  });
});

import { beforeAll, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import request from 'supertest';
import { openActivities, type ReceiveActivities } from '../../../src/mongo/activities.js';
import { useService, type Answer } from '../../../tests/support/service.js';
import { createAuthenticator } from '../../../tests/support/authenticator.js';
import { createUser } from '../../../tests/support/create-user.js';
import type { OpenApi } from '../../../tests/support/open-api.js';

const client = useService({
  environment: { PUBLIC_URL: 'https://cms.example.org' },
  plugins: { audit: true, strapi5: true, admin: true },
});
const { user, role, permission } = {
  user: 'plugin::users-permissions.user',
  role: 'plugin::users-permissions.role',
  permission: 'plugin::users-permissions.permission',
};
const article = 'api::article.article';
const password = 'secret-of-ann';
const changed = 'another-secret-of-ann';
let token: string;
let ann: number;

const send = async (method: string, path: string, body?: object, as: string | undefined = token): Promise<Answer> => {
  const sending = request(client.service.url)[method as 'get'](path);
  const signed = as === '' ? sending : sending.auth(as, { type: 'bearer' });
  return body === undefined ? signed : signed.send(body);
};

interface Shown {
  readonly id: number;
  readonly action: string;
  readonly of: string | null;
  readonly [name: string]: unknown;
}
const records = async (query: string): Promise<readonly Shown[]> =>
  (await client.get(`/api/audit?pagination[pageSize]=100&sort=id:asc${query}`)).body.data as readonly Shown[];
const lastId = async (): Promise<number> => (await records('')).at(-1)?.id ?? 0;

beforeAll(async () => {
  await createUser(client, 'ann', password);
  const actions = [
    ...['create', 'update', 'delete', 'createLocalization'].map((name) => `${article}.${name}`),
    ...['createRole', 'updateRole', 'deleteRole'].map((name) => `${role}.${name}`),
    ...['create', 'update', 'destroy'].map((name) => `${user}.${name}`),
    'plugin::i18n.locales.updateLocales',
    'plugin::upload.content-api.destroy',
  ];
  for (const action of actions) await client.service.entries.create(permission, { action, role: 1 });
  const { body } = await send('post', '/api/auth/local', { identifier: 'ann', password }, '');
  [token, ann] = [body.jwt, body.user.id];
});

const unique = (): string => `x${Math.random().toString(36).slice(2)}`;

interface DoorAnswer {
  readonly jwt?: string;
  readonly recoveryCodes?: readonly string[];
  readonly passkey?: { readonly challenge: string };
}

interface Door {
  readonly body?: () => object;
  /** What is there before, as the system makes it. */
  readonly before?: () => Promise<unknown>;
  readonly as?: 'nobody' | 'session';
  /** Where earlier tokens end. */
  readonly renew?: (body: DoorAnswer) => Promise<string>;
  /** What proves who logs in; default: the password. */
  readonly factors?: readonly string[];
  /** `<action> <uid>` of each record. */
  readonly records: readonly string[];
}
const make = (uid: string, data: () => object) => async (): Promise<void> => {
  id = (await client.service.entries.create(uid, { ...data() })).id;
};
const newArticle = make(article, () => ({ title: unique(), publishedAt: null }));
const newUser = make(user, () => {
  const username = unique();
  return {
    username,
    email: `${username}@example.org`,
    password: 'secret',
    provider: 'local',
    confirmed: true,
    role: 1,
  };
});
const newRole = make(role, () => ({ name: unique(), type: unique() }));
const data = { data: { title: 'other' } };

let secret = '';
let recoveryCode: string | undefined;
const account = { identifier: 'ann', password: changed };
/** Milliseconds later: a code is good once. */
const codeOf = (later = 0): string => new TOTP({ secret }).generate({ timestamp: Date.now() + later });
const logIn = async (): Promise<string> => (await send('post', '/api/auth/local', account, '')).body.jwt;
const answered: Door['renew'] = async ({ jwt = '' }) => jwt;

let session = '';
const begin = async (): Promise<void> => {
  const sending = request(client.service.url).post('/api/auth/local').set('X-Session', 'true');
  session = (await sending.send(account)).body.jwt;
};
let id: number | string = 0;
const beginAnother = async (): Promise<void> => {
  await begin();
  [{ id }] = (await send('get', '/api/auth/sessions')).body;
};

const authenticator = createAuthenticator({ origin: 'https://cms.example.org', rpId: 'cms.example.org' });
let [newPasskey, signed]: (object | undefined)[] = [];
const findPasskey = async (): Promise<void> => {
  [{ id }] = (await send('get', '/api/auth/second-factor')).body.passkeys;
};
const askPasskey = async (): Promise<void> => {
  const { error } = (await send('post', `/api/auth/second-factor/passkeys/${id}/remove`, {})).body;
  signed = authenticator.sign(error.details.passkey);
};

/** By route, every one that writes: a new route fails until it has a row here. */
const doors: Readonly<Record<string, Door>> = {
  'post /articles': { body: () => ({ data: { title: unique() } }), records: [`create ${article}`] },
  'put /articles/{id}': { before: newArticle, body: () => data, records: [`update ${article}`] },
  'delete /articles/{id}': { before: newArticle, records: [`delete ${article}`] },
  'post /batch': {
    body: () => ({ operations: [{ create: 'articles', data: { title: unique() } }] }),
    records: [`create ${article}`],
  },
  'put /admin/account': { body: () => ({ color: 'red' }), records: [`update ${user}`] },
  'post /users-permissions/roles': {
    body: () => ({
      name: unique(),
      permissions: { 'api::article': { controllers: { article: { find: { enabled: true } } } } },
    }),
    records: [`create ${role}`, `create ${permission}`],
  },
  'put /users-permissions/roles/{id}': { before: newRole, body: () => ({ name: 'new' }), records: [`update ${role}`] },
  'delete /users-permissions/roles/{id}': { before: newRole, records: [`delete ${role}`] },
  'post /users': {
    body: () => {
      const username = unique();
      return { username, email: `${username}@example.org`, password: 'secret', role: 1 };
    },
    records: [`create ${user}`],
  },
  'post /users/invite': {
    body: () => ({ email: `${unique()}@example.org`, role: 1 }),
    records: [`create ${user}`, `update ${user}`],
  },
  'put /users/{id}': { before: newUser, body: () => ({ username: unique() }), records: [`update ${user}`] },
  'delete /users/{id}': { before: newUser, records: [`delete ${user}`] },
  'post /auth/local': {
    as: 'nobody',
    body: () => ({ identifier: 'ann', password }),
    records: [`login ${user}`],
  },
  'post /auth/local/register': {
    as: 'nobody',
    body: () => {
      const username = unique();
      return { username, email: `${username}@example.org`, password: 'secret' };
    },
    records: [`create ${user}`, `login ${user}`],
  },
  'post /auth/change-password': {
    body: () => ({ currentPassword: password, password: changed, passwordConfirmation: changed }),
    records: [`update ${user}`, `login ${user}`],
    renew: answered,
  },
  'post /auth/second-factor': { as: 'nobody', body: () => account, records: [] },
  'post /auth/second-factor/confirm': {
    before: async () => {
      ({ secret } = (await send('post', '/api/auth/second-factor', account, '')).body as { readonly secret: string });
    },
    as: 'nobody',
    body: () => ({ ...account, secondFactor: codeOf() }),
    factors: ['password', 'code'],
    records: [`update ${user}`, `login ${user}`],
    renew: async ({ jwt = '', recoveryCodes = [] }) => {
      [recoveryCode] = recoveryCodes;
      return jwt;
    },
  },
  'post /auth/second-factor/passkeys': {
    body: () => ({ secondFactor: recoveryCode }),
    // A recovery code is good once.
    records: [`update ${user}`],
    renew: async ({ passkey }) => {
      newPasskey = passkey && authenticator.create(passkey);
      return token;
    },
  },
  'post /auth/second-factor/passkeys/confirm': { body: () => ({ newPasskey }), records: [`update ${user}`] },
  'put /auth/second-factor/passkeys/{passkey}': {
    before: findPasskey,
    body: () => ({ name: 'Blue key' }),
    records: [`update ${user}`],
  },
  'post /auth/second-factor/passkeys/{passkey}/remove': {
    before: askPasskey,
    body: () => ({ passkey: signed }),
    factors: ['token', 'passkey'],
    // It says how often it has signed.
    records: [`update ${user}`, `update ${user}`, `login ${user}`],
    renew: answered,
  },
  'post /auth/second-factor/remove': {
    body: () => ({ secondFactor: codeOf(30_000) }),
    records: [`update ${user}`],
    renew: logIn,
  },
  'post /auth/logout': { before: begin, as: 'session', records: [`logout ${user}`] },
  'delete /auth/sessions/{session}': { before: beginAnother, records: [`endSession ${user}`] },
  'delete /auth/sessions': { records: [`endSession ${user}`, `update ${user}`], renew: logIn },
  'delete /users/{id}/sessions': { before: newUser, records: [`endSession ${user}`, `update ${user}`] },
  'delete /users/{id}/second-factor': { before: newUser, records: [`update ${user}`] },
  'put /i18n/locales': {
    body: () => ({ locales: ['en', 'fr'] }),
    records: ['create plugin::i18n.locale'],
  },
  'post /articles/{id}/localizations': {
    before: newArticle,
    body: () => ({ title: unique(), locale: 'fr' }),
    records: [`create ${article}`],
  },
  'delete /upload/files/{id}': {
    before: make('plugin::upload.file', () => ({
      name: 'a',
      hash: 'a',
      mime: 'text/plain',
      size: 1,
      url: '/a',
      provider: 'local',
    })),
    records: ['delete plugin::upload.file'],
  },
};

/** Routes that write in the same way as others here, or nothing that is an entry. */
const others =
  /\/by\/|\/review|\/presence\/|\/schedule$|send-email|first-user|auth\/invitation|\{provider\}|(reset|forgot)-password|^post \/upload$|^(post|put|delete) \/(?!articles|batch|admin|users|auth\/|i18n|upload)/;

test('there is a row for each route that writes', async () => {
  const { paths } = (await client.get('/documentation/openapi.json')).body as OpenApi;
  const writing = Object.entries(paths).flatMap(([path, operations]) =>
    ['post', 'put', 'delete'].filter((method) => method in operations).map((method) => `${method} ${path}`),
  );
  expect(writing.filter((route) => !others.test(route)).toSorted()).toEqual(Object.keys(doors).toSorted());
});

test.each(Object.entries(doors))('%s has exactly its records, of whoever asks', async (route, door) => {
  await door.before?.();
  const before = await lastId();
  const [method = '', path = ''] = route.split(' ');
  const as = { nobody: '', session, user: token }[door.as ?? 'user'];
  const { status, body } = await send(
    method,
    `/api${path.replace(/\{(id|session|passkey)\}/, String(id))}`,
    door.body?.(),
    as,
  );
  expect([status < 300, status < 300 ? {} : body]).toEqual([true, {}]);
  const found = await records(`&filters[id][$gt]=${before}`);
  if (door.renew !== undefined) token = await door.renew(body as DoorAnswer);
  expect(found.map((one) => `${one.action} ${one.of}`)).toEqual(door.records);
  for (const { action, name, kind, address, factors } of found) {
    expect(factors).toEqual(action === 'login' ? (door.factors ?? ['password']) : null);
    // Who logs in is known then, and who registers is nobody yet.
    const isNobody = door.as === 'nobody' && action !== 'login';
    expect({ kind, isNamed: name !== null }).toEqual({ kind: isNobody ? 'public' : 'user', isNamed: !isNobody });
    if (door.as === undefined) expect(name).toBe('ann');
    expect(address).toMatch(/127\.0\.0\.1/);
  }
});

test('a wrong password is recorded with the account, and not what was entered', async () => {
  for (const [identifier, entry] of [
    ['ann', ann],
    ['my-secret-password', null],
  ] as const) {
    const before = await lastId();
    expect((await send('post', '/api/auth/local', { identifier, password: 'wrong' }, '')).status).toBe(400);
    expect(await records(`&filters[id][$gt]=${before}`)).toMatchObject([
      { action: 'failedLogin', of: user, entry, kind: 'public', user: null, door: 'rest' },
    ]);
  }
  const stored = await client.service.database.db.collection('audit_records').find().toArray();
  expect(JSON.stringify(stored)).not.toContain('my-secret-password');
  expect(await client.service.database.db.collection('_activities').countDocuments()).toBe(0);
});

test('what the service does for somebody over GraphQL is theirs', async () => {
  const before = await lastId();
  const query = 'mutation { createUsersPermissionsRole(data: { name: "By GraphQL" }) { ok } }';
  expect((await send('post', '/graphql', { query })).body).toMatchObject({
    data: { createUsersPermissionsRole: { ok: true } },
  });
  expect(await records(`&filters[id][$gt]=${before}`)).toMatchObject([
    { action: 'create', of: role, name: 'ann', door: 'graphql' },
  ]);
});

test('a log-in that cannot be recorded is refused', async () => {
  const { db } = client.service.database;
  const collection = db.collection<{ _id: string }>('_activities');
  const index = await collection.createIndex({ action: 1 }, { unique: true });
  await collection.insertOne({ _id: 'blocks', action: 'login', at: new Date(8.64e15) } as never);
  try {
    const { status, body } = await send('post', '/api/auth/local', { identifier: 'ann', password: changed }, '');
    expect([status >= 400, body.jwt]).toEqual([true, undefined]);
  } finally {
    await collection.dropIndex(index);
    await collection.deleteOne({ _id: 'blocks' });
  }
});

test('what a process has left is told by another one, once', async () => {
  const before = await lastId();
  const { db } = client.service.database;
  const activity = { at: new Date(0), action: 'export', by: { kind: 'system' }, origin: { door: 'export' } } as const;
  await db.collection<{ _id: string }>('_activities').insertOne({ _id: 'left', ...activity });
  const told: string[] = [];
  const asking = () => ({ by: activity.by, origin: activity.origin });
  const open = (receive: ReceiveActivities) => openActivities(db, { asking, receive });
  await expect(open(() => Promise.reject(new Error('not now'))).search()).rejects.toThrow('not now');
  await open(async (activities) => void told.push(...activities.map(({ id: one }) => one))).search();
  await open(() => Promise.reject(new Error('nothing is left'))).search();
  expect(told).toEqual(['left']);
  expect(await lastId()).toBe(before);
});

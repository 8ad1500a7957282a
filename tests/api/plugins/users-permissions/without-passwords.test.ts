import { beforeAll, expect, test } from '@jest/globals';
import jsonwebtoken from 'jsonwebtoken';
import type { OpenApi } from '../../../support/open-api.js';
import { usePeople } from './users-client.js';

const JWT_SECRET = 'a-secret-for-web-tokens';
const people = usePeople({
  environment: { JWT_SECRET },
  plugins: {
    'users-permissions': { config: { providers: { email: { enabled: false } }, rateLimit: false } },
    documentation: true,
  },
});
const user = 'plugin::users-permissions.user';
const ada = { username: 'ada', email: 'ada@example.test', password: 'secret-of-ada' };
const account = { identifier: ada.email, password: ada.password };
const password = { password: 'another', passwordConfirmation: 'another' };
const refused = 'This provider is disabled';
let jwt: string;

beforeAll(async () => {
  const created = { ...ada, provider: 'local', role: 1, resetPasswordToken: 'mailed', confirmationToken: 'mailed' };
  const { id } = await people.service.entries.create(user, created);
  jwt = jsonwebtoken.sign({ id }, JWT_SECRET, { expiresIn: 60 });
  await people.allow('authenticated', ['plugin::users-permissions.auth.changePassword']);
  await people.allow(
    'public',
    ['callback', 'register', 'forgotPassword', 'resetPassword', 'emailConfirmation'].map(
      (name) => `plugin::users-permissions.auth.${name}`,
    ),
  );
});

/** By route, what it would give a token for, where passwords are on. */
const doors: Readonly<Record<string, object>> = {
  'post /auth/local': account,
  'post /auth/local/register': { username: 'bob', email: 'bob@example.test', password: 'secret-of-bob' },
  'post /auth/reset-password': { ...password, code: 'mailed' },
  'post /auth/invitation': { ...password, code: 'mailed' },
  'post /auth/change-password': { ...password, currentPassword: ada.password },
  'post /auth/second-factor/confirm': { ...account, secondFactor: '123456' },
  'post /auth/second-factor/passkeys/{passkey}/remove': { secondFactor: '123456' },
  'post /auth/first-user': { username: 'bob', email: 'bob@example.test', password: 'secret-of-bob', code: 'logged' },
};

test('there is a row for each route that gives a token, but for those of the other providers', async () => {
  const { paths } = (await people.sendFreely('get', '/documentation/openapi.json')).body as OpenApi;
  const giving = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => JSON.stringify(operation).includes('"jwt"'))
      .map(([method]) => `${method} ${path}`),
  );
  const ofProviders = ['get', 'post'].map((method) => `${method} /auth/{provider}/callback`);
  expect(giving.toSorted()).toEqual([...Object.keys(doors), ...ofProviders].toSorted());
});

test.each([
  ...Object.entries(doors),
  ['post /auth/forgot-password', { email: ada.email }] as const,
  ['get /auth/email-confirmation?confirmation=mailed', undefined] as const,
])('%s is closed', async (route, body) => {
  const [method = '', path = ''] = route.split(' ');
  const as = /change-password|passkeys/.test(path) ? jwt : undefined;
  const answer = await people.send(method as 'get', `/api${path}`, body, as);
  expect([answer.status, answer.body.error?.message]).toEqual([400, refused]);
});

test.each([
  'login(input: { identifier: "ada@example.test", password: "secret-of-ada" }) { jwt }',
  'register(input: { username: "bob", email: "bob@example.test", password: "secret-of-bob" }) { jwt }',
  'forgotPassword(email: "ada@example.test") { ok }',
  'resetPassword(password: "another", passwordConfirmation: "another", code: "mailed") { jwt }',
  'emailConfirmation(confirmation: "mailed") { jwt }',
])('and so is the mutation %s', async (field) => {
  const { body } = await people.send('post', '/graphql', { query: `mutation { ${field} }` });
  expect(body.errors?.[0]?.message).toBe(refused);
});

test('nothing was changed', async () => {
  expect(await people.service.entries.count(user)).toBe(1);
  const [stored] = await people.service.entries.findMany(user);
  expect(stored).toMatchObject({ resetPasswordToken: expect.any(String), passwordChangedAt: null, confirmed: false });
});

import { describe, expect, test } from '@jest/globals';
import { askGraphql } from '../../../support/send-graphql.js';
import { usePeople, type UserCache } from './users-client.js';

const people = usePeople();
const ask = (query: string, token: string) => askGraphql(people, query, { token });

test('me returns the current user with the role, whatever their other permissions', async () => {
  const { jwt } = await people.register('mia');
  const query = '{ me { username role { type } } }';
  expect(await ask(query, jwt)).toEqual({ data: { me: { username: 'mia', role: { type: 'authenticated' } } } });
  expect((await ask(query, '')).errors?.map(({ message }) => message)).toEqual(['Forbidden access']);
  // A plain error in Strapi v4, which GraphQL completes.
  expect((await ask(query, people.service.token)).errors).toEqual([
    {
      message: 'Authentication requested',
      locations: [{ line: 1, column: 3 }],
      path: ['me'],
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    },
  ]);
});

test('a user is written with permission, and returned as far as the caller may read', async () => {
  const token = await people.token('registrar', ['plugin::users-permissions.user.create']);
  const { data, errors } = await ask(
    `mutation { createUsersPermissionsUser(data: { username: "rob", email: "rob@example.test", password: "secret-1",
      role: 1 }) { data { attributes { username role { data { id } } } } } }`,
    token,
  );
  expect(data.createUsersPermissionsUser.data.attributes).toEqual({ username: 'rob', role: null });
  expect(errors?.map(({ message }) => message)).toEqual(['Forbidden access']);
  const created = await people.sendFreely('get', '/api/users?filters[username]=rob&populate=role');
  expect(created.body).toMatchObject([{ username: 'rob', provider: 'local', role: { id: 1 } }]);
});

test('a deleted user is returned without relations, as every deleted entry', async () => {
  await people.register('gus');
  const [gus] = (await people.sendFreely('get', '/api/users?filters[username]=gus')).body;
  const { data } = await ask(
    `mutation { deleteUsersPermissionsUser(id: ${gus.id}) { data { attributes { username role { data { id } } } } } }`,
    people.service.token,
  );
  expect(data.deleteUsersPermissionsUser.data.attributes).toEqual({ username: 'gus', role: { data: null } });
});

test('internal attributes of users are in no input and no filter', async () => {
  for (const query of [
    '{ usersPermissionsUsers(filters: { passwordChangedAt: { notNull: true } }) { data { id } } }',
    'mutation { updateUsersPermissionsUser(id: 1, data: { resetPasswordExpiresAt: "2030-01-01T00:00:00Z" }) { data { id } } }',
  ]) {
    expect((await ask(query, people.service.token)).errors?.[0]?.message).toMatch(/is not defined by type/);
  }
});

const accountMutations = [
  ['login', 'login(input: { identifier: "nia", password: "secret-of-nia" }) { jwt }'],
  ['register', 'register(input: { username: "new", email: "new@example.test", password: "secret-1" }) { jwt }'],
  ['forgotPassword', 'forgotPassword(email: "nia@example.test") { ok }'],
  ['resetPassword', 'resetPassword(password: "secret-2", passwordConfirmation: "secret-2", code: "x") { jwt }'],
  ['emailConfirmation', 'emailConfirmation(confirmation: "x") { jwt }'],
] as const;

describe('a visitor without permissions', () => {
  const closed = usePeople();
  const open = usePeople({ plugins: { 'users-permissions': { config: { openAccountMutations: true } } } });

  test.each(accountMutations)('cannot %s, as over REST, unless a setting allows it', async (_, field) => {
    const messagesOf = async (service: UserCache) => {
      await service.allow('public', []);
      const { errors = [] } = await askGraphql(service, `mutation { ${field} }`, { token: '' });
      return errors.map(({ message }) => message);
    };
    expect(await messagesOf(closed)).toEqual(['Forbidden access']);
    expect(await messagesOf(open)).not.toContain('Forbidden access');
  });
});

test('a login with an unconfigured provider is refused', async () => {
  await people.register('lou');
  const { errors } = await ask(
    'mutation { login(input: { identifier: "lou", password: "secret-of-lou", provider: "github" }) { jwt } }',
    '',
  );
  expect(errors?.map(({ message }) => message)).toEqual(['This provider is disabled']);
});

test('a role created over GraphQL has no permissions', async () => {
  const create = 'mutation { createUsersPermissionsRole(data: { name: "Guest writer" }) { ok } }';
  expect(await ask(create, people.service.token)).toEqual({ data: { createUsersPermissionsRole: { ok: true } } });
  const { data } = await ask(
    '{ usersPermissionsRoles(filters: { type: { eq: "guest_writer" } }) { data { attributes { permissions { data { id } } } } } }',
    people.service.token,
  );
  expect(data.usersPermissionsRoles.data).toEqual([{ attributes: { permissions: { data: [] } } }]);
});

test('a role may be updated with nothing over GraphQL', async () => {
  const roles = '{ usersPermissionsRoles(filters: { type: { eq: "authenticated" } }) { data { id } } }';
  const [role] = (await ask(roles, people.service.token)).data.usersPermissionsRoles.data;
  const update = `mutation { updateUsersPermissionsRole(id: ${role.id}, data: {}) { ok } }`;
  expect(await ask(update, people.service.token)).toEqual({ data: { updateUsersPermissionsRole: { ok: true } } });
});

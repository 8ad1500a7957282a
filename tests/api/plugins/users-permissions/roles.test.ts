import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import { loadConfig } from '../../../../src/config/load-config.js';
import { createService, type Service } from '../../../../src/app/app.js';
import { openDatabase } from '../../../../src/mongo/connection/open-database.js';
import { commandsOf } from '../../../support/commands.js';
import type { Data } from '../../../../src/config/record.js';
import { corpus } from '../../../support/service.js';
import { usePeople } from './users-client.js';
import { minutes } from '../../../support/scaled.js';

const JWT_SECRET = 'the-secret-of-both-processes';
const API_TOKEN_SALT = 'the-salt-of-both-processes';
const people = usePeople({ environment: { JWT_SECRET, API_TOKEN_SALT } });
const tree = (...actions: readonly string[]) => ({
  'api::tag': { controllers: { tag: Object.fromEntries(actions.map((name) => [name, { enabled: true }])) } },
});
const roleOf = async (type: string) => {
  const { body } = await people.sendFreely('get', '/api/users-permissions/roles');
  return body.roles.find((role: { type: string }) => role.type === type);
};

test('a new service has two roles, with permissions for login and the own account only', async () => {
  const { body } = await people.sendFreely('get', '/api/users-permissions/roles');
  expect(
    body.roles.map((role: Readonly<Record<string, unknown>>) => [role['id'], role['type'], role['nb_users']]),
  ).toEqual([
    [1, 'authenticated', 0],
    [2, 'public', 0],
  ]);
  const { permissions } = (await people.sendFreely('get', '/api/users-permissions/roles/2')).body.role;
  const enabled = JSON.stringify(permissions).match(/"enabled":true/g);
  expect(enabled).toHaveLength(7);
  expect((await people.send('get', '/api/tags')).status).toBe(403);
});

test('a role gets the permissions of the tree and a type derived from its name', async () => {
  const input = { name: 'Rôle Spécial', description: 'accents', permissions: tree('find') };
  expect((await people.sendFreely('post', '/api/users-permissions/roles', input)).body).toEqual({ ok: true });
  const { id } = await roleOf('role_special');
  const { role } = (await people.sendFreely('get', `/api/users-permissions/roles/${id}`)).body;
  expect(role).toMatchObject({ name: 'Rôle Spécial', description: 'accents' });
  expect(role.permissions['api::tag'].controllers.tag).toEqual({
    find: { enabled: true, policy: '' },
    findOne: { enabled: false, policy: '' },
    create: { enabled: false, policy: '' },
    update: { enabled: false, policy: '' },
    delete: { enabled: false, policy: '' },
  });
});

test.each([
  ['Größe', 'grosse'],
  ["Editor's 2nd choice", 'editors_2nd_choice'],
  ['Редактор', 'редактор'],
])('the type of a role named %s is %s, as in Strapi v4', async (name, type) => {
  const input = { name, permissions: {} };
  expect((await people.sendFreely('post', '/api/users-permissions/roles', input)).body).toEqual({ ok: true });
  expect(await roleOf(type)).toMatchObject({ name });
});

test.each([
  [5, '5'],
  [false, 'false'],
  [{ a: 1 }, '[object Object]'],
  [null, null],
])('the description %j is stored as %j, as in Strapi v4', async (sent, stored) => {
  const type = `described_${String(stored).length}`;
  const describe = async (): Promise<unknown> => {
    const { id } = await roleOf(type);
    return (await people.sendFreely('get', `/api/users-permissions/roles/${id}`)).body.role.description;
  };
  await people.sendFreely('post', '/api/users-permissions/roles', { name: 'Described', type, description: sent });
  expect(await describe()).toBe(stored);
  const { id } = await roleOf(type);
  await people.sendFreely('put', `/api/users-permissions/roles/${id}`, { description: 'other' });
  expect((await people.sendFreely('put', `/api/users-permissions/roles/${id}`, { description: sent })).status).toBe(
    200,
  );
  expect(await describe()).toBe(stored);
  await people.sendFreely('put', `/api/users-permissions/roles/${id}`, { name: 'Renamed' });
  expect(await describe()).toBe(stored);
});

test('an empty type is derived, too, and all that counts as true enables', async () => {
  const permissions = { 'api::tag': { controllers: { tag: { find: { enabled: 'true' }, create: { enabled: 0 } } } } };
  await people.sendFreely('post', '/api/users-permissions/roles', { name: 'A true one', type: '', permissions });
  const { body } = await people.sendFreely('get', '/api/users-permissions/roles');
  const ids = body.roles.map((role: { readonly id: number }) => role.id);
  expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
  const { id } = await roleOf('a_true_one');
  const { role } = (await people.sendFreely('get', `/api/users-permissions/roles/${id}`)).body;
  expect(role.permissions['api::tag'].controllers.tag).toMatchObject({
    find: { enabled: true },
    create: { enabled: false },
  });
});

test.each([[[]], [{ a: 1 }], [{ 'api::tag': { controllers: [1] } }], [{ 'api::tag': { controllers: { tag: null } } }]])(
  'a permission tree of another shape, %j, grants nothing',
  async (permissions) => {
    const name = `Odd ${JSON.stringify(permissions).length}`;
    await people.sendFreely('post', '/api/users-permissions/roles', { name, type: name, permissions });
    const { id } = await roleOf(name);
    const { role } = (await people.sendFreely('get', `/api/users-permissions/roles/${id}`)).body;
    expect(JSON.stringify(role.permissions)).not.toContain('"enabled":true');
  },
);

// It repeats the race.
test(
  'of two concurrent changes of a role one is applied completely',
  async () => {
    const sets = [
      ['find', 'create', 'delete'],
      ['findOne', 'update'],
    ];
    await people.sendFreely('post', '/api/users-permissions/roles', { name: 'Contested', permissions: {} });
    const path = `/api/users-permissions/roles/${(await roleOf('contested')).id}`;
    for (let round = 0; round < 10; round += 1) {
      const changes = sets.map((set) => people.sendFreely('put', path, { permissions: tree(...set) }));
      expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200]);
      const { permissions } = (await people.sendFreely('get', path)).body.role;
      const { tag } = permissions['api::tag'].controllers as { tag: Record<string, { enabled: boolean }> };
      const enabled = Object.keys(tag).filter((name) => tag[name]?.enabled);
      expect(sets).toContainEqual(enabled);
    }
  },
  minutes(2),
);

test('users of a deleted role get the public role', async () => {
  const { id, jwt } = await people.register('anna');
  await people.sendFreely('post', '/api/users-permissions/roles', { name: 'Reader', permissions: tree('find') });
  const role = await roleOf('reader');
  await people.sendFreely('put', `/api/users/${id}`, { role: role.id });
  expect((await people.send('get', '/api/tags', undefined, jwt)).status).toBe(200);
  await people.sendFreely('delete', `/api/users-permissions/roles/${role.id}`);
  expect((await people.send('get', '/api/tags', undefined, jwt)).status).toBe(403);
  expect((await people.sendFreely('get', `/api/users/${id}?populate=role`)).body.role.type).toBe('public');
  const left = await people.service.database.db.collection('up_permissions').countDocuments({ role: role.id });
  expect(left).toBe(0);
});

test('cached permissions need no database command', async () => {
  const { jwt } = await people.register('bert');
  await people.allow('authenticated', ['api::tag.tag.find']);
  const get = () => people.send('get', '/api/tags?pagination[withCount]=false', undefined, jwt);
  await get();
  expect(await commandsOf(people.service, get)).toHaveLength(1);
});

test('what is revoked is refused from the next request on', async () => {
  const { id, jwt } = await people.register('emil');
  await people.allow('authenticated', ['api::tag.tag.find']);
  const key = await people.token('writer', ['api::tag.tag.find']);
  const statuses = async (): Promise<readonly number[]> => {
    const sent = [jwt, key].map((token) => people.send('get', '/api/tags', undefined, token));
    return (await Promise.all(sent)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200]);
  await people.allow('authenticated', []);
  await people.token('writer', []);
  expect(await statuses()).toEqual([403, 403]);
  await people.allow('authenticated', ['api::tag.tag.find']);
  expect((await people.send('get', '/api/tags', undefined, jwt)).status).toBe(200);
  await people.sendFreely('put', `/api/users/${id}`, { blocked: true });
  expect((await people.send('get', '/api/tags', undefined, jwt)).status).toBe(401);
});

describe('in another process', () => {
  let other: Service;
  beforeAll(async () => {
    const { dataFolder, database } = people.service;
    const environment = {
      NODE_ENV: 'test',
      JWT_SECRET,
      API_TOKEN_SALT,
      DATA_FOLDER: dataFolder,
      MONGODB_URI: process.env['TEST_MONGODB_URI'],
      DATABASE_NAME: database.db.databaseName,
      CONTENT_TYPES: `${process.cwd()}/${corpus}`,
    };
    const config = await loadConfig(environment, dataFolder);
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    other = await createService(config, openDatabase({ ...config.database, dataFolder }, log), log);
  });
  afterAll(() => other.close());

  afterEach(() => void jest.restoreAllMocks());

  const statusOf = async (token: string): Promise<number> =>
    (await request(other.handler).get('/api/tags').set('Authorization', `Bearer ${token}`)).status;

  test('what is revoked is refused from a second after the response on', async () => {
    const { jwt } = await people.register('carla');
    const { id, jwt: blocked } = await people.register('dora');
    await people.allow('authenticated', ['api::tag.tag.find']);
    const key = await people.token('reader', ['api::tag.tag.find']);
    // Time passes only here, so that the other process still has what it cached.
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1001);
    const statuses = (): Promise<readonly number[]> => Promise.all([statusOf(jwt), statusOf(blocked), statusOf(key)]);
    expect(await statuses()).toEqual([200, 200, 200]);
    await people.allow('authenticated', []);
    await people.sendFreely('put', `/api/users/${id}`, { blocked: true });
    await people.token('reader', []);
    expect(await statuses()).toEqual([200, 200, 200]);
    now.mockReturnValue(performance.now() + 1001);
    expect(await statuses()).toEqual([403, 401, 403]);
  });
});

test('the number of commands for a change of a role does not depend on the number of its permissions', async () => {
  const { body } = await people.sendFreely('get', '/api/users-permissions/permissions');
  const all = JSON.parse(JSON.stringify(body.permissions).replaceAll('"enabled":false', '"enabled":true')) as Data;
  const enabledIn = (permissions: unknown): number => JSON.stringify(permissions).split('"enabled":true').length - 1;
  const countsOf = async (name: string, permissions: Data): Promise<readonly number[]> => {
    const role = { name, description: name };
    await people.sendFreely('post', '/api/users-permissions/roles', { ...role, permissions: {} });
    const { id } = await roleOf(name);
    const path = `/api/users-permissions/roles/${id}`;
    const count = async (method: 'put' | 'delete', input?: object): Promise<number> =>
      (await commandsOf(people.service, async () => people.sendFreely(method, path, input))).length;
    const granting = await count('put', { ...role, permissions });
    expect(enabledIn((await people.sendFreely('get', path)).body.role.permissions)).toBe(enabledIn(permissions));
    const revoking = await count('put', { ...role, permissions: {} });
    expect(enabledIn((await people.sendFreely('get', path)).body.role.permissions)).toBe(0);
    await people.sendFreely('put', path, { ...role, permissions });
    return [granting, revoking, await count('delete')];
  };
  expect(enabledIn(all)).toBeGreaterThan(80);
  expect(await countsOf('every', all)).toEqual(await countsOf('some', tree('find', 'findOne')));
});

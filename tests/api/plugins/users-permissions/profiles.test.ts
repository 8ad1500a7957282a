import { beforeAll, describe, expect, test } from '@jest/globals';
import { usePeople, type UserCache } from './users-client.js';

const contentTypes = 'tests/api/plugins/users-permissions/profiles';
const USER = 'plugin::users-permissions.user';
const FIND = 'api::profile.profile.find';

/** The name of whom a profile leads to. */
async function ownerOf(people: UserCache, id: number): Promise<unknown> {
  const { body } = await people.sendFreely('get', `/api/profiles/${id}?populate=owner`);
  return body.data.attributes.owner.data?.attributes.username;
}

/** A profile of a registered user. */
async function profileOf(people: UserCache, name: string): Promise<number> {
  const { id: owner } = await people.register(name);
  return (await people.sendFreely('post', '/api/profiles', { data: { name, owner } })).body.data.id as number;
}

const account = (name: string) => ({ username: name, email: `${name}@example.test`, password: `secret-of-${name}` });

describe('by default', () => {
  const people = usePeople({ contentTypes });
  let profile: number;
  beforeAll(async () => {
    profile = await profileOf(people, 'victim');
  });

  test.each([
    ['mallory', (id: number): unknown => id],
    ['mathilda', (id: number): unknown => [id]],
    ['marvin', (id: number): unknown => ({ connect: [id] })],
    ['maud', (id: number): unknown => ({ set: [{ id }] })],
  ])('registration accepts plain values but no relations: %s', async (name, link) => {
    const registration = { ...account(name), nickname: 'Mal', profile: link(profile), badges: link(profile) };
    const { status, body } = await people.send('post', '/api/auth/local/register', registration);
    expect([status, body.user.nickname]).toEqual([200, 'Mal']);
    expect(await ownerOf(people, profile)).toBe('victim');
    const stored = await people.sendFreely('get', `/api/users/${body.user.id}?populate=badges`);
    expect(stored.body.badges).toEqual([]);
  });

  test('a caller who writes users links them only to entries that they may list', async () => {
    const blind = await people.token('blind', [`${USER}.create`, `${USER}.update`]);
    const sighted = await people.token('sighted', [`${USER}.create`, `${USER}.update`, FIND]);
    const created = await people.send('post', '/api/users', { ...account('nina'), role: 1, profile }, blind);
    expect([created.status, await ownerOf(people, profile)]).toEqual([201, 'victim']);
    const path = `/api/users/${created.body.id}`;
    expect((await people.send('put', path, { profile, nickname: 'Nin' }, blind)).body.nickname).toBe('Nin');
    expect(await ownerOf(people, profile)).toBe('victim');
    const { body } = await people.sendFreely('get', `${path}?populate=role`);
    expect(body.role.id).toBe(1);
    expect((await people.send('put', path, { profile }, sighted)).status).toBe(200);
    expect(await ownerOf(people, profile)).toBe('nina');
  });
});

describe('a relation that the settings name', () => {
  const config = { rateLimit: false, register: { allowedFields: ['profile'] } };
  const people = usePeople({ contentTypes, plugins: { 'users-permissions': { config } } });

  test('is accepted at registration if the caller may list its target', async () => {
    const profile = await profileOf(people, 'victim');
    const register = (name: string) =>
      people.send('post', '/api/auth/local/register', { ...account(name), nickname: 'no', profile });
    const refused = await register('mallory');
    expect([refused.body.user.nickname, await ownerOf(people, profile)]).toEqual([null, 'victim']);
    await people.allow('public', ['plugin::users-permissions.auth.register', FIND]);
    await register('nina');
    expect(await ownerOf(people, profile)).toBe('nina');
  });
});

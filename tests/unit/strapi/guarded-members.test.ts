import { expect, test } from '@jest/globals';
import {
  findAuthenticationCode,
  findRefusedGuards,
  guardedMembers,
  markGuarded,
} from '../../../src/strapi/services/guarded-members.js';
import type { Named, Strapi } from '../../../src/strapi/strapi.js';

/** Objects with the guarded members that the service has. */
function createObjects(): Named<Named> {
  const objects = Object.entries(guardedMembers).map(([name, members]) => {
    const own = Object.keys(members).filter((member) => members[member] !== 'absent');
    return [name, markGuarded(name, Object.fromEntries(own.map((member) => [member, () => member])))] as const;
  });
  return Object.fromEntries(objects);
}

const strapiOf = (objects: Named<Named>, providers: Named = {}): Strapi =>
  ({
    config: { get: () => providers },
    get auth() {
      return objects['strapi.auth'];
    },
    plugin: () => ({}),
    service: (uid: string) => objects[uid],
  }) as unknown as Strapi;

const all = Object.entries(guardedMembers).flatMap(([name, members]) =>
  Object.entries(members).map(([member, fate]) => [name, member, fate] as const),
);

test.each(all)('%s.%s in code is asked, or stops the start', (name, member, fate) => {
  const objects = createObjects();
  const strapi = strapiOf(objects);
  expect(findRefusedGuards(strapi)).toEqual([]);
  expect(Object.values(findAuthenticationCode(strapi))).toEqual([undefined, undefined, undefined, undefined]);
  const before = objects[name] ?? {};
  // Other members that code adds or wraps do not matter.
  objects[name] = { ...before, [member]: (): string => 'by code', more: () => undefined };
  const replaced = { member, problem: expect.stringContaining(`code replaces ${member} of ${name}`) };
  expect(findRefusedGuards(strapi)).toMatchObject(fate === 'asked' ? [] : [replaced]);
  const asked = Object.entries(findAuthenticationCode(strapi)).filter(([, code]) => code !== undefined);
  expect(asked.map(([key, code]) => [key, code('')])).toEqual(fate === 'asked' ? [[member, 'by code']] : []);
  const { [member]: gone, ...others } = before;
  objects[name] = others;
  const missing = { member, problem: expect.stringContaining(`${name} has no ${member}`) };
  expect(findRefusedGuards(strapi)).toMatchObject(gone === undefined ? [] : [missing]);
});

test('a log-in provider that code registers and the settings enable stops the start', () => {
  const registry = { getAll: () => ({ github: {}, google: {}, own: {} }) };
  const objects = { ...createObjects(), 'plugin::users-permissions.providers-registry': registry };
  const strapi = strapiOf(objects, { github: { enabled: true }, google: { enabled: false } });
  expect(findRefusedGuards(strapi)).toMatchObject([
    {
      name: 'plugin::users-permissions.providers-registry',
      member: 'github',
      problem: expect.stringContaining('code registers the log-in provider "github", which the settings enable'),
    },
  ]);
});

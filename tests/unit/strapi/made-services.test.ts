import { expect, test } from '@jest/globals';
import {
  findReplacedMethods,
  rememberServices,
  type MadeServices,
} from '../../../src/strapi/services/made-services.js';
import { withAbsent } from '../../../src/strapi/absent-members.js';
import type { Named } from '../../../src/strapi/strapi.js';

/** The service of a plugin as code gets it, and what is found after code has changed it. */
function open(plugin: string, name: string, change: (service: Named) => void): readonly object[] {
  const made: MadeServices = new Map();
  const own = (): Named =>
    withAbsent("strapi.plugin('upload').service('upload')", { one: () => 1, two: () => 2, value: 3 });
  const { [name]: make } = rememberServices(plugin, { [name]: own }, made);
  change((make as () => Named)());
  return findReplacedMethods(made);
}

test.each<readonly [string, (service: Named) => void, readonly string[]]>([
  ['nothing', () => undefined, []],
  ['a replaced method', (service) => (service['one'] = () => 2), ['one']],
  ['a wrapped one, and what is no method', (service) => Object.assign(service, { two: () => 0, value: 4 }), ['two']],
  ['a method that the service refuses to call', (service) => (service['enhanceFile'] = () => 1), ['enhanceFile']],
  ['a method of its own', (service) => (service['mine'] = () => 1), []],
])('what code has in the place of methods of a built-in service: %s', (_name, change, members) => {
  expect(open('upload', 'upload', change)).toEqual(
    members.map((member) => ({ name: 'plugin::upload.upload', member })),
  );
});

test('what the service asks is not among them', () => {
  const replace = (member: string) => (service: Named) => Object.assign(service, { [member]: () => 1 });
  expect(open('email', 'email', replace('send'))).toEqual([]);
  expect(open('users-permissions', 'jwt', replace('verify'))).toEqual([]);
});

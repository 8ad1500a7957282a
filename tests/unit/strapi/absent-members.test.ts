import { expect, test } from '@jest/globals';
import { absentServicesOf, withAbsent } from '../../../src/strapi/absent-members.js';

test('absent members throw an error with their name, are not listed, and can be assigned', () => {
  const target: Record<string, unknown> = withAbsent('strapi.server', { app: 1 });
  expect(() => target['initRouting']).toThrow('strapi.server.initRouting is not supported');
  expect(Object.keys(target)).toEqual(['app']);
  expect(() => ({ ...target })).not.toThrow();
  target['mount'] = 'own';
  expect(target['mount']).toBe('own');
  expect(target['other']).toBeUndefined();
});

test('members of absent services throw an error with their name', () => {
  const { folder } = absentServicesOf('plugin::upload');
  expect(() => folder?.()['create']).toThrow("strapi.plugin('upload').service('folder').create is not supported");
  expect(absentServicesOf('unknown')).toEqual({});
});

import { expect, test } from '@jest/globals';
import { parseSettings } from '../src/settings.js';

test('without settings the API is below /v5, and unknown parameters are ignored', () => {
  expect(parseSettings({})).toEqual({ path: '/v5', strictParams: false, isNative: false });
});

test('the API can have the addresses of Strapi itself', () => {
  expect(parseSettings({ path: '/' }).path).toBe('');
});

test.each(['v5', '/v5/', '/a?b', 5])('refuses %p as a path', (path) => {
  expect(() => parseSettings({ path })).toThrow('must be a path such as "/v5"');
});

import { expect, test } from '@jest/globals';
import { matchFirstSegments } from '../../../src/rest/routes.js';

test.each([
  ['a route', ['/auth/local', '/users/:id'], '/api/users/3', true],
  ['a route in capitals', ['/users/:id'], '/API/Users/3', true],
  ['a route written in capitals', ['/Users'], '/api/users', true],
  ['a slash at the end', ['/users'], '/api/users/', true],
  ['another segment', ['/users/:id'], '/api/articles/3', false],
  ['a segment that begins alike', ['/users'], '/api/users-and-roles', false],
  ['no segment', ['/users'], '/api', false],
  ['a parameter', ['/users', '/:any/related'], '/api/articles/related', true],
  ['a wildcard', ['/*path'], '/api/articles', true],
  ['an optional part', ['/users{/:id}'], '/api/articles', true],
])('a path below /api is compared with the first segments of routes: %s', (_, paths, path, matches) => {
  expect(matchFirstSegments('/api', paths)(path)).toBe(matches);
});

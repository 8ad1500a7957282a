import { expect, test } from '@jest/globals';
import { groupByFirstSegment } from '../../../src/rest/routes.js';

test.each([
  ['a route', ['/auth/local', '/users/:id'], '/api/users/3', ['/users/:id']],
  ['several', ['/users', '/roles', '/users/:id'], '/api/users/3', ['/users', '/users/:id']],
  ['a route in capitals', ['/users/:id'], '/API/Users/3', ['/users/:id']],
  ['a route written in capitals', ['/Users'], '/api/users', ['/Users']],
  ['a slash at the end', ['/users'], '/api/users/', ['/users']],
  ['another segment', ['/users/:id'], '/api/articles/3', []],
  ['a segment that begins alike', ['/users'], '/api/users-and-roles', []],
  ['no segment', ['/users'], '/api', []],
  ['a parameter', ['/users', '/:any/related'], '/api/articles/related', ['/:any/related']],
  ['parameters between', ['/:a', '/users', '/:b', '/roles', '/:c'], '/api/users', ['/:a', '/users', '/:b', '/:c']],
  ['a wildcard', ['/*path'], '/api/articles', ['/*path']],
  ['an optional part', ['/users{/:id}'], '/api/users', ['/users{/:id}']],
])('a path below /api is compared with the routes of its first segment: %s', (_, paths, path, expected) => {
  const { groups, groupOf } = groupByFirstSegment(
    '/api',
    paths.map((one) => ({ path: one })),
  );
  expect(groups[groupOf(path)]?.map((route) => route.path)).toEqual(expected);
});

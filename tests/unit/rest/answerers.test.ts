import { beforeAll, expect, test } from '@jest/globals';
import type { ContentType, Registry } from '../../../src/content-types/model/types.js';
import type { Route } from '../../../src/plugins/contract/plugin.js';
import { createAnswerers } from '../../../src/rest/answerers.js';
import { loadCorpus, typeOf } from '../../support/golden.js';

let registry: Registry;
let articles: ContentType;

beforeAll(async () => {
  registry = await loadCorpus();
  articles = typeOf(registry, 'article');
});

test.each([
  ['/articles/:id', false],
  ['/Articles/:id', false],
  ['/articles/:id/', false],
  ['/:collection/:id', false],
  ['/articles/*path', false],
  ['/*path', false],
  ['/articles{/:id}', false],
  ['/articles/latest', true],
  ['/articles/:id/tags', true],
  ['/:page', true],
])('beside a route of the project with the path %s, the core reads an entry: %s', (path, isOffered) => {
  const route: Route = { method: 'GET', path, action: undefined, handle: async () => ({ body: {} }) };
  const { answererOf } = createAnswerers({ registry, routes: [route], isGuarded: () => false, code: undefined });
  expect(answererOf(articles, 'findOne')).toBe(isOffered ? 'core' : 'code');
});

test.each(['/articles', '/articles/'])(
  'an action that the route %s of the project replaces is answered by code',
  (path) => {
    const route: Route = { method: 'POST', path, action: undefined, handle: async () => ({ body: {} }) };
    const { answererOf } = createAnswerers({ registry, routes: [route], isGuarded: () => false, code: undefined });
    expect([answererOf(articles, 'create'), answererOf(articles, 'find')]).toEqual(['code', 'core']);
  },
);

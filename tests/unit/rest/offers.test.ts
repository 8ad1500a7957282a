import { beforeAll, expect, test } from '@jest/globals';
import type { ContentType } from '../../../src/content-types/model/types.js';
import type { Route } from '../../../src/plugins/contract/plugin.js';
import { createAllOffers } from '../../../src/rest/offers.js';
import { loadCorpus, typeOf } from '../../support/golden.js';

let articles: ContentType;

beforeAll(async () => {
  articles = typeOf(await loadCorpus(), 'article');
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
])('beside a route of the project with the path %s, an entry can be read by a key: %s', (path, isOffered) => {
  const route: Route = { method: 'GET', path, action: undefined, handle: async () => ({ body: {} }) };
  const { offersByKey } = createAllOffers({ routes: [route], isGuarded: () => false, served: undefined });
  expect(offersByKey(articles, 'findOne')).toBe(isOffered);
});

test.each(['/articles', '/articles/'])('an action that the route %s of the project replaces is not offered', (path) => {
  const route: Route = { method: 'POST', path, action: undefined, handle: async () => ({ body: {} }) };
  const { offersByKey } = createAllOffers({ routes: [route], isGuarded: () => false, served: undefined });
  expect([offersByKey(articles, 'create'), offersByKey(articles, 'find')]).toEqual([false, true]);
});

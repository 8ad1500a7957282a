import { expect, test } from '@jest/globals';
import { enabledPlugins, loadRegistry } from '../../../../src/app/load-registry.js';
import type { EntityService } from '../../../../src/plugins/contract/application.js';
import { createExtension } from '../../../../src/graphql/extension/extension.js';
import { graphqlServices } from '../../../../src/graphql/extension/services.js';

const limits = { defaultLimit: 10, maxLimit: 100 };
const article = { uid: 'api::article.article' };

test("service('builders').utils.transformArgs converts field arguments to parameters of entityService", async () => {
  const plugins = await enabledPlugins({ plugins: {}, folders: { project: process.cwd() } });
  const registry = await loadRegistry({ folders: { contentTypes: 'tests/fixtures/corpus/content-types' } }, plugins);
  const running = () => ({ registry, entityService: {} as EntityService });
  const { transformArgs } = graphqlServices(createExtension().service, limits, running).builders.utils;
  const paged = { contentType: article, usePagination: true };
  const filters = { or: [{ title: { eq: 'Tea' } }, { author: { name: { containsi: 'ann' } } }] };
  expect([
    transformArgs({}, { contentType: article }),
    transformArgs({}, paged),
    transformArgs({ pagination: { page: 3, pageSize: 5 } }, paged),
    transformArgs({ pagination: { limit: -1 }, sort: ['title'] }, paged),
    transformArgs({ filters, locale: 'fr' }, { contentType: article }),
  ]).toEqual([
    {},
    { start: 0, limit: 10 },
    { start: 10, limit: 5 },
    { start: 0, limit: 100, sort: ['title'] },
    {
      locale: 'fr',
      filters: { $or: [{ title: { $eq: 'Tea' } }, { author: { name: { $containsi: 'ann' } } }] },
    },
  ]);
  expect(() => transformArgs({ pagination: { page: 1, start: 1 } }, paged)).toThrow('Cannot use both page');
  expect(() => transformArgs({ filters }, { contentType: { uid: 'api::none.none' } })).toThrow(
    'Model api::none.none not found',
  );
});

test('filters cannot be converted before the service runs', () => {
  const { mappers } = graphqlServices(createExtension().service, limits).utils;
  expect(() => mappers.graphQLFiltersToStrapiQuery({}, article)).toThrow('before bootstrap');
});

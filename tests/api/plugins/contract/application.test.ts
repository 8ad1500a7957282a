import { expect, test } from '@jest/globals';
import type { Application } from '../../../../src/plugins/contract/application.js';
import { useService } from '../../../support/service.js';

/** The application object of Strapi v4's examples; docs/graphql.md lists its members. */
let strapi: Application;
useService({
  extension: {
    register: (context) => {
      strapi = context.strapi;
    },
  },
  plugins: { graphql: { config: { amountLimit: 50 } } },
});
const uid = 'api::article.article';

test('the entity service creates, reads, counts, updates and deletes entries, also drafts', async () => {
  const { entityService } = strapi;
  const { id } = await entityService.create(uid, { data: { title: 'Draft', publishedAt: null } });
  await entityService.create(uid, { data: { title: 'Live', publishedAt: '2024-01-01T00:00:00.000Z' } });
  const titles = async (params: Readonly<Record<string, unknown>>) =>
    (await entityService.findMany(uid, params)).map(({ title }) => title);
  expect(await titles({ sort: 'title' })).toEqual(['Draft', 'Live']);
  expect(await titles({ publicationState: 'live' })).toEqual(['Live']);
  expect(await entityService.count(uid, { filters: { title: { $startsWith: 'D' } } })).toBe(1);
  expect(await entityService.findPage(uid, { sort: 'title', page: 2, pageSize: 1, fields: ['title'] })).toEqual({
    results: [{ id: expect.any(Number), title: 'Live' }],
    pagination: { page: 2, pageSize: 1, pageCount: 2, total: 2 },
  });
  expect((await entityService.findPage(uid, { page: null, pageSize: null })).pagination).toEqual({
    page: 1,
    pageSize: 25,
    pageCount: 1,
    total: 2,
  });
  expect(await entityService.update(uid, id, { data: { title: 'Changed' } })).toMatchObject({ id, title: 'Changed' });
  expect(await entityService.findOne(uid, String(id), { fields: ['title'] })).toEqual({ id, title: 'Changed' });
  expect(await entityService.delete(uid, id)).toMatchObject({ id, title: 'Changed' });
});

test('the entity service returns null for a missing entry', async () => {
  const { entityService } = strapi;
  expect(await entityService.findOne(uid, 99_999)).toBeNull();
  expect(await entityService.update(uid, 99_999, { data: { title: 'x' } })).toBeNull();
  expect(await entityService.delete(uid, 99_999)).toBeNull();
});

test('the service of a content type lists published entries', async () => {
  const tags = strapi.service('api::tag.tag');
  const articles = strapi.service(uid);
  const tag = await tags.create({ data: { name: 'New' } });
  expect(await tags.update(tag.id, { data: { name: 'Newer' } })).toMatchObject({ name: 'Newer' });
  expect(await tags.findOne(tag.id)).toMatchObject({ id: tag.id, name: 'Newer' });
  expect((await tags.find({ filters: { name: 'Newer' } })).pagination.total).toBe(1);
  expect(await tags.delete(tag.id)).toMatchObject({ id: tag.id });
  const draft = await articles.create({ data: { title: 'Only a draft', publishedAt: null } });
  expect((await articles.find({ filters: { id: draft.id } })).results).toEqual([]);
});

test('strapi.config.get returns a setting by path, or the default', () => {
  expect(strapi.config.get('environment')).toBe('test');
  expect(strapi.config.get('plugin.graphql.amountLimit')).toBe(50);
  expect(strapi.config.get('api.rest.maxLimit')).toEqual(expect.any(Number));
  expect(strapi.config.get('plugin.graphql.nope', 'fallback')).toBe('fallback');
  expect(strapi.config.get('constructor.name')).toBeUndefined();
});

test('strapi.log has the methods of a logger', () => {
  const method: unknown = expect.any(Function);
  expect(strapi.log).toMatchObject({ info: method, error: method });
});

test('services of plugins are found by both names; unknown ones are reported', () => {
  expect(strapi.service('plugin::graphql.format')).toBe(strapi.plugin('graphql').service('format'));
  const ask = (of: object, name: string): unknown => (of as Readonly<Record<string, unknown>>)[name];
  expect(() => strapi.service('api::nope.nope')).toThrow("strapi.service('api::nope.nope'): unknown content type");
  expect(() => strapi.service('plugin::graphql.nope')).toThrow('The plugin graphql has no service nope');
  expect(() => strapi.plugin('nope').service('x')).toThrow('The plugin nope has no service x');
  expect(() => ask(strapi.entityService, 'load')).toThrow(
    /^strapi\.entityService\.load is not supported; supported: findMany,/,
  );
  expect(() => ask(strapi, 'db')).toThrow(
    'strapi.db is not supported; supported: plugin, service, entityService, config, log',
  );
});

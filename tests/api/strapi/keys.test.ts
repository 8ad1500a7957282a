import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type Answered, type RunningProject } from './project-folder.js';

const factory = (name: string, what: string, options = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::${name}.${name}'${options});`;

/** A content type with a key, with the code of a new Strapi project unless some of it is replaced. */
const api = (name: string, code: { router?: string; controller?: string; service?: string } = {}) => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: { slug: { type: 'uid' } },
  }),
  [`src/api/${name}/routes/${name}.js`]: factory(name, 'Router', code.router),
  [`src/api/${name}/controllers/${name}.js`]: factory(name, 'Controller', code.controller),
  [`src/api/${name}/services/${name}.js`]: factory(name, 'Service', code.service),
});

const observed = (name: string, event: string) => ({
  ...api(name),
  [`src/api/${name}/content-types/${name}/lifecycles.js`]: `module.exports = { ${event}() {} };`,
});

const names = ['plain', 'listed', 'guard', 'lister', 'reader', 'served', 'watched', 'found', 'made', 'kept', 'custom'];
const permissions = names.flatMap((name) =>
  ['find', 'findOne', 'create', 'update'].map((action) => `api::${name}.${name}.${action}`),
);
const files = {
  ...api('plain'),
  ...api('listed', { router: `, { only: ['find'] }` }),
  ...api('guard', { router: `, { config: { findOne: { policies: ['global::none'] } } }` }),
  ...api('lister', { controller: `, () => ({ find: (ctx) => { ctx.body = { own: 'list' }; } })` }),
  ...api('reader', { controller: `, () => ({ findOne: (ctx) => { ctx.body = { own: ctx.params.id }; } })` }),
  ...api('served', {
    service: `, () => ({ find: async () => ({ results: [], pagination: {} }), findOne: async () => null })`,
  }),
  ...observed('watched', 'afterFindOne'),
  ...observed('found', 'afterFindMany'),
  ...observed('made', 'beforeCreate'),
  ...observed('kept', 'afterUpdate'),
  ...api('custom'),
  'src/api/custom/routes/01-count.js': `module.exports = { routes: [
    { method: 'GET', path: '/customs/count', handler: (ctx) => { ctx.body = { own: 'count' }; }, config: { auth: false } },
    { method: 'GET', path: '/customs/by/:attribute/:value', handler: (ctx) => { ctx.body = ctx.params; }, config: { auth: false } },
  ] };`,
  'src/policies/none.js': 'module.exports = () => false;',
  'access.json': JSON.stringify({ roles: { public: { permissions } } }),
};

let project: RunningProject;
beforeAll(async () => {
  project = await openProjectFolder(files);
});
afterAll(() => project.stop());

test('the OpenAPI description has the routes of content types that the project left', async () => {
  const { body } = await project.send('GET', '/documentation/openapi.json');
  const { paths } = body as { readonly paths: Readonly<Record<string, object>> };
  const routesOf = (plural: string): readonly string[] =>
    Object.entries(paths).flatMap(([path, item]) =>
      path.startsWith(`/${plural}`)
        ? Object.keys(item).flatMap((key) => (key === 'parameters' ? [] : [`${key} ${path.slice(plural.length + 1)}`]))
        : [],
    );
  const own = ['get ', 'post ', 'get /{id}', 'put /{id}', 'delete /{id}'];
  const byKey = ['get', 'put', 'delete'].map((method) => `${method} /by/{attribute}/{value}`);
  expect(routesOf('plains').toSorted()).toEqual([...own, ...byKey, 'get /count', 'get /aggregate'].toSorted());
  expect(routesOf('listeds').toSorted()).toEqual(['get ', 'get /aggregate', 'get /count']);
  // Code answers its list, so the service counts and groups none.
  expect(routesOf('listers').toSorted()).toEqual([...own, ...byKey].toSorted());
});

/** The responses to the count and to the read by a key. */
const read = async (plural: string): Promise<readonly Answered[]> =>
  Promise.all([
    project.send('GET', `/api/${plural}/count`),
    project.send('GET', `/api/${plural}/by/slug/missing`),
    project.send('GET', `/api/${plural}/by/nothing/missing`),
  ]);
const counted = { status: 200, body: { data: { count: 0 } } };
const [notFound, invalid] = [{ status: 404 }, { status: 400 }];

test.each([
  ['plains', [counted, notFound, invalid]],
  ['listeds', [counted, notFound, notFound]],
  ['guards', [{ status: 403 }, notFound, notFound]],
  ['listers', [notFound, notFound, invalid]],
  ['readers', [{ status: 200, body: { own: 'count' } }, notFound, notFound]],
  ['serveds', [notFound, notFound, notFound]],
  // Its count has the path of an entry, as that of readers.
  ['watcheds', [notFound, notFound, notFound]],
  // Of events, those of the action count.
  ['founds', [notFound, notFound, invalid]],
  ['mades', [counted, notFound, invalid]],
  ['kepts', [counted, notFound, invalid]],
  [
    'customs',
    [
      { status: 200, body: { own: 'count' } },
      { status: 200, body: { attribute: 'slug', value: 'missing' } },
      { status: 200, body: { attribute: 'nothing', value: 'missing' } },
    ],
  ],
])('the code of %s is never bypassed', async (plural, expected) => {
  expect(await read(plural)).toMatchObject(expected);
});

test('a write by a key bypasses code as little', async () => {
  const put = async (name: string) =>
    (await project.send('PUT', `/api/${name}/by/slug/new?upsert=true`, { data: {} })).status;
  expect([await put('plains'), await put('listeds'), await put('watcheds')]).toEqual([201, 405, 405]);
});

test('other methods on a shut path stay refused', async () => {
  expect((await project.send('PUT', '/api/listeds/count', { data: {} })).status).toBe(405);
  expect((await project.send('GET', '/api/listeds/1')).status).toBe(404);
});

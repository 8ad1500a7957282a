import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const core = (type: string, what: string, options = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::${type}.${type}'${options});`;
const typeOf = (type: string, attributes: object, kind = 'collectionType'): Readonly<Record<string, string>> => ({
  [`src/api/${type}/content-types/${type}/schema.json`]: JSON.stringify({
    kind,
    collectionName: `${type}s`,
    info: { singularName: type, pluralName: `${type}s`, displayName: type },
    options: { draftAndPublish: false },
    attributes: { title: { type: 'string' }, ...attributes },
  }),
  [`src/api/${type}/routes/${type}.js`]: core(type, 'Router'),
  [`src/api/${type}/services/${type}.js`]: core(type, 'Service'),
  [`src/api/${type}/controllers/${type}.js`]: core(type, 'Controller', `, ({ strapi }) => (${actionsOf(type)})`),
  [`src/api/${type}/routes/own.js`]: `module.exports = { routes: [
    ['GET', 'first'], ['GET', 'filtered'], ['GET', 'titled'], ['GET', 'complete'], ['GET', 'paged'], ['GET', 'bare'], ['POST', 'made'], ['DELETE', 'gone'],
  ].map(([method, name]) => ({ method, path: '/${type}s/own/' + name, handler: '${type}.' + name, config: { auth: { scope: ['api::${type}.${type}.find'] } } })) };`,
});
/** Actions that call the core with objects which are no Koa contexts. */
const actionsOf = (type: string): string => `{
  first(ctx) { return super.findOne({ ...ctx, params: { id: 1 }, query: { fields: ['title'] } }); },
  filtered(ctx) { return super.findOne({ ...ctx, params: { id: 1 }, query: { filters: { missing: 1 } } }); },
  gone(ctx) { return super.delete({ ...ctx, query: { populate: '*' } }); },
  titled(ctx) { return strapi.controller('api::${type}.${type}').find({ query: { filters: { title: ctx.query.title }, populate: '*' } }); },
  complete(ctx) { return super.find({ state: ctx.state, query: { populate: '*', pagination: { pageSize: 1 } } }); },
  paged(ctx) { return super.find({ state: ctx.state, query: { pagination: { page: 'x' } } }); },
  async bare() {
    const [data] = await strapi.entityService.findMany('api::${type}.${type}', { populate: '*' });
    await this.validateInput({ title: 'a' });
    return { input: await this.sanitizeInput({ title: 'a', owner: 1 }), output: await this.sanitizeOutput(data) };
  },
  made(ctx) { return super.create({ query: {}, request: { body: { data: { title: 'made' } } } }); },
}`;
const owner = { type: 'relation', relation: 'manyToOne', target: 'api::person.person' };

/** The types \`note\` and \`watched\`, which has lifecycles, behave alike. */
const types = ['note', 'watched'];
let project: RunningProject;
beforeAll(async () => {
  project = await openProjectFolder({
    ...typeOf('person', {}),
    ...Object.assign({}, ...types.map((type) => typeOf(type, { owner }))),
    ...typeOf('setting', { owner }, 'singleType'),
    ...typeOf('banner', {}, 'singleType'),
    'src/api/banner/services/banner.js': core('banner', 'Service', ', () => ({ createOrUpdate: () => ({ id: 7 }) })'),
    'src/api/watched/content-types/watched/lifecycles.js': 'module.exports = { beforeFindMany() {} };',
    'access.json': JSON.stringify({
      roles: {
        public: {
          permissions: [
            ...['person', 'setting', ...types].map((type) => `api::${type}.${type}.find`),
            'api::banner.banner.update',
          ],
        },
        authenticated: {
          permissions: [{ action: 'api::note.note.find', where: { title: 'a' } }, 'api::note.note.findOne'],
        },
      },
    }),
    'src/index.js': `module.exports = { async bootstrap({ strapi }) {
      const { id: owner } = await strapi.entityService.create('api::person.person', { data: { title: 'Ann' } });
      await strapi.entityService.create('api::setting.setting', { data: { title: 'a', owner } });
      for (const type of ['note', 'watched'])
        for (const title of ['a', 'b']) await strapi.entityService.create('api::' + type + '.' + type, { data: { title, owner } });
      const role = await strapi.query('plugin::users-permissions.role').findOne({ where: { type: 'authenticated' } });
      const user = await strapi.plugin('users-permissions').service('user').add({ username: 'ben', email: 'ben@example.test',
        password: 'secret', role: role.id, confirmed: true, provider: 'local' });
      const jwt = strapi.plugin('users-permissions').service('jwt').issue({ id: user.id });
      strapi.server.router.get('/jwt', (ctx) => { ctx.body = { jwt }; });
    } };`,
  });
});
afterAll(() => project.stop());

test.each(types)('core actions of %ss take objects that are no Koa contexts', async (type) => {
  const get = async (name: string): Promise<unknown> => (await project.send('GET', `/api/${type}s/own/${name}`)).body;
  const ann = { data: { id: 1, attributes: { title: 'Ann' } } };
  expect(await get('first')).toEqual({ data: { id: 1, attributes: { title: 'a' } }, meta: {} });
  // Without the state of a request, no permission is known by which related entries could be read.
  const titled = await get('titled?title=b');
  expect(titled).toMatchObject({ data: [{ id: 2, attributes: { title: 'b' } }], meta: { pagination: { total: 1 } } });
  expect(titled).not.toMatchObject({ data: [{ attributes: { owner: ann } }] });
  expect(await get('complete')).toMatchObject({
    data: [{ id: 1, attributes: { title: 'a', owner: ann } }],
    meta: { pagination: { pageSize: 1, total: 2 } },
  });
  expect((await project.send('POST', `/api/${type}s/own/made`, {})).body).toMatchObject({
    data: { attributes: { title: 'made' } },
  });
});

test.each(types)('methods of the controller of %ss take no context: nobody has permissions', async (type) => {
  const { body } = await project.send('GET', `/api/${type}s/own/bare`);
  const { input, output } = body as Record<string, object>;
  expect(input).toEqual({ title: 'a' });
  expect(output).toMatchObject({ id: 1, title: 'a' });
  expect(output).not.toHaveProperty('owner');
});

test.each(types)('a filter of one of the %ss is checked, although it has no effect', async (type) => {
  expect(await project.send('GET', `/api/${type}s/own/filtered`)).toMatchObject({
    status: 400,
    body: { error: { message: 'Invalid parameter missing' } },
  });
});

test.each(types)('a page of the %ss that is no number is refused', async (type) => {
  expect(await project.send('GET', `/api/${type}s/own/paged`)).toMatchObject({
    status: 400,
    body: { error: { message: 'Invalid pagination.page: expected an integer in its range' } },
  });
});

test('a single type that is deleted is returned without relations', async () => {
  const { body } = await project.send('DELETE', '/api/settings/own/gone');
  expect(body).toMatchObject({ data: { attributes: { title: 'a' } } });
  expect(body.data.attributes).not.toHaveProperty('owner');
});

test('a single type is written by the service of the project', async () => {
  const { body } = await project.send('PUT', '/api/banner', { data: { title: 'a' } });
  expect(body).toMatchObject({ data: { id: 7 } });
});

test('rules of the caller apply to an object without the state of the request', async () => {
  const { jwt } = (await project.send('GET', '/jwt')).body;
  const titles = async (title: string): Promise<unknown> =>
    (await project.send('GET', `/api/notes/own/titled?title=${title}`, undefined, jwt)).body.data.length;
  expect([await titles('a'), await titles('b')]).toEqual([1, 0]);
});

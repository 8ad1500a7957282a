import { expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, schemaFile, useProjects } from './project-folder.js';

/** What code of existing projects does beside the usual; each file says what it expects of Strapi. */
const start = useProjects({
  ...apiFiles('note', { text: { type: 'string' } }),
  'src/api/own/content-types/own/schema.json': schemaFile('own', {}),
  'src/api/own/routes/own.js': `module.exports = { routes: [
    { method: 'GET', path: '/seen', handler: 'own.seen', config: { auth: false } },
    { method: 'PATCH', path: '/own', handler: () => 'x' },
  ] };`,
  // Aliases of modules, which src/index registers, have to exist.
  'src/api/own/controllers/own.js': `
    if (globalThis.orderOfFiles === undefined) throw new Error('src/index is loaded after the APIs');
    globalThis.orderOfFiles.push('apis');
    module.exports = { seen: (ctx) => { ctx.body = strapi.seen; } };`,
  'src/middlewares/own.js': `globalThis.orderOfFiles.push('middlewares'); module.exports = () => (ctx, next) => next();`,
  'src/policies/own.js': `globalThis.orderOfFiles.push('policies'); module.exports = () => true;`,
  'src/extensions/users-permissions/strapi-server.js': `
    globalThis.orderOfFiles.push('extensions');
    module.exports = (plugin) => {
      const { register, bootstrap, destroy } = plugin;
      plugin.register = async (parts) => {
        await register(parts);
      };
      plugin.bootstrap = (parts) => bootstrap(parts);
      plugin.destroy = () => destroy();
      plugin.controllers.settings.getProviders = (ctx) => ctx.send({});
      plugin.controllers.contentmanageruser.create = (ctx) => ctx.send({});
      plugin.routes.admin.routes.find(({ handler }) => handler === 'role.find').config.policies.push('own');
      return plugin;
    };`,
  'src/extensions/content-manager/strapi-server.js': `module.exports = (plugin) => {
    const { create } = plugin.controllers['collection-types'];
    plugin.controllers['collection-types'].create = async (ctx) => { await create(ctx); };
    plugin.routes.admin.routes.push({ method: 'GET', path: '/own', handler: 'collection-types.own', config: {} });
    return plugin;
  };`,
  'src/extensions/upload/strapi-server.js': `module.exports = (plugin) => {
    const { 'content-api': controller } = plugin.controllers;
    const { uploadFiles, updateFileInfo, upload } = controller;
    controller.replaceFile = (ctx) => ctx.send({ replaced: ctx.query.id });
    controller.uploadFiles = async (ctx) => { await uploadFiles(ctx); ctx.set('x-own', 'yes'); };
    const { routes } = plugin.routes['content-api'];
    routes.find(({ path, method }) => path === '/' && method === 'POST').config.auth = false;
    routes.find(({ path }) => path === '/files').path = '/listed';
    routes.push({ method: 'PUT', path: '/:id', handler: 'content-api.uploadFiles', config: { auth: false } });
    return plugin;
  };`,
  'src/index.js': `
    globalThis.orderOfFiles = ['index'];
    module.exports = {
      register() { strapi.seen = {}; },
      async bootstrap() {
        const [find] = strapi.api.note.routes.note.routes;
        const users = strapi.service('plugin::users-permissions.users-permissions');
        const actions = users.getActions();
        const role = await strapi.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } });
        Object.assign(strapi.seen, {
          order: globalThis.orderOfFiles,
          info: find.info,
          scope: find.config.auth.scope,
          upload: strapi.plugin('upload').routes['content-api'].routes[0].info,
          actions: { note: actions['api::note'], own: actions['api::own'], users: Object.keys(actions['plugin::users-permissions'].controllers) },
          enabled: users.getActions({ defaultEnable: true })['api::own'].controllers.own.seen,
          routes: (await users.getRoutes())['api::note'].map(({ method, path }) => method + ' ' + path),
          mail: users.template('Hello <%= name %> <%= other %>', { name: 'Ann' }),
          permissions: (await strapi.service('plugin::users-permissions.permission').findRolePermissions(role.id)).length > 0,
          file: await strapi.service('plugin::upload.upload').formatFileInfo({ filename: 'a b.png', type: 'image/png', size: 2345 }, { caption: 'c' }),
        });
        strapi.plugin('users-permissions').service('providers-registry').register('mine', () => async () => ({}));
      },
    };`,
});

test('what code of existing projects does when it starts', async () => {
  const { send, fetch, output } = await start({});
  const { body } = await send('GET', '/api/seen');
  const action = { enabled: false, policy: '' };
  expect(body).toEqual({
    order: ['index', 'extensions', 'apis', 'middlewares', 'policies'],
    info: { apiName: 'note', type: 'content-api' },
    scope: ['api::note.note.find'],
    upload: { pluginName: 'upload', type: 'content-api' },
    actions: {
      note: {
        controllers: { note: { find: action, findOne: action, create: action, update: action, delete: action } },
      },
      own: { controllers: { own: { seen: action } } },
      users: ['auth', 'user', 'role', 'permissions'],
    },
    enabled: { enabled: true, policy: '' },
    routes: ['GET /api/notes', 'GET /api/notes/:id', 'POST /api/notes', 'PUT /api/notes/:id', 'DELETE /api/notes/:id'],
    mail: 'Hello Ann <%= other %>',
    permissions: true,
    file: expect.objectContaining({ name: 'a b.png', ext: '.png', mime: 'image/png', size: 2.35, caption: 'c' }),
  });
  expect(output()).toContain(
    "src/extensions/content-manager/strapi-server.js: collection-types.create has no effect: Strapi's admin panel is not there",
  );
  expect(output()).toContain('users cannot log in with the provider');

  const form = (): FormData => {
    const data = new FormData();
    data.append('files', new Blob(['text']), 'a.txt');
    return data;
  };
  const uploaded = await fetch('/api/upload', { method: 'POST', body: form() });
  expect([uploaded.status, uploaded.headers.get('x-own')]).toEqual([200, 'yes']);
  expect(await uploaded.json()).toMatchObject([{ id: 1, name: 'a.txt' }]);
  const replaced = await fetch('/api/upload?id=1', { method: 'POST', body: form() });
  expect(await replaced.json()).toEqual({ replaced: '1' });
  const info = new FormData();
  info.append('fileInfo', JSON.stringify({ caption: 'new' }));
  const changed = await fetch('/api/upload?id=1', { method: 'POST', body: info });
  expect(await changed.json()).toMatchObject({ id: 1, caption: 'new' });
  expect(await (await fetch('/api/upload/9', { method: 'PUT', body: form() })).json()).toMatchObject([{ id: 2 }]);
  expect([(await send('GET', '/api/upload/files')).status, (await send('GET', '/api/upload/listed')).status]).toEqual([
    404, 403,
  ]);
});

test('relative paths in code begin in the folder of the project, beside which the service runs', async () => {
  const read = `require('node:fs').readFileSync('./data/' + __filename.split('/').at(-1) + '.txt', 'utf8')`;
  const files = {
    'src/index.js': `
      const loaded = ${read};
      module.exports = {
        register: async ({ strapi }) => { strapi.seen = { loaded, registered: ${read} }; },
        bootstrap: async ({ strapi }) => {
          Object.assign(strapi.seen, { booted: ${read}, settings: strapi.config.get('paths.text'), plugin: strapi.config.get('plugin.email.text') });
        },
      };`,
    'src/api/own/routes/own.js': `module.exports = { routes: [
      { method: 'GET', path: '/seen', handler: (ctx) => ctx.send({ ...strapi.seen, asked: ${read} }), config: { auth: false } },
    ] };`,
    'config/paths.js': `module.exports = { text: ${read} };`,
    'config/plugins.js': `module.exports = () => ({ email: { enabled: true, config: { text: ${read} } } });`,
    ...Object.fromEntries(['index', 'own', 'paths', 'plugins'].map((name) => [`data/${name}.js.txt`, name])),
  };
  const placed = Object.entries(files).map(([name, text]) => [`site/${name}`, text]);
  const running = await openProjectFolder(Object.fromEntries(placed), [], './site');
  try {
    expect((await running.send('GET', '/api/seen')).body).toEqual({
      loaded: 'index',
      registered: 'index',
      booted: 'index',
      settings: 'paths',
      plugin: 'plugins',
      asked: 'own',
    });
  } finally {
    await running.stop();
  }
});

import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const schema = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: false },
  attributes: { text: { type: 'string' }, secret: { type: 'string' } },
};
const files = {
  'src/api/note/content-types/note/schema.json': JSON.stringify(schema),
  'src/api/note/routes/note.js': `module.exports = { routes: [
    { method: 'GET', path: '/owned', handler: (ctx) => { ctx.body = {}; },
      config: { auth: false, policies: ['global::isOwner'], middlewares: ['global::addHeader'] } },
    { method: 'GET', path: '/shown', config: { auth: false }, handler: 'note.find' },
    { method: 'GET', path: '/phases', config: { auth: false }, handler: (ctx) => { ctx.body = { phases: strapi.phases }; } },
    { method: 'GET', path: '/settings', handler: (ctx) => { ctx.body = strapi.config.get('ownSettings'); }, config: { auth: false } },
    { method: 'GET', path: '/ticked', handler: async (ctx) => { ctx.body = { jobs: await strapi.ticked }; }, config: { auth: false } },
    { method: 'GET', path: '/found', handler: (ctx) => { ctx.body = strapi.found; }, config: { auth: false } },
  ] };`,
  'src/api/note/controllers/note.js': `module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note');`,
  'src/api/note/services/note.js': `module.exports = require('@strapi/strapi').factories.createCoreService('api::note.note');`,
  'src/api/note/index.js': `module.exports = {
    register({ strapi }) { strapi.phases = ['register of the API']; },
    async bootstrap({ strapi }) {
      strapi.phases.push('bootstrap of the API');
      await strapi.entityService.create('api::note.note', { data: { text: 'shown', secret: 'hidden' } });
    },
  };`,
  'config/api.js': `module.exports = { responses: { privateAttributes: ['secret', 'updatedAt'] }, rest: { prefix: '/api' } };`,
  'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::query',
    { name: 'strapi::security', config: { expectCt: { maxAge: 60 } } },
    { name: 'strapi::body', config: { jsonLimit: '1mb', formLimit: '1mb' } }];`,
  'src/extensions/absent/strapi-server.js': 'module.exports = (plugin) => plugin;',
  'src/api/code/content-types/code/schema.js': 'module.exports = {};',
  'src/components/code/part.ts': 'export default {};',
  // As a team keeps a changed copy of a plugin of Strapi.
  'src/plugins/i18n/package.json': JSON.stringify({
    name: '@strapi/plugin-i18n',
    strapi: { kind: 'plugin', name: 'i18n' },
  }),
  'src/plugins/i18n/strapi-server.js': `throw new Error('not loaded');`,
  'src/plugins/logs/strapi-server.js': `module.exports = { contentTypes: { entry: { schema: {
    kind: 'collectionType', collectionName: 'log_entries',
    info: { singularName: 'entry', pluralName: 'entries', displayName: 'Entry' },
    options: { indexes: [{ name: 'by_text', columns: ['text'] }] },
    attributes: { text: { type: 'string' } },
  } } } };`,
  'src/policies/isOwner.js': `module.exports = ({ http, request = http.request }) => request.header['x-owner'] === 'yes';`,
  'src/middlewares/addHeader.js': `module.exports = () => async (ctx, next) => { await next(); ctx.set('x-added', 'yes'); };`,
  'config/server.js': `module.exports = { cron: { tasks: { configured: { task() {}, options: '* * * * * *' } } } };`,
  'config/database.js': `module.exports = () => { throw new Error('DATABASE_URL is missing'); };`,
  // As projects load a second file of variables, or a store of secrets.
  'config/ownSettings.js': `
    process.env.OF_ANOTHER_FILE = 'loaded';
    process.env.OF_BOTH_FILES = 'of the second';
    module.exports = ({ env }) => ({ limit: 7, another: env('OF_ANOTHER_FILE', 'default'), both: env('OF_BOTH_FILES'), first: env('OF_FIRST_FILE') });`,
  '.env': 'OF_FIRST_FILE=of the first\nOF_BOTH_FILES=of the first',
  'config/plugins.js': `module.exports = {
    graphql: { enabled: true }, documentation: { enabled: true },
    i18n: { enabled: true, resolve: './src/plugins/i18n' }, logs: { enabled: true, resolve: './src/plugins/logs' },
  };`,
  'src/index.js': `module.exports = {
    register({ strapi }) {
      strapi.phases.push('register of the project');
      strapi.server.httpServer.on('upgrade', (upgrade, socket) => {
        socket.end('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: echo\\r\\n\\r\\n' + upgrade.url);
      });
      strapi.server.router.get('/of-router/:name', (ctx) => { ctx.body = { name: ctx.params.name }; });
      strapi.plugin('documentation').service('override').registerOverride({ paths: { '/owned': { get: { summary: 'Owned' } } } });
      strapi.plugin('graphql').service('extension').use(() => ({
        typeDefs: 'type Query { ' + strapi.config.get('own.field') + ': String }',
        resolvers: { Query: { [strapi.config.get('own.field')]: () => 'there' } },
        resolversConfig: { ['Query.' + strapi.config.get('own.field')]: { auth: false, policies: ['global::isOwner'] } },
      }));
    },
    async bootstrap({ strapi }) {
      strapi.config.set('own.field', 'added');
      strapi.ticked = new Promise((resolve) => {
        const task = () => resolve(strapi.cron.jobs.map(({ name }) => name));
        strapi.cron.add({ added: { task, options: '* * * * * *' } });
      });
      await strapi.admin.services.permission.actionProvider.registerMany([{ uid: 'read', section: 'plugins' }]);
      const { getService } = require('@strapi/plugin-users-permissions/server/utils');
      require('@strapi/plugin-users-permissions/strapi-admin');
      const users = strapi.service('admin::user');
      const email = 'ann@test.example';
      const found = await users.exists({ email });
      const created = found ? undefined : await users.create({ email, password: 'secret' });
      const roles = strapi.db.query('admin::role');
      await strapi.admin.services.role.createRolesIfNoneExist();
      const role = (await roles.findOne({ where: { code: 'strapi-super-admin' } })) ?? (await roles.create({ data: { name: 'Super' } }));
      const password = await strapi.service('admin::auth').hashPassword('secret');
      await strapi.db.query('admin::user').create({ data: { email, password, isActive: true, roles: [role.id] } });
      const panel = [role, password.slice(0, 4), await strapi.db.query('admin::user').count(), await roles.findWithCount()];
      let refused;
      try { strapi.admin.services.token } catch (error) { refused = error.message; }
      strapi.found = {
        found,
        user: users.sanitizeUser(created),
        refused,
        panel,
        roles: (await getService('role').getRoles()).map(({ type }) => type),
        limit: strapi.config.get('ownSettings.limit'),
        extensions: strapi.dirs.dist.extensions.slice(strapi.dirs.app.root.length),
      };
    },
  };`,
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
});
afterAll(async () => running.stop());

test('files of src/policies, src/middlewares and config keep their names', async () => {
  expect((await running.send('GET', '/api/owned')).status).toBe(403);
  const response = await running.fetch('/api/owned', { headers: { 'x-owner': 'yes' } });
  expect([response.status, response.headers.get('x-added')]).toEqual([200, 'yes']);
});

test('the function env of config files reads variables as they are when it is called', async () => {
  expect((await running.send('GET', '/api/settings')).body).toEqual({
    limit: 7,
    another: 'loaded',
    both: 'of the second',
    first: 'of the first',
  });
});

test('cron tasks that code adds run, and those of config/server only if they are enabled', async () => {
  expect((await running.send('GET', '/api/ticked')).body).toEqual({ jobs: ['added'] });
});

test('registrations for the admin panel have no effect, and other calls to it throw', async () => {
  expect((await running.send('GET', '/api/found')).body).toEqual({
    found: false,
    user: { email: 'ann@test.example' },
    refused: expect.stringContaining('strapi.admin.services.token is not supported'),
    panel: [{ name: 'Super' }, '$2b$', 0, [[], 0]],
    roles: ['authenticated', 'public'],
    limit: 7,
    extensions: '/src/extensions',
  });
  expect(running.output()).toContain(
    "strapi.service('admin::user').create has no effect: Strapi's admin panel is not there",
  );
  expect(running.output()).toContain(
    "strapi.db.query('admin::user').create has no effect: Strapi's admin panel is not there",
  );
});

test('config/database that cannot be loaded does not stop the start', () => {
  expect(running.output()).toMatch(/config\/database\.js cannot be loaded: DATABASE_URL is missing.*it has no effect/);
});

test('responses.privateAttributes of config/api hides attributes, and src/api/*/index runs before src/index', async () => {
  const { body } = await running.send('GET', '/api/shown');
  expect((await running.send('GET', '/api/phases')).body.phases).toEqual([
    'register of the API',
    'register of the project',
    'bootstrap of the API',
  ]);
  expect(Object.keys(body.data[0].attributes)).toEqual(['text', 'createdAt']);
});

test('what has no effect is named', () => {
  const output = running.output();
  expect(output).toContain('config/middlewares.js:2: expectCt of strapi::security has no effect');
  expect(output).toContain('config/middlewares.js:3: formLimit of strapi::body has no effect');
  expect(output).toContain('src/extensions/absent/strapi-server.js has no effect: there is no plugin \\"absent\\"');
  for (const file of ['src/api/code/content-types/code/schema.js', 'src/components/code/part.ts'])
    expect(output).toContain(`Not supported: ${file}: a definition in code`);
});

test("a project's copy of a Strapi plugin is reported, and the built-in plugin runs", async () => {
  expect(running.output()).toMatch(
    /Not supported: config\/plugins\.js:3: a copy of @strapi\/plugin-i18n: a plugin of the service/,
  );
  expect((await running.send('GET', '/api/i18n/locales')).status).not.toBe(404);
});

test('options.indexes in the format of a plugin is a warning', () => {
  expect(running.output()).toMatch(/plugin logs: options\.indexes must be a list of attributes/);
});

test('the GraphQL schema is built after bootstrap', async () => {
  const query = { query: '{ added }' };
  const headers = { 'content-type': 'application/json', 'x-owner': 'yes' };
  const response = await running.fetch('/graphql', { method: 'POST', body: JSON.stringify(query), headers });
  expect(await response.json()).toEqual({ data: { added: 'there' } });
  expect((await running.send('POST', '/graphql', query)).body).toMatchObject({ errors: [expect.anything()] });
});

test('project code can attach web sockets to the HTTP server in register', async () => {
  const upgrade = request(`${running.url}/socket`, { headers: { connection: 'Upgrade', upgrade: 'echo' } }).end();
  const [response, socket, head] = (await once(upgrade, 'upgrade')) as [IncomingMessage, Duplex, Buffer];
  const text = await socket.reduce((all: string, chunk) => all + String(chunk), head.toString());
  expect([response.statusCode, text]).toEqual([101, '/socket']);
  expect((await running.send('GET', '/api/found')).status).toBe(200);
});

test('project code adds routes to the router of the server', async () => {
  expect((await running.send('GET', '/of-router/one')).body).toEqual({ name: 'one' });
});

test('project code extends the OpenAPI description', async () => {
  const { body } = await running.send('GET', '/documentation/openapi.json');
  expect(body.paths['/owned']).toEqual({ get: { summary: 'Owned' } });
  expect(Object.keys(body.paths)).toContain('/users');
  // The project has no core router for notes.
  expect(Object.keys(body.paths)).not.toContain('/notes');
  expect((await running.send('GET', '/api/notes')).status).toBe(404);
});

test('a project of code alone starts', async () => {
  const alone = await openProjectFolder({
    'package.json': JSON.stringify({ name: 'alone', dependencies: { '@strapi/strapi': '4.26.2' } }),
    'src/index.js': `module.exports = { bootstrap: () => console.log('code alone') };`,
  });
  expect(alone.output()).toContain('code alone');
  await alone.stop();
});

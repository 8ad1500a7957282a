import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const extension = 'src/extensions/users-permissions/strapi-server.js';
const files = {
  'src/api/own/routes/own.js': `module.exports = { routes: [
    { method: 'GET', path: '/phases', handler: (ctx) => { ctx.body = { phases: strapi.phases }; }, config: { auth: false } },
  ] };`,
  'extensions/index.mjs': `export const guards = { 'plugin::users-permissions.auth.connect': { policies: [() => false] } };`,
  // A new object instead of the changed one, as a function that returns a promise.
  [extension]: `module.exports = async ({ routes: { 'content-api': api }, ...plugin }) => ({
    bootstrap: ({ strapi }) => { strapi.phases = ['bootstrap of the extension', plugin.config.jwt.expiresIn]; },
    services: plugin.services,
    controllers: { ...plugin.controllers, auth: { ...plugin.controllers.auth, callback: (ctx) => { ctx.body = { own: true }; } } },
    routes: { 'content-api': { ...api, routes: [
      ...api.routes
        .filter(({ handler }) => handler !== 'auth.register' && handler !== 'user.findOne')
        .map((route) => (route.handler === 'user.me' ? { ...route, path: '/me', config: {} } : route))
        .map((route) => (route.handler === 'user.count' ? { ...route, path: '/people/count' } : route)),
      { method: 'GET', path: '/auth/own', handler: 'auth.callback', config: { auth: false, prefix: '' } },
    ] } },
  });`,
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
});
afterAll(async () => running.stop());

test('strapi-server can return another plugin, which keeps the name', async () => {
  expect((await running.send('GET', '/api/auth/own')).body).toEqual({ own: true });
  expect((await running.send('POST', '/api/auth/local', {})).body).toEqual({ own: true });
  expect((await running.send('GET', '/api/phases')).body).toEqual({ phases: ['bootstrap of the extension', '30d'] });
});

test('code calls the controllers of users-permissions as they are without its extension', async () => {
  const project = await openProjectFolder({
    [extension]: `const auth = require('@strapi/plugin-users-permissions/server/controllers/auth');
      const { user } = require('@strapi/plugin-users-permissions/server/controllers');
      const panel = require('@strapi/plugin-users-permissions/server/controllers/content-manager-user');
      module.exports = (plugin) => {
        plugin.controllers.auth = { ...auth, async register(ctx) { await auth.register(ctx); ctx.body = { ...ctx.body, own: true }; } };
        plugin.controllers.user.me = async (ctx) => { ctx.body = { is: typeof user.find, of: typeof panel.create }; };
        return plugin;
      };`,
    'access.json': JSON.stringify({
      roles: {
        public: {
          permissions: ['auth.register', 'user.me'].map((action) => `plugin::users-permissions.${action}`),
        },
      },
    }),
  });
  const user = { username: 'ann', email: 'ann@test.example', password: 'Secret-1234' };
  const { status, body } = await project.send('POST', '/api/auth/local/register', user);
  expect([status, body.user.username, body.own]).toEqual([200, 'ann', true]);
  expect((await project.send('GET', '/api/users/me')).body).toEqual({ is: 'function', of: 'function' });
  await project.stop();
});

test('guards of an extension protect actions whose routes the code has', async () => {
  expect((await running.send('GET', '/api/connect/github')).status).toBe(403);
});

test('routes that strapi-server removes are gone', async () => {
  const user = { username: 'ann', email: 'ann@test.example', password: 'Secret-1234' };
  expect((await running.send('POST', '/api/auth/local/register', user)).status).toBe(405);
  // Other methods of this path are left.
  expect((await running.send('GET', '/api/users/1')).status).toBe(404);
  expect((await running.send('PATCH', '/api/users/1')).status).toBe(405);
  expect((await running.send('GET', '/api/users')).status).toBe(403);
});

test('the OpenAPI description has the routes of plugins where the project has them', async () => {
  const { body } = await running.send('GET', '/documentation/openapi.json');
  const { paths } = body as { readonly paths: Readonly<Record<string, object>> };
  const methods = (name: string): readonly string[] => Object.keys(paths[name] ?? {});
  expect(methods('/auth/own')).toEqual(['get']);
  expect(methods('/auth/local')).toEqual(['post']);
  expect(methods('/auth/local/register')).toEqual([]);
  expect(methods('/users/{id}').toSorted()).toEqual(['delete', 'put']);
  expect([methods('/users-permissions/me'), methods('/users/me')]).toEqual([['get'], []]);
  expect([methods('/people/count'), methods('/users/count')]).toEqual([['get'], []]);
  for (const place of ['/api/users-permissions/me', '/api/people/count'])
    expect((await running.send('GET', place)).status).toBe(403);
});

test.each([
  [
    'module.exports = () => 7;',
    /users-permissions\/strapi-server\.js: returns number, and no plugin users-permissions/,
  ],
  ["module.exports = () => ({ services: 'none' });", /strapi-server\.js: services must be object/],
  [
    `module.exports = (plugin) => ({ ...plugin, register: ({ strapi }) => {\n strapi.stop();\n} });`,
    /strapi-server\.js: register of the plugin users-permissions: strapi\.stop is not supported \(src\/extensions\/users-permissions\/strapi-server\.js:2\)/,
  ],
])('a start names the file of a strapi-server that it refuses: %s', async (code, message) => {
  await expect(openProjectFolder({ ...files, [extension]: code })).rejects.toThrow(message);
});

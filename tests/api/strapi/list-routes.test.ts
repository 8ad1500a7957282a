import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const core = (what: string): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::note.note');`;

/** A cache of GET requests in front of the routes that exist, as strapi-plugin-rest-cache adds it in `bootstrap`. */
const cache = `const Router = require('@koa/router');
  module.exports = { bootstrap({ strapi }) {
    const layers = [...strapi.server.listRoutes(), ...strapi.server.api('content-api').listRoutes(), ...strapi.server.api('admin').listRoutes()];
    const exists = (method, path) => layers.some((layer) => layer.methods.includes(method) && layer.path.match(new RegExp('^' + path + '/?')));
    const router = new Router();
    const cached = new Map();
    strapi.cachedPaths = ['/api/notes', '/api/i18n/locales', '/api/absent'].filter((path) => exists('GET', path));
    for (const path of strapi.cachedPaths) {
      router.get(path, async (ctx, next) => {
        ctx.set('x-cache', cached.has(ctx.url) ? 'HIT' : 'MISS');
        if (cached.has(ctx.url)) { ctx.body = cached.get(ctx.url); return; }
        await next();
        if (ctx.status === 200) cached.set(ctx.url, ctx.body);
      });
    }
    strapi.server.router.use(router.routes());
  } };`;

const files = {
  'src/api/note/content-types/note/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: false },
    attributes: { text: { type: 'string' } },
  }),
  'src/api/note/routes/note.js': core('Router'),
  'src/api/note/routes/own.js': `module.exports = { routes: [
    { method: 'GET', path: '/cached', handler: (ctx) => { ctx.body = { paths: strapi.cachedPaths }; }, config: { auth: false } },
  ] };`,
  'src/api/note/controllers/note.js': core('Controller'),
  'src/api/note/services/note.js': core('Service'),
  'src/plugins/cache/strapi-server.js': cache,
  'config/plugins.js': `module.exports = { cache: { enabled: true, resolve: './src/plugins/cache' } };`,
  'access.json': JSON.stringify({
    roles: { public: { permissions: ['api::note.note.find', 'plugin::i18n.locales.listLocales'] } },
  }),
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files, ['@koa/router']);
});
afterAll(async () => running.stop());

test('strapi.server.listRoutes lists the routes of code and of plugins before bootstrap', async () => {
  expect((await running.send('GET', '/api/cached')).body).toEqual({ paths: ['/api/notes', '/api/i18n/locales'] });
});

test.each(['/api/notes', '/api/i18n/locales'])(
  'code in the router precedes the route of the service: %s',
  async (path) => {
    const first = await running.fetch(path);
    const second = await running.fetch(path);
    expect([first, second].map(({ status, headers }) => [status, headers.get('x-cache')])).toEqual([
      [200, 'MISS'],
      [200, 'HIT'],
    ]);
    expect(await second.json()).toEqual(await first.json());
  },
);

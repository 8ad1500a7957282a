import { expect, test } from '@jest/globals';
import { openFeed } from '../../support/change-feed.js';
import { useProjects, type RunningProject } from './project-folder.js';
import { until } from '../../support/until.js';

const schema = (attributes: object, more: object = {}): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: false },
    attributes,
    ...more,
  });
const owner = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' };
const core = (what: string, options = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::note.note'${options});`;
const note = 'src/api/note';
const base = {
  [`${note}/content-types/note/schema.json`]: schema({ text: { type: 'text' }, owner }),
  [`${note}/routes/note.js`]: core('Router'),
  [`${note}/controllers/note.js`]: core('Controller'),
  [`${note}/services/note.js`]: core('Service'),
  'access.json': JSON.stringify({
    roles: {
      public: { permissions: ['plugin::users-permissions.auth.register'] },
      authenticated: {
        permissions: ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::note.note.${action}`),
      },
    },
  }),
};

const run = useProjects(base);

async function register(
  { send }: RunningProject,
  name: string,
): Promise<{ readonly id: number; readonly jwt: string }> {
  const account = { username: name, email: `${name}@example.test`, password: `secret-of-${name}` };
  const { body } = await send('POST', '/api/auth/local/register', account);
  return { id: body.user.id, jwt: body.jwt };
}

test('a policy of the project denies access to entries of other users', async () => {
  const project = await run({
    'src/policies/is-owner.js': `module.exports = async (policyContext, config, { strapi }) => {
      const { id } = policyContext.params;
      const note = await strapi.entityService.findOne('api::note.note', id, { populate: ['owner'] });
      return note?.owner?.id === policyContext.state.user.id;
    };`,
    [`${note}/routes/note.js`]: core(
      'Router',
      `, { config: { update: { policies: ['global::is-owner'] }, delete: { policies: ['global::is-owner'] } } }`,
    ),
    [`${note}/controllers/note.js`]: core(
      'Controller',
      `, () => ({
        async create(ctx) {
          const note = await strapi.service('api::note.note').create({ data: { ...ctx.request.body.data, owner: ctx.state.user.id } });
          return this.transformResponse(await this.sanitizeOutput(note, ctx));
        },
      })`,
    ),
  });
  const [anna, ben] = [await register(project, 'anna'), await register(project, 'ben')];
  const { body } = await project.send('POST', '/api/notes', { data: { text: 'mine' } }, anna.jwt);
  const place = `/api/notes/${body.data.id}`;
  expect(await project.send('PUT', place, { data: { text: 'theirs' } }, ben.jwt)).toMatchObject({ status: 403 });
  expect(await project.send('DELETE', place, undefined, ben.jwt)).toMatchObject({ status: 403 });
  expect(await project.send('PUT', place, { data: { text: 'ours' } }, anna.jwt)).toMatchObject({
    status: 200,
    body: { data: { attributes: { text: 'ours' } } },
  });
});

test('routes that a project disables return 404', async () => {
  const project = await run({ [`${note}/routes/note.js`]: core('Router', `, { only: ['find'] }`) });
  const { jwt } = await register(project, 'anna');
  expect(await project.send('GET', '/api/notes', undefined, jwt)).toMatchObject({ status: 200 });
  expect(await project.send('GET', '/api/notes/1', undefined, jwt)).toMatchObject({ status: 404 });
  expect(await project.send('POST', '/api/notes', { data: {} }, jwt)).toMatchObject({ status: 405 });
});

test('reads of a path that has other methods only are not found, and an empty scope opens no route', async () => {
  const own = `{ method: 'GET', path: '/own', handler: 'note.find', config: { auth: { scope: [] } } }`;
  const project = await run({
    [`${note}/routes/note.js`]: core('Router', `, { except: ['find'] }`),
    [`${note}/routes/own.js`]: `module.exports = { routes: [${own}] };`,
  });
  const { jwt } = await register(project, 'anna');
  expect(await project.send('GET', '/api/notes', undefined, jwt)).toMatchObject({ status: 404 });
  const refused = await project.fetch('/api/notes', { method: 'PUT' });
  expect(refused.status).toBe(405);
  expect(refused.headers.get('allow')).toBe('HEAD, GET, POST');
  expect(await project.send('GET', '/api/own')).toMatchObject({ status: 403 });
  expect(await project.send('GET', '/api/own', undefined, jwt)).toMatchObject({ status: 200 });
});

test("an error in a controller is returned in Strapi's error format, and the process continues", async () => {
  const project = await run({
    [`${note}/routes/fail.js`]: `module.exports = { routes: [{ method: 'GET', path: '/fail', handler: 'note.fail', config: { auth: false } },
      ...['GET', 'PUT'].map((method) => ({ method, path: '/shown/:id', handler: (ctx) => ctx.params, config: { auth: false } }))] };`,
    [`${note}/controllers/note.js`]: core('Controller', `, () => ({ fail() { throw new TypeError('of mine'); } })`),
  });
  expect(await project.send('GET', '/api/fail')).toMatchObject({
    status: 500,
    body: { data: null, error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error' } },
  });
  // As in Strapi v4, where the route of public files matches every read first.
  expect(await project.send('GET', '/api/shown/a%20b')).toMatchObject({ body: { 0: 'api/shown/a b', id: 'a b' } });
  expect((await project.send('PUT', '/api/shown/7', {})).body).toEqual({ id: '7' });
  await project.printed('of mine');
  await project.printed(`${note}/controllers/note.js:1`);
  await until(async () => (await project.send('GET', '/_ready')).status === 204);
});

test('a rejection that code does not handle is logged, and the process continues', async () => {
  const project = await run({
    [`${note}/routes/float.js`]: `module.exports = { routes: [{ method: 'GET', path: '/float', handler: 'note.float', config: { auth: false } }] };`,
    [`${note}/controllers/note.js`]: core(
      'Controller',
      `, () => ({ float() { void Promise.reject(new TypeError('not awaited')); return 'sent'; } })`,
    ),
  });
  expect(await project.send('GET', '/api/float')).toMatchObject({ status: 200, body: 'sent' });
  await project.printed('not awaited');
  await project.printed(`${note}/controllers/note.js:1`);
  expect(await project.send('GET', '/api/float')).toMatchObject({ status: 200 });
});

test('code and settings have what npm installs beside Strapi, without depending on it', async () => {
  const project = await run({
    'src/limits.js': "module.exports = require('yup').number().cast(require('lodash').last([1, '7']));",
    'config/plugins.js': "module.exports = { 'users-permissions': { config: { own: require('../src/limits') } } };",
    'config/database.js': "module.exports = { connection: { client: require('lodash').first(['postgres']) } };",
    '.own': 'OWN=read\n',
    [`${note}/routes/beside.js`]: `const { hash, compareSync } = require('bcryptjs');
      require('dotenv').config({ path: '.own', quiet: true });
      module.exports = { routes: [{ method: 'GET', path: '/beside', config: { auth: false }, handler: async (ctx) => {
        const hashed = await hash('secret', 4);
        const { own } = strapi.config.get('plugin.users-permissions');
        const { validatePassword } = strapi.service('admin::auth');
        ctx.body = { own, read: process.env.OWN, matches: [compareSync('secret', hashed), compareSync('other', hashed)],
          valid: [await validatePassword('secret', hashed), await validatePassword('other', hashed)] };
      } }] };`,
  });
  expect((await project.send('GET', '/api/beside')).body).toEqual({
    own: 7,
    read: 'read',
    matches: [true, false],
    valid: [true, false],
  });
  expect(project.output()).toContain('rules of postgres (en_US), as config/database says');
});

test('a handler that never returns is answered after the time limit', async () => {
  const project = await run({
    [`${note}/routes/wait.js`]: `module.exports = { routes: [{ method: 'GET', path: '/wait', handler: () => new Promise(() => {}), config: { auth: false } }] };`,
    '.env': 'REQUEST_TIMEOUT=200\n',
  });
  expect(await project.send('GET', '/api/wait')).toMatchObject({ status: 503 });
});

test.each([
  ['src/policies/is-owner.js', 'module.exports = () => true;\nrequire("not-there");', 'src/policies/is-owner.js:2'],
  [
    'src/index.js',
    'module.exports = { register() { require("not-there/sub"); } };',
    'register of the project: the package "not-there" is not installed: run npm install not-there in the project (src/index.js:1)',
  ],
  [`${note}/routes/note.js`, 'module.exports = { routes: [ };', `${note}/routes/note.js`],
  [
    `${note}/routes/note.js`,
    `module.exports = { routes: [{ method: 'GET', path: '/n', handler: 'note.find', config: { policies: ['global::gone'] } }] };`,
    'Error creating endpoint GET /n: Could not find policy "global::gone"',
  ],
  [
    'config/middlewares.js',
    `module.exports = ['strapi::errors',\n  { name: 'strapi::ip', config: { whitelist: ['10.0.0.1'] } }];`,
    'config/middlewares.js:2: Middleware "strapi::ip": the lists of strapi::ip are not supported',
  ],
])('unsupported code stops the start: %s', async (file, text, message) => {
  await expect(run({ [file]: text })).rejects.toThrow(message);
});

test('config/middlewares and config/api set CORS, body limits and page sizes', async () => {
  const project = await run({
    'config/middlewares.js': `module.exports = [
      'strapi::errors', 'strapi::security', { name: 'strapi::cors', config: { origin: ['https://mine.test'] } },
      'strapi::query', { name: 'strapi::body', config: { jsonLimit: '1kb' } }, 'strapi::public', 'strapi::favicon',
    ];`,
    'config/api.js': 'module.exports = ({ env }) => ({ rest: { defaultLimit: 1, maxLimit: env.int("MOST", 2) } });',
  });
  const { jwt } = await register(project, 'anna');
  for (const text of ['one', 'two', 'three']) await project.send('POST', '/api/notes', { data: { text } }, jwt);
  const pageSize = async (place: string): Promise<number> =>
    (await project.send('GET', place, undefined, jwt)).body.meta.pagination.pageSize as number;
  expect(await pageSize('/api/notes')).toBe(1);
  expect(await pageSize('/api/notes?pagination[pageSize]=9')).toBe(2);
  const long = { data: { text: 'x'.repeat(2000) } };
  expect(await project.send('POST', '/api/notes', long, jwt)).toMatchObject({ status: 413 });
  expect(await project.allowedOrigin('https://mine.test')).toBe('https://mine.test');
  expect(await project.allowedOrigin('https://other.test')).toBeNull();
});

test.each([
  ['has no largest size unless the project sets one, as in Strapi v4', { '.env': '' }, [25, 30, 30, 30]],
  [
    'has the default size of the project',
    { 'config/api.js': 'module.exports = { rest: { defaultLimit: 28 } };' },
    [28, 30, 30, 30],
  ],
  ['has the largest size of REST_MAX_LIMIT, also in code', { '.env': 'REST_MAX_LIMIT=7\n' }, [7, 7, 7, 7]],
])('a list %s', async (_name, files, sizes) => {
  const project = await run({
    ...files,
    'src/api/note/routes/all.js': `module.exports = { routes: [{ method: 'GET', path: '/all', config: { auth: false },
      handler: async () => ({ size: (await strapi.service('api::note.note').find({ pagination: { limit: -1 } })).results.length }) }] };`,
    'src/index.js': `module.exports = { async bootstrap({ strapi }) {
      for (let number = 0; number < 30; number += 1) await strapi.entityService.create('api::note.note', { data: { text: String(number) } }); } };`,
  });
  const { jwt } = await register(project, 'anna');
  const found: number[] = [];
  for (const query of ['', '?pagination[limit]=-1', '?pagination[pageSize]=5000']) {
    const { body } = await project.send('GET', `/api/notes${query}`, undefined, jwt);
    found.push(body.data.length as number);
    if (query.endsWith('-1') && sizes[1] === 30)
      expect(body.meta.pagination).toEqual({ start: 0, limit: -1, total: 30 });
  }
  found.push((await project.send('GET', '/api/all')).body.size as number);
  expect(found).toEqual(sizes);
});

test('middlewares are found in packages, and in the folder of the project with and without a dot', async () => {
  const stamp = (name: string): string =>
    `module.exports = () => async (ctx, next) => { await next(); ctx.append('x-stamps', '${name}'); };`;
  const project = await run({
    'config/middlewares.js': `module.exports = ['strapi::errors', { resolve: 'src/middlewares/plain' },
      { resolve: './src/middlewares/dotted' }, { resolve: 'src/middlewares/typed' }, { resolve: 'stamping' }];`,
    'src/middlewares/plain.js': stamp('plain'),
    'src/middlewares/dotted.js': stamp('dotted'),
    'src/middlewares/typed.ts': `export default () => async (ctx: any, next: () => Promise<void>) => { await next(); ctx.append('x-stamps', 'typed'); };`,
    'stamping/index.js': stamp('the folder of a package'),
    'node_modules/stamping/index.js': stamp('package'),
  });
  const { headers } = await project.fetch('/api/notes');
  expect(headers.get('x-stamps')).toBe('package, typed, dotted, plain');
});

const poll = { Accept: 'application/json' };
const listed = ['plugin::upload.content-api.find', 'plugin::users-permissions.user.find'];
const whoListsAll = JSON.stringify({
  roles: { public: { permissions: [...listed, 'plugin::users-permissions.auth.register'] } },
});

test('files and users are in the feed of a project whose code does not take part in their lists', async () => {
  const project = await run({ '.env': 'EVENTS=true', 'access.json': whoListsAll });
  const feed = await openFeed(`${project.url}/api/changes?types=users,files&fields[users]=username`);
  const { id } = await register(project, 'ida');
  expect(await feed.change()).toMatchObject({ event: 'entry.create', id, entry: { id, username: 'ida' } });
  feed.close();
});

test('files and users are not in the feed if code takes part in their lists', async () => {
  const project = await run({
    '.env': 'EVENTS=true',
    'access.json': whoListsAll,
    'src/extensions/upload/strapi-server.js': 'module.exports = (plugin) => plugin;',
    'src/index.js': `module.exports = { bootstrap: ({ strapi }) =>
      strapi.db.lifecycles.subscribe({ models: ['plugin::users-permissions.user'], afterFindMany: () => undefined }),
    };`,
  });
  for (const type of ['files', 'users']) {
    const refused = await fetch(`${project.url}/api/changes?types=${type}&wait=0`, { headers: poll });
    expect([type, refused.status]).toEqual([type, 403]);
  }
});

test('a change feed is sent behind the middlewares of a project, which can refuse it', async () => {
  const project = await run({
    '.env': 'EVENTS=true',
    'access.json': JSON.stringify({
      roles: { public: { permissions: ['api::note.note.find', 'api::note.note.create'] } },
    }),
    'config/middlewares.js': "module.exports = ['strapi::errors', 'strapi::query', 'strapi::body', 'global::guard'];",
    'src/middlewares/guard.js': `module.exports = () => async (ctx, next) => {
      if (ctx.get('X-Guarded') === 'no') return ctx.forbidden();
      ctx.set('X-Guard', 'passed');
      return next();
    };`,
  });
  const url = `${project.url}/api/changes?fields[notes]=text`;
  const refused = await openFeed(url, { 'X-Guarded': 'no' });
  expect(refused.response.status).toBe(403);
  refused.close();
  const feed = await openFeed(url);
  expect([feed.response.status, feed.response.headers.get('x-guard')]).toEqual([200, 'passed']);
  // More than a stream keeps for a reader.
  const text = 'x'.repeat(200_000);
  for (const id of [1, 2]) {
    await project.send('POST', '/api/notes', { data: { text } });
    expect(await feed.change()).toMatchObject({ id, event: 'entry.create', entry: { attributes: { text } } });
  }
  feed.close();
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { form, json, REFUSED, statusesOf, type Door } from './doors.js';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

/**
 * Every way to put code before all requests, times every door of the service: it runs at each of them, and each still
 * works.
 */

const guard = `async (ctx, next) => {
  if (ctx.get('x-refuse') === '') return next();
  ctx.status = 418;
  ctx.body = 'refused';
}`;
const index = (phase: 'register' | 'bootstrap', code: string): Readonly<Record<string, string>> => ({
  'src/index.js': `module.exports = { ${phase}({ strapi }) { ${code} } };`,
});
const listed = (entry: string, file = 'config/middlewares.js'): Readonly<Record<string, string>> => ({
  [file]: `module.exports = ['strapi::logger', 'strapi::errors', 'strapi::security', 'strapi::cors', 'strapi::query',
    ${entry}, 'strapi::body', 'strapi::favicon', 'strapi::public'];`,
});
const factory = `module.exports = () => ${guard};`;
const plugin = (server: string): Readonly<Record<string, string>> => ({
  'src/plugins/own/strapi-server.js': `module.exports = { ${server} };`,
});

/** Before every request. */
const everywhere: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'server.use in register': index('register', `strapi.server.use(${guard});`),
  'server.use in bootstrap': index('bootstrap', `strapi.server.use(${guard});`),
  'server.app.use in register': index('register', `strapi.server.app.use(${guard});`),
  'server.app.use in bootstrap': index('bootstrap', `strapi.server.app.use(${guard});`),
  'server.app.middleware in register': index('register', `strapi.server.app.middleware.unshift(${guard});`),
  'server.app.middleware in bootstrap': index('bootstrap', `strapi.server.app.middleware.splice(1, 0, ${guard});`),
  'a router of Koa': index(
    'register',
    `const Router = require('@koa/router'); const router = new Router();
     router.all('(.*)', ${guard}); strapi.server.use(router.routes()).use(router.allowedMethods());`,
  ),
  'server.router.use': index('register', `strapi.server.router.use(${guard});`),
  'server.router.use of a router': index(
    'register',
    `const Router = require('@koa/router'); const router = new Router();
     router.use(${guard}); router.get('/mine', (ctx) => { ctx.body = 'mine'; }); strapi.server.router.use(router.routes());`,
  ),
  'server.router.all': index('register', `strapi.server.router.all('(.*)', ${guard});`),
  'server.routes': index(
    'register',
    `strapi.server.routes([{ method: 'ALL', path: '(.*)', handler: [${guard}], config: { auth: false } }]);`,
  ),
  'register of a plugin': plugin(`register: ({ strapi }) => { strapi.server.app.use(${guard}); }`),
  'bootstrap of a plugin': plugin(`bootstrap: ({ strapi }) => { strapi.server.use(${guard}); }`),
  'register of an API': {
    'src/api/thing/index.js': `module.exports = { register({ strapi }) { strapi.server.app.use(${guard}); } };`,
  },
  'register of an extension': {
    'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => {
      plugin.register = ({ strapi }) => { strapi.server.app.use(${guard}); }; return plugin; };`,
  },
  'a function of config/middlewares': listed(guard),
  'global:: of config/middlewares': { ...listed(`'global::own'`), 'src/middlewares/own.js': factory },
  'api:: of config/middlewares': { ...listed(`'api::thing.own'`), 'src/api/thing/middlewares/own.js': factory },
  'plugin:: of config/middlewares': {
    ...listed(`{ name: 'plugin::own.own', config: {} }`),
    ...plugin(`middlewares: { own: () => ${guard} }`),
  },
  'resolve of config/middlewares': { ...listed(`{ resolve: './src/own' }`), 'src/own.js': factory },
  'config/env': { ...listed(guard, 'config/env/test/middlewares.js') },
  'config.set in register': index(
    'register',
    `strapi.config.set('middlewares', [...strapi.config.get('middlewares'), ${guard}]);`,
  ),
};

/** Before the content API, whatever its form: it is there after what `register` adds outside of it. */
const beforeApi: typeof everywhere = {
  'server.api': index('register', `strapi.server.api('content-api').use(${guard});`),
  'server.router.use of a path': index('register', `strapi.server.router.use('/api', ${guard});`),
  'server.router.use in bootstrap': index('bootstrap', `strapi.server.router.use(${guard});`),
};

const query = { query: '{ things { data { id } } }' };

const apiDoors: readonly Door[] = [
  ['a list', '/api/things'],
  ['HEAD', '/api/things', () => ({ method: 'HEAD' })],
  ['an entry', '/api/things/1'],
  ['a new entry', '/api/things', () => json({ data: { text: 'new' } })],
  ['a change', '/api/things/1', () => ({ ...json({ data: { text: 'new' } }), method: 'PUT' })],
  ['a deletion', '/api/things/9', () => ({ method: 'DELETE' })],
  ['a route of code', '/api/own'],
  ['users', '/api/users/me'],
  ['a log-in', '/api/auth/local', () => json({ identifier: 'nobody', password: 'wrong' })],
  ['locales', '/api/i18n/locales'],
  ['a list of files', '/api/upload/files'],
  ['an upload', '/api/upload', form],
  ['a batch', '/api/batch', () => json({ operations: [] })],
  ['a feed', '/api/changes?types=things'],
  ['a list in the format of Strapi 5', '/v5/api/things'],
  ['a new entry in the format of Strapi 5', '/v5/api/things', () => json({ data: { text: 'new' } })],
  ['files in the format of Strapi 5', '/v5/api/upload/files'],
];
const otherDoors: readonly Door[] = [
  ['GraphQL', '/graphql', () => json(query)],
  ['GraphQL by GET', `/graphql?query=${encodeURIComponent(query.query)}`],
  ['the page of GraphQL', '/graphql', () => ({ headers: { accept: 'text/html' } })],
  ['GraphQL in the format of Strapi 5', '/v5/graphql', () => json({ query: '{ things { documentId } }' })],
  ['a stored file', '/uploads/text.txt'],
  ['a public file', '/page.html'],
  ['the description of the API', '/documentation/openapi.json'],
  ['the editor', '/admin'],
  ['the script of the editor', '/admin/editor.js'],
  ['the landing page', '/'],
  ['an unknown path', '/nothing'],
];

const base = {
  ...apiFiles('thing', { text: { type: 'string' } }),
  'src/api/thing/routes/own.js': `module.exports = { routes: [
    { method: 'GET', path: '/own', handler: () => ({ ok: true }), config: { auth: false } },
    { method: 'POST', path: '/own', handler: () => ({ ok: true }), config: { auth: false } }] };`,
  'src/plugins/own/strapi-server.js': 'module.exports = {};',
  '.env': 'EVENTS=true\n',
  'config/plugins.js': `module.exports = { admin: { enabled: true }, documentation: { enabled: true },
    graphql: { enabled: true }, strapi5: { enabled: true }, own: { enabled: true, resolve: './src/plugins/own' },
    'users-permissions': { config: { rateLimit: false } } };`,
  ...listed(`'strapi::poweredBy'`),
  'public/page.html': '<p>page</p>',
  'access.json': JSON.stringify({
    roles: {
      public: {
        permissions: [
          ...['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::thing.thing.${action}`),
          ...['upload', 'find'].map((action) => `plugin::upload.content-api.${action}`),
          'plugin::users-permissions.auth.callback',
          'plugin::i18n.locales.listLocales',
        ],
      },
    },
  }),
};

const open = async (more: Readonly<Record<string, string>>): Promise<RunningProject> => {
  const project = await openProjectFolder({ ...base, ...more }, ['@koa/router']);
  await project.send('POST', '/api/things', { data: { text: 'first' } });
  return project;
};

/** A guard by what a request sends, as files, JSON or a form, after `strapi::body`. */
const byBody = `async (ctx, next) => {
  const names = Object.values(ctx.request.files ?? {}).flat().map((file) => file.name);
  if (!JSON.stringify([ctx.request.body ?? {}, names]).includes('forbidden')) return next();
  ctx.status = 418;
  ctx.body = 'refused';
}`;
const sending = (word: string): readonly Door[] => {
  const upload = (): RequestInit => {
    const body = new FormData();
    body.append('files', new Blob(['text'], { type: 'text/plain' }), `${word}.txt`);
    return { method: 'POST', body };
  };
  const graphqlUpload = (): RequestInit => {
    const body = new FormData();
    const operations = {
      query: 'mutation ($file: Upload!) { upload(file: $file) { data { id } } }',
      variables: { file: null },
    };
    body.append('operations', JSON.stringify(operations));
    body.append('map', JSON.stringify({ 0: ['variables.file'] }));
    body.append('0', new Blob(['text'], { type: 'text/plain' }), `${word}.txt`);
    return { method: 'POST', body, headers: { 'apollo-require-preflight': 'yes' } };
  };
  const create = { method: 'POST', path: '/things', body: { data: { text: word } } };
  return [
    ['a new entry', '/api/things', () => json({ data: { text: word } })],
    ['a change', '/api/things/1', () => ({ ...json({ data: { text: word } }), method: 'PUT' })],
    ['a log-in', '/api/auth/local', () => json({ identifier: word, password: 'wrong' })],
    ['a route of code', '/api/own', () => json({ word })],
    ['an upload', '/api/upload', upload],
    ['a batch', '/api/batch', () => json({ operations: [create] })],
    ['GraphQL', '/graphql', () => json({ query: `{ things(filters: { text: { eq: "${word}" } }) { data { id } } }` })],
    ['an upload by GraphQL', '/graphql', graphqlUpload],
    ['a new entry in the format of Strapi 5', '/v5/api/things', () => json({ data: { text: word } })],
    ['an upload in the format of Strapi 5', '/v5/api/upload', upload],
    [
      'GraphQL in the format of Strapi 5',
      '/v5/graphql',
      () => json({ query: `{ things(filters: { text: { eq: "${word}" } }) { documentId } }` }),
    ],
  ];
};

const doors = [...apiDoors, ...otherDoors];
let plain: RunningProject;
let expected: object;
beforeAll(async () => {
  plain = await open({});
  expected = await statusesOf(plain, doors, true);
});
afterAll(async () => plain.stop());

test('every door is open without code before it', () => {
  expect(Object.values(expected)).not.toContain(REFUSED);
  expect(expected).toMatchObject({
    'a list': 200,
    'a batch': 400,
    'a feed': 200,
    'an upload': 200,
    GraphQL: 200,
    'a list in the format of Strapi 5': 200,
    'GraphQL in the format of Strapi 5': 200,
    'the editor': 200,
    'the description of the API': 200,
    'an unknown path': 404,
  });
});

/**
 * A route of code with every path stands in the place of every route: what would bypass it is refused to everybody, and
 * says so.
 */
const inPlaceOfRoutes = {
  'a feed': 403,
  'a list in the format of Strapi 5': 400,
  'a new entry in the format of Strapi 5': 400,
};
const isRoute = (way: string): boolean => ['server.router.all', 'server.routes'].some((name) => way.includes(name));
const differences = (way: string, sent: object): object =>
  isRoute(way) ? Object.fromEntries(Object.entries(inPlaceOfRoutes).filter(([door]) => door in sent)) : {};

describe.each([
  ...Object.entries(everywhere).map(([way, files]) => [way, files, doors] as const),
  ...Object.entries(beforeApi).map(([way, files]) => [way, files, apiDoors] as const),
])('%s', (way, files, guarded) => {
  let project: RunningProject;
  beforeAll(async () => {
    project = await open(files);
  });
  afterAll(async () => project.stop());

  test('comes before each door', async () => {
    const statuses = await statusesOf(project, guarded, true);
    expect(statuses).toEqual(Object.fromEntries(guarded.map(([door]) => [door, REFUSED])));
  });

  test('leaves each door open to others', async () => {
    expect(await statusesOf(project, doors, false)).toEqual({ ...expected, ...differences(way, expected) });
  });
});

const afterBody = (entry: string): Readonly<Record<string, string>> => ({
  'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::security', 'strapi::cors', 'strapi::query',
    'strapi::body', ${entry}, 'strapi::favicon', 'strapi::public'];`,
});

describe.each([
  ['config/middlewares', afterBody(byBody)],
  ['server.app.use in bootstrap', index('bootstrap', `strapi.server.app.use(${byBody});`)],
  ['server.router.use', index('register', `strapi.server.router.use(${byBody});`)],
  ['server.router.all', index('register', `strapi.server.router.all('(.*)', ${byBody});`)],
])('what is sent, in %s', (way, files) => {
  let project: RunningProject;
  beforeAll(async () => {
    project = await open(files);
  });
  afterAll(async () => project.stop());

  test('is seen at each door', async () => {
    const statuses = await statusesOf(project, sending('forbidden'), false);
    expect(statuses).toEqual(Object.fromEntries(sending('').map(([door]) => [door, REFUSED])));
  });

  test('passes each door', async () => {
    const passed = await statusesOf(plain, sending('allowed'), false);
    expect(await statusesOf(project, sending('allowed'), false)).toEqual({ ...passed, ...differences(way, passed) });
  });
});

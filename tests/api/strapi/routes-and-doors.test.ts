import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { form, json, REFUSED, statusesOf, type Door } from './doors.js';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

/**
 * Every way to give a policy or a middleware to routes, times every door to their actions: it runs there, or the door
 * is closed to everybody. In Strapi v4 it has no effect on GraphQL, which the start says.
 */

type Files = Readonly<Record<string, string>>;

const actions = ['find', 'findOne', 'create', 'update', 'delete'];
const policy = `(ctx) => ctx.request.headers['x-refuse'] === undefined`;
const middleware = `async (ctx, next) => {
  if (ctx.get('x-refuse') === '') return next();
  ctx.status = ${REFUSED};
}`;
const kinds = {
  policies: { code: policy, made: policy, status: 403 },
  middlewares: { code: middleware, made: `() => ${middleware}`, status: REFUSED },
} as const;
type Kind = keyof typeof kinds;

/** Core routes of the type with this entry in their list of guards, and the same routes as code writes them. */
const core = (name: string, kind: Kind, entry: string): Files => ({
  [`src/api/${name}/routes/${name}.js`]: `const guarded = { ${kind}: [${entry}] };
    module.exports = require('@strapi/strapi').factories.createCoreRouter('api::${name}.${name}', {
      config: { ${actions.map((action) => `${action}: guarded`).join(', ')} } });`,
});
const written = (name: string, kind: Kind, entry: string): Files => ({
  [`src/api/${name}/routes/${name}.js`]: `const config = { ${kind}: [${entry}] };
    module.exports = { routes: [['GET', '', 'find'], ['GET', '/:id', 'findOne'], ['POST', '', 'create'],
      ['PUT', '/:id', 'update'], ['DELETE', '/:id', 'delete'],
    ].map(([method, path, action]) => ({ method, path: '/${name}s' + path, handler: '${name}.' + action, config })) };`,
});

/** Ways that name a guard are asked of core routes, and of those that code writes. */
const ways: Readonly<Record<string, (name: string, kind: Kind) => Files>> = {
  'a function': (name, kind) => core(name, kind, kinds[kind].code),
  'global::': (name, kind) => core(name, kind, `'global::own'`),
  'global:: with settings': (name, kind) => core(name, kind, `{ name: 'global::own', config: {} }`),
  'api::': (name, kind) => core(name, kind, `'api::owner.own'`),
  'plugin::': (name, kind) => core(name, kind, `'plugin::own.own'`),
  'a function, in routes of code': (name, kind) => written(name, kind, kinds[kind].code),
  'global::, in routes of code': (name, kind) => written(name, kind, `'global::own'`),
  'api::, in routes of code': (name, kind) => written(name, kind, `'api::owner.own'`),
  'strapi.api in register': () => ({}),
};
const names = new Map(Object.keys(ways).map((way, index) => [way, `thing${'abcdefghijklm'.charAt(index)}`]));
const changed = names.get('strapi.api in register') ?? '';

const doorsOf = (name: string): readonly Door[] => {
  const create = (): RequestInit => json({ data: { text: 'new' } });
  return [
    ['a list', `/api/${name}s`],
    ['HEAD', `/api/${name}s`, () => ({ method: 'HEAD' })],
    ['an entry', `/api/${name}s/1`],
    ['a new entry', `/api/${name}s`, create],
    ['a change', `/api/${name}s/1`, () => ({ ...create(), method: 'PUT' })],
    ['a deletion', `/api/${name}s/99`, () => ({ method: 'DELETE' })],
    ['a batch', '/api/batch', () => json({ operations: [{ create: `${name}s`, data: { text: 'new' } }] })],
    ['a feed', `/api/changes?types=${name}s`],
    ['a list in the format of Strapi 5', `/v5/api/${name}s`],
    ['a new entry in the format of Strapi 5', `/v5/api/${name}s`, create],
  ];
};

/** What has no route of code is closed, to everybody. */
const closed = {
  'a batch': 400,
  'a feed': 400,
  'a list in the format of Strapi 5': 400,
  'a new entry in the format of Strapi 5': 400,
};

/** Routes of plugins, to which extensions give guards. */
const ofPlugins: readonly Door[] = [
  ['a list of files', '/api/upload/files'],
  ['a file', '/api/upload/files/1'],
  ['an upload', '/api/upload', form],
  ['users', '/api/users'],
  ['a log-in', '/api/auth/local', () => json({ identifier: 'nobody', password: 'wrong' })],
  ['a registration', '/api/auth/local/register', () => json({ email: 'x' })],
  ['locales', '/api/i18n/locales'],
  ['schemas', '/api/content-type-builder/content-types'],
  ['a schema', '/api/content-type-builder/content-types/api::plain.plain'],
  ['components', '/api/content-type-builder/components'],
];
const extended = (plugin: string, kind: Kind): Files => ({
  [`src/extensions/${plugin}/strapi-server.js`]: `module.exports = (plugin) => {
    for (const route of plugin.routes['content-api'].routes)
      route.config = { ...route.config, ${kind}: [${kinds[kind].code}] };
    return plugin;
  };`,
});

const filesFor = (kind: Kind): Files => ({
  ...Object.assign({}, ...[...names.values(), 'plain'].map((name) => apiFiles(name, { text: { type: 'string' } }))),
  ...Object.assign({}, ...Object.entries(ways).map(([way, files]) => files(names.get(way) ?? '', kind))),
  ...Object.assign(
    {},
    ...['upload', 'users-permissions', 'i18n', 'content-type-builder'].map((plugin) => extended(plugin, kind)),
  ),
  [`src/${kind}/own.js`]: `module.exports = ${kinds[kind].made};`,
  [`src/api/owner/${kind}/own.js`]: `module.exports = ${kinds[kind].made};`,
  'src/plugins/own/strapi-server.js': `module.exports = { ${kind}: { own: ${kinds[kind].made} } };`,
  'src/index.js': `module.exports = { register({ strapi }) {
    for (const router of Object.values(strapi.api.${changed}.routes))
      for (const route of router.routes) route.config = { ...route.config, ${kind}: [${kinds[kind].code}] };
  } };`,
  '.env': 'EVENTS=true\n',
  'config/plugins.js': `module.exports = { graphql: { enabled: true }, strapi5: { enabled: true },
    own: { enabled: true, resolve: './src/plugins/own' }, 'users-permissions': { config: { rateLimit: false } } };`,
  'access.json': JSON.stringify({
    roles: {
      public: {
        permissions: [
          ...[...names.values(), 'plain'].flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`)),
          ...['upload', 'find', 'findOne'].map((action) => `plugin::upload.content-api.${action}`),
          ...['callback', 'register'].map((action) => `plugin::users-permissions.auth.${action}`),
          'plugin::users-permissions.user.find',
          'plugin::i18n.locales.listLocales',
          ...['content-types.getContentTypes', 'content-types.getContentType', 'components.getComponents'].map(
            (action) => `plugin::content-type-builder.${action}`,
          ),
        ],
      },
    },
  }),
});

describe.each(Object.keys(kinds) as Kind[])('%s', (kind) => {
  const { status } = kinds[kind];
  const refused = (doors: readonly Door[]): object => Object.fromEntries(doors.map(([door]) => [door, status]));
  let project: RunningProject;
  let plain: object;
  beforeAll(async () => {
    project = await openProjectFolder(filesFor(kind));
    for (const name of [...names.values(), 'plain'])
      await project.send('POST', `/api/${name}s`, { data: { text: 'first' } });
    plain = await statusesOf(project, doorsOf('plain'), true);
  });
  afterAll(() => project.stop());

  test('none: each door is open', () => {
    const { 'a deletion': deletion, ...others } = plain as Readonly<Record<string, number>>;
    expect(deletion).toBe(404);
    expect(Object.entries(others).filter(([, answered]) => answered >= 300)).toEqual([]);
  });

  describe.each([...names])('%s', (_way, name) => {
    const doors = doorsOf(name);

    test('comes before each door, or it is closed', async () => {
      expect(await statusesOf(project, doors, true)).toEqual({ ...refused(doors), ...closed });
    });

    test('leaves its routes open to others', async () => {
      expect(await statusesOf(project, doors, false)).toEqual({ ...plain, ...closed });
    });

    test('closes GraphQL in the format of Strapi 5, and is named for that of Strapi 4', async () => {
      const { body } = await project.send('POST', '/v5/graphql', { query: `{ ${name}s { documentId } }` });
      expect(body).toMatchObject({ errors: [{ extensions: { error: { name: 'ForbiddenError' } } }] });
      await project.printed(`api::${name}.${name}.find`);
    });
  });

  test('in extensions comes before the routes of plugins', async () => {
    expect(await statusesOf(project, ofPlugins, true)).toEqual(refused(ofPlugins));
    expect(Object.values(await statusesOf(project, ofPlugins, false))).toEqual([
      200, 404, 200, 200, 400, 400, 200, 200, 200, 200,
    ]);
  });
});

/**
 * A project whose code decides what each route does; everybody has all permissions, so that only its code is in the
 * way.
 */

const actions = ['find', 'findOne', 'create', 'update', 'delete'];
const names = ['doc', 'list', 'plain', 'moved', 'shut'] as const;

const factory = (name: string, what: string, options = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::${name}.${name}'${options});`;

const schema = (name: string, kind: string): string =>
  JSON.stringify({
    kind,
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: { title: { type: 'string' }, secret: { type: 'boolean' } },
  });

interface Code {
  readonly kind?: 'singleType';
  readonly router?: string;
  readonly controller?: string;
}

const api = (name: string, { kind, router = '', controller = '' }: Code = {}): Readonly<Record<string, string>> => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: schema(name, kind ?? 'collectionType'),
  [`src/api/${name}/routes/${name}.js`]: factory(name, 'Router', router),
  [`src/api/${name}/controllers/${name}.js`]: factory(name, 'Controller', controller),
  [`src/api/${name}/services/${name}.js`]: factory(name, 'Service'),
});

const routedProject: Readonly<Record<string, string>> = {
  ...api('doc', {
    router: `, { only: ['find', 'findOne'], config: { findOne: { policies: ['global::deny'] } } }`,
    controller: `, () => ({
      find(ctx) {
        ctx.query = { ...ctx.query, filters: { secret: false } };
        return super.find(ctx);
      },
    })`,
  }),
  'src/api/doc/routes/01-own.js': `module.exports = { routes: [
    { method: 'PUT', path: '/my-docs/:id', handler: 'doc.update', config: { policies: ['global::deny'] } },
    { method: 'GET', path: '/plains/2', handler: (ctx) => { ctx.body = { own: 'second' }; }, config: { auth: false } },
    { method: 'GET', path: '/plains/featured', handler: (ctx) => { ctx.body = { own: 'featured' }; }, config: { auth: false } },
  ] };`,
  ...api('list', { router: `, { only: ['find'] }` }),
  ...api('homepage', { kind: 'singleType', router: `, { except: ['update', 'delete'] }` }),
  ...api('plain'),
  ...api('moved', { router: `, { prefix: '/v2' }` }),
  'src/api/shut/content-types/shut/schema.json': schema('shut', 'collectionType'),
  'src/policies/deny.js': 'module.exports = () => false;',
  'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => {
    const { routes } = plugin.routes['content-api'];
    const register = routes.find(({ handler }) => handler === 'auth.register');
    register.path = '/auth/invited-register';
    register.config.policies = ['global::deny'];
    plugin.routes['content-api'].routes = routes.filter(({ handler }) => handler !== 'auth.forgotPassword');
    return plugin;
  };`,
  'src/extensions/upload/strapi-server.js': `module.exports = (plugin) => {
    const { routes } = plugin.routes['content-api'];
    routes.find(({ handler }) => handler === 'content-api.findOne').config.policies = ['global::deny'];
    plugin.routes['content-api'].routes = routes.filter(({ handler }) => handler !== 'content-api.find');
    return plugin;
  };`,
  'src/index.js': `module.exports = { async bootstrap({ strapi }) {
    const add = (name, data) => strapi.entityService.create(\`api::\${name}.\${name}\`, { data: { ...data, publishedAt: new Date(0) } });
    for (const name of ${JSON.stringify(names)}) {
      await add(name, { title: \`first \${name}\`, secret: false });
      await add(name, { title: \`second \${name}\`, secret: true });
    }
    await add('homepage', { title: 'home' });
  } };`,
  '.env': 'EVENTS=true',
  // Registrations are counted before the policy that refuses them is asked.
  'config/plugins.js': `module.exports = {
    admin: { enabled: true },
    'users-permissions': { config: { rateLimit: false } },
  };`,
  'public/hello.html': 'hello',
  'public/uploads/a.html': 'of the former server',
  'access.json': JSON.stringify({
    roles: {
      public: {
        permissions: [
          ...names.flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`)),
          ...['find', 'update', 'delete'].map((action) => `api::homepage.homepage.${action}`),
          ...['register', 'forgotPassword'].map((action) => `plugin::users-permissions.auth.${action}`),
          ...['find', 'findOne'].map((action) => `plugin::upload.content-api.${action}`),
        ],
      },
    },
  }),
};

const prefixed = { 'config/api.js': `module.exports = { rest: { prefix: '/api/v1' } };` };
const withMiddleware = {
  'config/middlewares.js': `module.exports = ['strapi::errors', 'global::pass', 'strapi::query', 'strapi::body'];`,
  'src/middlewares/pass.js': 'module.exports = () => (ctx, next) => next();',
};

/** The prefix of its routes in several configurations, with their files. */
export const configurations: readonly (readonly [
  name: string,
  prefix: string,
  files: Readonly<Record<string, string>>,
])[] = [
  ['the usual prefix', '/api', routedProject],
  ['another prefix', '/api/v1', { ...routedProject, ...prefixed }],
  ['a middleware of its own', '/api', { ...routedProject, ...withMiddleware }],
];

/** The routes of the project, below its prefix, with the status and a part of what they answer. */
export const routed: readonly (readonly [method: string, path: string, status: number, part: string])[] = [
  ['GET', '/docs', 200, '"total":1'],
  ['GET', '/docs/1', 403, 'ForbiddenError'],
  ['PUT', '/my-docs/2', 403, 'ForbiddenError'],
  ['GET', '/lists', 200, 'second list'],
  ['GET', '/homepage', 200, 'home'],
  ['GET', '/plains', 200, 'second plain'],
  ['GET', '/plains/1', 200, 'first plain'],
  ['GET', '/plains/2', 200, 'second'],
  ['GET', '/plains/featured', 200, 'featured'],
  ['PUT', '/plains/1', 200, 'first plain'],
  ['GET', '/v2/moveds', 200, 'second moved'],
  ['GET', '/v2/moveds/2', 200, 'second moved'],
  ['POST', '/auth/invited-register', 403, 'ForbiddenError'],
  ['GET', '/upload/files/1', 403, 'ForbiddenError'],
];

/** What the project removed or moved, below its prefix. */
export const gone: readonly (readonly [method: string, path: string])[] = [
  ['PUT', '/docs/2'],
  ['POST', '/docs'],
  ['DELETE', '/docs/2'],
  ['GET', '/lists/2'],
  ['PUT', '/lists/2'],
  ['DELETE', '/lists/2'],
  ['PUT', '/homepage'],
  ['DELETE', '/homepage'],
  ['GET', '/moveds'],
  ['GET', '/moveds/2'],
  ['PUT', '/moveds/2'],
  ['GET', '/shuts'],
  ['GET', '/shuts/2'],
  ['POST', '/shuts'],
  ['POST', '/auth/local/register'],
  ['POST', '/auth/forgot-password'],
  ['GET', '/upload/files'],
];

/** The body that each method is sent with. */
export const sent: Readonly<Record<string, object | undefined>> = {
  POST: { data: {}, username: 'eve', email: 'eve@example.test', password: 'secret-of-eve' },
  PUT: { data: { title: 'first plain' } },
};

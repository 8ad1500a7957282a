import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

const users = '@strapi/plugin-users-permissions';

/** A file that code of public projects loads, and what of it the code uses: an expression of `it`. */
type Row = readonly [request: string, expression: string, expected: unknown];

const rows: readonly Row[] = [
  // Parts of plugins.
  [`${users}/server/services/jwt`, 'typeof it({ strapi }).issue({ id: 1 })', 'string'],
  [`${users}/server/services/user.js`, 'typeof it({ strapi }).fetchAll', 'function'],
  [
    `${users}/server/services`,
    'Object.keys(it).toSorted()',
    ['jwt', 'permission', 'providers', 'providers-registry', 'role', 'user', 'users-permissions'],
  ],
  [
    `${users}/server/services/index`,
    "it['providers-registry'] === require('@strapi/plugin-users-permissions/server/services/providers-registry')",
    true,
  ],
  [`${users}/server/routes/content-api/auth`, "it.find(({ path }) => path === '/auth/local').handler", 'auth.callback'],
  [`${users}/server/routes/content-api/user`, "it.find(({ handler }) => handler === 'user.me').path", '/users/me'],
  [`${users}/server/routes/content-api`, 'it.type', 'content-api'],
  [`${users}/server/routes/admin`, 'it.type', 'admin'],
  [`${users}/server/routes`, 'Object.keys(it).toSorted()', ['admin', 'content-api']],
  [`${users}/server/controllers`, 'typeof it.auth.callback', 'function'],
  [`${users}/server/middlewares/rateLimit`, 'typeof it({}, { strapi })', 'function'],
  [`${users}/server/content-types/role/index`, 'it.collectionName', 'up_roles'],
  [`${users}/server/content-types`, 'it.user.schema.attributes.email.type', 'email'],
  [`${users}/server/register`, 'it({ strapi }) ?? null', null],
  [`${users}/server/bootstrap`, '(await it({ strapi })) ?? null', null],
  [`${users}/server/graphql`, 'it({ strapi }) ?? null', null],
  [`${users}/strapi-server`, 'typeof it().controllers.user.me', 'function'],
  [`${users}/server`, 'typeof it().services.jwt', 'function'],
  [`../../../../node_modules/${users}/server/utils/index.js`, "typeof it.getService('jwt').verify", 'function'],
  ['@strapi/plugin-upload/server/services/upload', 'typeof it({ strapi }).formatFileInfo', 'function'],
  ['@strapi/plugin-upload/server/content-types/file/schema', 'it.collectionName', 'files'],
  ['@strapi/plugin-email/server/services/email', 'typeof it({ strapi }).send', 'function'],
  ['@strapi/plugin-i18n/server/utils', "typeof it.getService('locales').find", 'function'],
  [
    '@strapi/plugin-content-manager/server/utils',
    '[typeof it.getService, typeof it.pickWritableAttributes]',
    ['function', 'function'],
  ],
  ['@strapi/admin/server/utils', "typeof it.getService('user').exists", 'function'],
  ['@strapi/admin/server/services/auth', 'typeof it.validatePassword', 'function'],
  // Files of single plugins.
  [
    `${users}/server/controllers/validation/auth`,
    "await it.validateRegisterBody({ email: 'a@b.example', username: 'a' }).catch(({ message }) => message)",
    'password is a required field',
  ],
  [
    `${users}/server/controllers/validation/auth`,
    "await it.validateChangePasswordBody({ currentPassword: 'a', password: 'b', passwordConfirmation: 'c' }).catch(({ message }) => message)",
    'Passwords do not match',
  ],
  [
    `${users}/server/controllers/validation/user`,
    'await it.validateUpdateUserBody({ role: { connect: [], disconnect: [{ id: 1 }] } }).catch(({ message }) => message)',
    'Cannot remove role',
  ],
  [
    `${users}/server/controllers/validation/user`,
    "await it.validateCreateUserBody({ email: 'a@b.example', username: 'a', password: 'b', role: 1 })",
    { email: 'a@b.example', username: 'a', password: 'b', role: 1 },
  ],
  [
    `${users}/server/utils/sanitize/sanitizers`,
    "await it.defaultSanitizeOutput(strapi.getModel('plugin::users-permissions.role'), { name: 'a', users: [{ id: 1 }] })",
    { name: 'a' },
  ],
  [`${users}/server/utils/sanitize/visitors`, 'typeof it.removeUserRelationFromRoleEntities', 'function'],
  [
    '@strapi/plugin-upload/server/controllers/validation/content-api/upload',
    "await it({ fileInfo: { name: 'a' } })",
    { fileInfo: { name: 'a' } },
  ],
  [
    '@strapi/plugin-i18n/server/constants/iso-locales.json',
    "[it.length, it.find(({ code }) => code === 'fr-CH').name]",
    [602, 'French (Switzerland) (fr-CH)'],
  ],
  ['@strapi/plugin-i18n/server/domain/locale.js', "it.formatLocale({ code: 'fr' })", { code: 'fr', name: null }],
  // Files of the core and of utilities.
  ['@strapi/strapi/lib/factories', 'typeof it.createCoreController', 'function'],
  [
    '@strapi/strapi/dist/core-api/service/pagination',
    "it.transformPaginationResponse(it.getPaginationInfo({ pagination: { page: '2', pageSize: '10' } }), 35)",
    { page: 2, pageSize: 10, pageCount: 4, total: 35 },
  ],
  [
    '@strapi/strapi/lib/core-api/service/pagination',
    'it.convertPagedToStartLimit(it.getPaginationInfo({ pagination: { page: 3, pageSize: 10 } }))',
    { start: 20, limit: 10 },
  ],
  [
    '@strapi/strapi/lib/core-api/service/pagination',
    "[it.getPaginationInfo({ pagination: { start: 5, limit: -1 } }), it.shouldCount({ pagination: { withCount: 'f' } })]",
    [{ start: 5, limit: -1 }, false],
  ],
  [
    '@strapi/strapi/lib/core-api/service/get-fetch-params',
    'it.getFetchParams({ sort: "a" })',
    { publicationState: 'live', sort: 'a' },
  ],
  ['@strapi/strapi/dist/utils/ee', "it.features.isEnabled('review-workflows')", false],
  ['@strapi/utils/lib/errors', "new it.ApplicationError('a').name", 'ApplicationError'],
  ['@strapi/utils/dist/convert-query-params', "it.convertSortQueryParams('a:desc')", [{ a: 'desc' }]],
  ['@strapi/utils/lib/string-formatting', "it.nameToSlug('A b')", 'a-b'],
  ['@strapi/utils/lib/parse-multipart', 'typeof it', 'function'],
  ['@strapi/utils/lib/file.js', 'it.kbytesToBytes(2)', 2000],
  // Others: only their use throws.
  [
    '@strapi/strapi/lib/services/entity-service',
    '(() => { try { it.default(); } catch ({ message }) { return message; } })()',
    '@strapi/strapi/lib/services/entity-service: default is not supported',
  ],
  ['@strapi/database/lib/lifecycles', 'typeof it.createLifecyclesProvider', 'function'],
  [`${users}/server/controllers/other`, 'typeof it', 'object'],
];

const extension = `const own = (file) => require('${users}/server/' + file);
  module.exports = () => ({
    register: own('register'),
    bootstrap: own('bootstrap'),
    config: own('config'),
    routes: { ...own('routes'), 'content-api': { type: 'content-api', routes: [...own('routes/content-api/auth'), ...own('routes/content-api/user')] } },
    controllers: own('controllers'),
    contentTypes: own('content-types'),
    middlewares: own('middlewares'),
    services: { ...own('services'), user: own('services/user') },
  });`;

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder({
    ...apiFiles('note', { text: { type: 'string' } }),
    'src/extensions/users-permissions/strapi-server.js': extension,
    'src/api/note/routes/own.js': `module.exports = { routes: ['GET', 'POST'].map((method) => (
      { method, path: '/required', handler: 'required.show', config: { auth: false } })) };`,
    'src/api/note/controllers/required.js': `module.exports = { async show(ctx) {
      const { request, expression } = ctx.request.body;
      const it = require(request);
      ctx.body = { result: await eval('(async () => (' + expression + '))()') };
    } };`,
    'access.json': JSON.stringify({
      roles: {
        public: {
          permissions: ['auth.register', 'auth.callback', 'role.find'].map(
            (action) => `plugin::users-permissions.${action}`,
          ),
        },
      },
    }),
  });
});
afterAll(async () => running.stop());

test.each(rows)('%s: %s', async (request, expression, expected) => {
  expect((await running.send('POST', '/api/required', { request, expression })).body).toEqual({ result: expected });
});

test('an extension that is made of the files of users-permissions is the plugin, with the routes that it has', async () => {
  const user = { username: 'ann', email: 'ann@test.example', password: 'Secret-1234' };
  const registered = await running.send('POST', '/api/auth/local/register', user);
  expect([registered.status, registered.body.user.username]).toEqual([200, 'ann']);
  const login = await running.send('POST', '/api/auth/local', { identifier: 'ann', password: user.password });
  expect(login.status).toBe(200);
  // The extension leaves out the routes of roles.
  expect((await running.send('GET', '/api/users-permissions/roles')).status).toBe(404);
  expect(running.output()).not.toContain('is replaced for code');
});

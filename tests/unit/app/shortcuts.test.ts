import { beforeAll, expect, test } from '@jest/globals';
import { checkActions } from '../../../src/app/collect-routes.js';
import { checkShortcuts, describeMissingShortcuts } from '../../../src/app/shortcuts.js';
import { builtInPlugins, enabledPlugins, linkDefinitions, loadDefinitions } from '../../../src/app/load-registry.js';
import type { ContentType, Registry } from '../../../src/content-types/model/types.js';
import { contentTypeRoutes, coreRoutesOf } from '../../../src/plugins/contract/content-type-routes.js';
import { routesOf, type Route } from '../../../src/plugins/contract/routes.js';
import { typesByPath } from '../../../src/rest/routes.js';
import { limits, typeOf } from '../../support/golden.js';

/**
 * The only routes without a permission and without a shortcut: each shows no entries, or what the caller itself has or
 * develops.
 */
const open = [
  'POST /auth/first-user',
  'POST /auth/invitation',
  'GET /content-type-builder/types',
  'GET /admin/content',
  // Asks for each type.
  'GET /admin/desk',
  'GET /admin/account',
  'PUT /admin/account',
  // Ends what the caller itself has open, and reads nothing.
  'DELETE /admin/presence/:session',
  'PUT /i18n/locales',
  // Each asks for the action of Strapi that it belongs to: logging in, changing a password, changing a user.
  'POST /auth/:provider/callback',
  'POST /auth/second-factor',
  'POST /auth/second-factor/confirm',
  'POST /auth/second-factor/remove',
  'GET /auth/second-factor',
  'POST /auth/second-factor/passkeys',
  'POST /auth/second-factor/passkeys/confirm',
  'PUT /auth/second-factor/passkeys/:passkey',
  'POST /auth/second-factor/passkeys/:passkey/remove',
  'DELETE /users/:id/second-factor',
  'DELETE /users/:id/sessions',
  // Asks for the action of creating users.
  'POST /users/invite',
  // The caller's own log-ins.
  'GET /auth/sessions',
  'DELETE /auth/sessions',
  'DELETE /auth/sessions/:session',
  'POST /auth/logout',
];

const furtherSettings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'api-tokens': { routes: true },
  upload: { folders: true, trash: 30 },
};

/** The writes of Strapi v4's plugins: there, headers have no effect. */
const ofStrapi = [
  'POST /auth/change-password',
  'POST /auth/forgot-password',
  'POST /auth/local',
  'POST /auth/local/register',
  'POST /auth/reset-password',
  'POST /auth/send-email-confirmation',
  'POST /upload',
  'DELETE /upload/files/:id',
  'POST /users',
  'PUT /users/:id',
  'DELETE /users/:id',
  'POST /users-permissions/roles',
  'PUT /users-permissions/roles/:id',
  'DELETE /users-permissions/roles/:id',
];

let registry: Registry;
let routes: readonly Route[];
let names: readonly string[];
let article: ContentType;

beforeAll(async () => {
  const folders = { contentTypes: 'tests/fixtures/corpus/content-types', project: '.', data: '.' };
  const config = {
    folders: { ...folders, uploads: '.' },
    environment: 'test' as const,
    // With the routes that settings add.
    plugins: Object.fromEntries(
      [...builtInPlugins].map((name) => [name, { enabled: true, config: furtherSettings[name] ?? {} }]),
    ),
  };
  const plugins = await enabledPlugins(config);
  registry = linkDefinitions(await loadDefinitions(config, plugins), plugins);
  names = plugins.map(({ name }) => name);
  routes = plugins.flatMap((plugin) => routesOf(plugin, registry, 'test'));
  article = typeOf(registry, 'article');
});

const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

test('the routes are those of all plugins of the core and its packages', () => {
  expect(names).toEqual([...builtInPlugins]);
});

test('each route of a plugin that leads to entries of content types says what it is a shortcut of', () => {
  const types = typesByPath(registry);
  const leadsToEntries = ({ path, action = 'api::' }: Route): boolean =>
    action.startsWith('api::') || types.has(path.split('/')[1] ?? '') || path.includes(':uid/');
  const found = routes.filter((route) => leadsToEntries(route) && route.shortcut === undefined);
  const undeclared = found.filter(({ action }) => action?.endsWith('.createLocalization') !== true).map(nameOf);
  expect(undeclared.toSorted()).toEqual(open.toSorted());
});

test('each route of content types is one of Strapi v4, or says what it is a shortcut of', () => {
  const own = new Set(['collectionType', 'singleType'].flatMap((kind) => coreRoutesOf(kind as ContentType['kind'])));
  expect([...own].map(nameOf)).toEqual([
    'GET ',
    'GET /:id',
    'POST ',
    'PUT /:id',
    'DELETE /:id',
    'GET ',
    'PUT ',
    'DELETE ',
  ]);
  const others = Object.values(contentTypeRoutes).filter((row) => !own.has(row));
  expect(others.filter(({ shortcutOf }) => shortcutOf === undefined)).toEqual([]);
});

test('a route of a plugin with the permission of a content type must be a shortcut', () => {
  const route: Route = {
    method: 'GET',
    path: '/articles/:id/notes',
    action: `${article.uid}.find`,
    handle: async () => ({ body: {} }),
  };
  expect(() => checkShortcuts(registry, [route])).toThrow('The route GET /articles/:id/notes of a plugin needs');
  const shortcut = { type: article, shortcutOf: ['find'], allowedWithGuards: false } as const;
  expect(() => checkShortcuts(registry, [...routes, { ...route, shortcut }])).not.toThrow();
});

test('an action is named in three parts, as the trees of roles have it', () => {
  expect(() => checkActions(routes)).not.toThrow();
  for (const action of ['read', 'admin::record.find', 'a..find', 'a.b.'])
    expect(() => checkActions([{ method: 'GET', path: '/sums', action }])).toThrow(
      `The route GET /sums needs the action ${action}: name it in three parts`,
    );
});

test('the log names the shortcuts that code of the project stands in the way of', () => {
  const lines = describeMissingShortcuts({
    registry,
    routes,
    limits,
    answererOf: ({ uid }, action) => (uid === article.uid && action === 'findOne' ? 'code' : 'core'),
  });
  expect(lines).toEqual([
    'Code of the project takes part in findOne, so there is no /by/:attribute/:value of api::article.article',
    'Code of the project takes part in findOne, update, so there is no /admin/writers/:uid/:id of api::article.article',
    'Code of the project takes part in findOne, update, so there is no /admin/private/:uid/:id of api::article.article',
    'Code of the project takes part in findOne, so there is no /admin/presence/:uid/:id of api::article.article',
    'Code of the project takes part in findOne, update, so there is no /:id/versions of api::article.article',
    'Code of the project takes part in findOne, update, so there is no /:id/versions/:version of api::article.article',
    'Code of the project takes part in findOne, update, so there is no /:id/versions/:version/restore of api::article.article',
  ]);
});

test('the log names shortcuts of plugins for every content type, too', () => {
  const shortcut = { type: ':uid', shortcutOf: ['find'], allowedWithGuards: false } as const;
  const route: Route = {
    method: 'GET',
    path: '/sums/:uid',
    action: undefined,
    shortcut,
    handle: async () => ({ body: {} }),
  };
  const lines = describeMissingShortcuts({
    registry,
    routes: [route],
    limits,
    answererOf: ({ uid }, action) => (uid === article.uid && action === 'find' ? 'guarded' : 'core'),
  });
  expect(lines).toContain('Code of the project takes part in find, so there is no /sums/:uid of api::article.article');
});

test('each route of a plugin that writes says which terms it refuses, unless it is one of Strapi v4', () => {
  const silent = routes.filter(({ method, refuses }) => method !== 'GET' && refuses === undefined);
  expect(silent.map(nameOf).toSorted()).toEqual(ofStrapi.toSorted());
});

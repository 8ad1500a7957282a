import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import { settingsOf } from '../../config/plugins/settings-of.js';
import { readPackage } from '../../config/project/plugin-packages.js';
import { forms } from '../forms.js';
import { CLIENT_OF_SQL } from '../query-engine/client-of-sql.js';
import type { Named, StrapiConfig } from '../strapi.js';

/** `callback.validate` of Strapi v4's users-permissions. @throws Error for a page other than that of the provider */
function validateCallback(page: string, provider: { readonly callback: string }): void {
  if (!URL.canParse(page) || !URL.canParse(provider.callback)) throw new Error('The callback is not a valid URL');
  const [wanted, allowed] = [new URL(page), new URL(provider.callback)];
  for (const part of ['origin', 'pathname'] as const) {
    if (wanted[part] === allowed[part]) continue;
    const problem = part === 'origin' ? "origins don't match" : "pathname don't match";
    throw new Error(`Forbidden callback provided: ${problem}. Please verify your config.`);
  }
}

/** The settings of plugins that Strapi v4 adds to those of `config/plugins`. */
const pluginDefaults: Named<Named> = {
  upload: { enabled: true, provider: 'local', sizeLimit: 1_000_000_000, actionOptions: {} },
  'users-permissions': {
    jwt: { expiresIn: '30d' },
    ratelimit: { interval: 60_000, max: 10 },
    layout: { user: { actions: { create: 'contentManagerUser.create', update: 'contentManagerUser.update' } } },
    callback: { validate: validateCallback },
  },
  graphql: { shadowCRUD: true, endpoint: '/graphql', subscriptions: false, maxLimit: -1, apolloServer: {} },
  email: {
    provider: 'sendmail',
    providerOptions: {},
    settings: { defaultFrom: 'Strapi <no-reply@strapi.io>' },
  },
};

/** The variables for lists, which take precedence over `config/api`. */
const listVariables = {
  REST_DEFAULT_LIMIT: 'defaultLimit',
  REST_MAX_LIMIT: 'maxLimit',
  REST_WITH_COUNT: 'withCount',
} as const;

/**
 * The initial settings of `strapi.config`: those of the service, overridden by the project's.
 * @param plugins the names of the plugins that run
 */
export function defaultSettings(config: Config, own: Named, folder: string, plugins: readonly string[]): Named {
  const { environment, server, api, plugin } = settingsOf(config) as Named;
  const form = forms[config.strapi.major];
  const pluginSettings = lodash.defaultsDeep({}, plugin, lodash.pick(pluginDefaults, plugins)) as Named<Named>;
  for (const [name, settings] of Object.entries(form.pluginSettings))
    Object.assign(pluginSettings[name] ?? {}, settings);
  // Of the variable or the data folder, too.
  Object.assign(pluginSettings['users-permissions'] ?? {}, { jwtSecret: config.secrets.jwt });
  const info = readPackage(folder);
  const defaults = {
    launchedAt: Date.now(),
    environment,
    autoReload: false,
    serveAdminPanel: false,
    uuid: info.strapi?.['uuid'],
    packageJsonStrapi: lodash.omit(info.strapi, 'uuid'),
    info: { ...info, strapi: form.version },
    server: {
      proxy: false,
      ...server,
      url: config.server.publicUrl ?? '',
      cron: { enabled: false },
      admin: { autoOpen: false },
      dirs: { public: './public' },
    },
    admin: {},
    // As in Strapi v4, a list has no largest size unless the project sets one.
    api: {
      ...api,
      rest: {
        prefix: config.rest.codePrefix,
        ...lodash.omit((api as Named<Named>)['rest'], [...Object.values(listVariables), 'entryMeta']),
      },
    },
    plugin: pluginSettings,
  };
  // Frozen settings cannot be changed.
  const settings = lodash.merge(lodash.cloneDeep(defaults), own) as Named;
  for (const [variable, name] of Object.entries(listVariables))
    if (config.variables[variable] !== undefined) lodash.set(settings, ['api', 'rest', name], config.rest[name]);
  // Whatever database the project had: code that asks writes SQL of that kind, which is not there.
  lodash.set(settings, 'database.connection.client', CLIENT_OF_SQL);
  // As in Strapi v4, the address is also here.
  return { ...lodash.pick(settings['server'], ['host', 'port']), ...settings };
}

/** `strapi.config` of settings: they are its properties too, as in Strapi v4. */
export function createConfig(settings: Named): StrapiConfig {
  return Object.assign(settings, {
    get: (path?: string | readonly string[], fallback?: unknown): unknown =>
      path === undefined ? settings : lodash.get(settings, path, fallback),
    set: (path: string | readonly string[], value: unknown): unknown => lodash.set(settings, path, value),
    has: (path: string | readonly string[]): boolean => lodash.has(settings, path),
  });
}

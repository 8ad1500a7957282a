import type { Config } from '../../config/config.js';
import lodash from 'lodash';
import { isRecord } from '../../config/record.js';
import { parseJson } from '../../plugins/contract/forms.js';
import { parseProviders, PASSWORDS } from '../../plugins/users-permissions/providers/provider-settings.js';
import type { Anything, Named, StrapiContext } from '../strapi.js';

interface StoreKey {
  readonly key?: string;
  readonly environment?: string;
  readonly type?: string;
  readonly name?: string;
  readonly tag?: string;
}

/** Settings of plugins that Strapi v4 reads from its store, and the service from its configuration. */
const declared: ReadonlySet<string> = new Set([
  'plugin_users-permissions_advanced',
  'plugin_users-permissions_email',
  'plugin_users-permissions_grant',
  'plugin_upload_settings',
  'plugin_i18n_default_locale',
]);

/** The name of a value in Strapi v4's table of the store: `plugin_users-permissions_advanced`. */
const storedName = ({ key = '', type = 'core', name }: StoreKey): string =>
  [type, ...(name === undefined || name === '' ? [] : [name]), key].join('_');

/** `strapi.store(…)`, and `strapi.store.get` with the whole key: named values for project code. */
export function createStoreOf(context: StrapiContext, config: Config): (defaults?: Named) => Anything {
  const { runtime, log } = context;
  const open = (defaults: Named = {}) => {
    /** The name, environment and tag by which a value is stored. */
    const placeOf = (key: StoreKey | string): readonly [string, string, string] => {
      const full: StoreKey = { ...defaults, ...(typeof key === 'string' ? { key } : key) };
      const { environment = '', tag = '' } = full;
      return [storedName(full), environment, tag];
    };
    const values = (wants: string) => runtime(`strapi.store().${wants}`).values;
    return {
      get: async (key: StoreKey = {}) => {
        const [name, environment, tag] = placeOf(key);
        const stored = await values('get').get(name, environment, tag);
        if (stored !== undefined || !Object.hasOwn(initialValues, name)) return stored ?? null;
        return (await initialValues[name]?.(config, context)) ?? null;
      },
      set: async ({ value, ...key }: StoreKey & { readonly value: unknown }) => {
        const [name, environment, tag] = placeOf(key);
        if (declared.has(name)) log.warn(`strapi.store: ${name} has no effect: set it in config/plugins`);
        await values('set').set(name, environment, tag, value);
      },
      delete: async (key: StoreKey = {}) => {
        await values('delete').delete(...placeOf(key));
      },
    };
  };
  return Object.assign(open, open());
}

/**
 * `strapi.db.query('strapi::core-store')`: the values of `strapi.store` as rows of Strapi v4's table, of which `key` is
 * the whole name, and `value` JSON. Rows are found by their names, which are their ids, too.
 */
export function createStoreRows(context: StrapiContext, config: Config): Named<(params?: Named) => Promise<unknown>> {
  const values = () => context.runtime(ROWS).values;
  const read = async (name: string): Promise<readonly Named[]> => {
    const stored = (await values().get(name, '', '')) ?? (await initialValues[name]?.(config, context));
    return stored === undefined ? [] : [rowOf(name, stored)];
  };
  const findMany = async ({ where = {} }: Named = {}): Promise<readonly Named[]> => {
    const { key, id = key, ...others } = where as Named;
    const { $in: named = id, ...operators } = isRecord(id) ? { $in: id['$eq'], ...lodash.omit(id, '$eq') } : {};
    const unknown = [...Object.keys(others), ...Object.keys(operators)];
    if (unknown.length > 0 || id === undefined)
      throw new Error(`${ROWS} finds by key only, not by ${unknown.join(', ') || 'nothing'}: use strapi.store`);
    return (await Promise.all([named].flat().map((name) => read(String(name))))).flat();
  };
  const save = async ({ key, value }: Named): Promise<Named> => {
    const name = String(key);
    if (declared.has(name)) context.log.warn(`strapi.store: ${name} has no effect: set it in config/plugins`);
    const stored = typeof value === 'string' ? (parseJson(value) ?? value) : value;
    await values().set(name, '', '', stored);
    return rowOf(name, stored);
  };
  const first = async (params: Named): Promise<Named | undefined> => (await findMany(params))[0];
  return {
    findMany,
    findOne: async (params = {}) => (await first(params)) ?? null,
    count: async (params) => (await findMany(params)).length,
    create: async ({ data }: Named = {}) => save(data as Named),
    update: async ({ data, ...params }: Named = {}) => {
      const row = await first(params);
      return row === undefined ? null : save({ ...row, ...data });
    },
    delete: async (params = {}) => {
      const row = await first(params);
      if (row !== undefined) await values().delete(String(row['key']), '', '');
      return row ?? null;
    },
  };
}

const ROWS = "strapi.db.query('strapi::core-store')";

const rowOf = (name: string, value: unknown): Named => ({
  id: name,
  key: name,
  value: JSON.stringify(value),
  type: typeof value,
  environment: null,
  tag: null,
});

/**
 * The values that plugins of Strapi v4 store when they start: here they are derived from the settings of the service.
 */
const initialValues: Readonly<Record<string, (config: Config, context: StrapiContext) => unknown>> = {
  'plugin_users-permissions_advanced': ({ plugins }) => {
    const settings = plugins['users-permissions']?.config ?? {};
    return {
      unique_email: settings['uniqueEmail'] ?? true,
      allow_register: settings['allowRegister'] ?? true,
      email_confirmation: settings['emailConfirmation'] ?? false,
      email_reset_password: settings['resetPasswordUrl'] ?? null,
      email_confirmation_redirection: settings['emailConfirmationRedirection'] ?? null,
      default_role: settings['defaultRole'] ?? 'authenticated',
    };
  },
  'plugin_users-permissions_email': emailTemplates,
  'plugin_users-permissions_grant': loginProviders,
  plugin_upload_settings: ({ plugins }) => {
    const {
      sizeOptimization = true,
      responsiveDimensions = true,
      autoOrientation = true,
    } = plugins['upload']?.config ?? {};
    return { sizeOptimization, responsiveDimensions, autoOrientation };
  },
  plugin_upload_view_configuration: () => ({ pageSize: 10, sort: 'createdAt:DESC' }),
  plugin_i18n_default_locale: (_config, { strapi }) => strapi.plugin('i18n')?.service('locales').getDefaultLocale(),
};

/** The sender, and texts with the variables of Strapi v4's mails. */
function emailTemplates({ mail, plugins, variables }: Config): Named {
  const { defaultFrom = mail.from } = (plugins['email']?.config['settings'] ?? {}) as {
    readonly defaultFrom?: unknown;
  };
  const sender = String(variables['MAIL_FROM'] ?? defaultFrom);
  const [, name = '', email = sender] = /^\s*(.*?)\s*<(.+)>\s*$/.exec(sender) ?? [];
  const template = (display: string, icon: string, object: string, message: string): Named => ({
    display: `Email.template.${display}`,
    icon,
    options: { from: { name, email }, response_email: '', object, message },
  });
  return {
    reset_password: template('reset_password', 'sync', 'Reset password', resetMessage),
    email_confirmation: template('email_confirmation', 'check-square', 'Account confirmation', confirmationMessage),
  };
}

const resetMessage =
  '<p>A new password was requested for this account. Choose it here:</p>\n<p><%= URL %>?code=<%= TOKEN %></p>';

const confirmationMessage =
  '<p>Please confirm that this address is yours:</p>\n<p><%= URL %>?confirmation=<%= CODE %></p>';

/** What Strapi v4 stores of a login provider: its icon, its scopes, and a subdomain where it has one. */
const grantProviders: Readonly<Record<string, readonly [icon: string, scope?: readonly string[], subdomain?: string]>> =
  {
    discord: ['discord', ['identify', 'email']],
    facebook: ['facebook-square', ['email']],
    google: ['google', ['email']],
    github: ['github', ['user', 'user:email']],
    microsoft: ['windows', ['user.read']],
    twitter: ['twitter'],
    instagram: ['instagram', ['user_profile']],
    vk: ['vk', ['email']],
    twitch: ['twitch', ['user:read:email']],
    linkedin: ['linkedin', ['r_liteprofile', 'r_emailaddress']],
    cognito: ['aws', ['email', 'openid', 'profile'], 'my.subdomain.com'],
    reddit: ['reddit', ['identity']],
    auth0: ['', ['openid', 'email', 'profile'], 'my-tenant.eu'],
    cas: ['book', ['openid email'], 'my.subdomain.com/cas'],
    patreon: ['', ['identity', 'identity[email]']],
    keycloak: ['', ['openid', 'email', 'profile'], 'myKeycloakProvider.com/realms/myrealm'],
  };

/** Providers whose page is called `callback` from the beginning. */
const withCallback = new Set(['cognito', 'reddit', 'auth0', 'cas', 'patreon', 'keycloak']);

/** The login providers, by name: those that are enabled with their settings, all others as in a new Strapi. */
function loginProviders({ plugins }: Config, { config }: StrapiContext): Named {
  const settings = plugins['users-permissions']?.config['providers'];
  const providers = isRecord(settings) ? settings : {};
  const passwords = providers[PASSWORDS];
  const base = `${config.get('server.url')}${config.get('api.rest.prefix', '/api')}/auth`;
  const initial = Object.entries(grantProviders).map(([name, [icon, scope, subdomain]]) => {
    const page = { [withCallback.has(name) ? 'callback' : 'callbackUrl']: `${base}/${name}/callback` };
    const optional = { ...(scope && { scope }), ...(subdomain && { subdomain }) };
    return [name, { icon, enabled: false, key: '', secret: '', ...page, ...optional }] as const;
  });
  const initialByName: Named<Named> = Object.fromEntries(initial);
  // The start reports what is wrong with them.
  const ignore = (): void => undefined;
  const enabled = parseProviders(providers, ignore).map(({ name, key, secret, callback, scope, subdomain }) => [
    name,
    { icon: '', ...initialByName[name], enabled: true, key, secret, callback, scope, ...(subdomain && { subdomain }) },
  ]);
  return {
    email: { icon: 'envelope', enabled: !isRecord(passwords) || passwords['enabled'] !== false },
    ...initialByName,
    ...Object.fromEntries(enabled),
  };
}

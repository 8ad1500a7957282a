import type { Config } from '../../config/config.js';
import type { Anything, Named, StrapiContext } from '../strapi.js';
import { storedDefault } from './stored-defaults.js';

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
        return stored === undefined ? ((await storedDefault(name, config, context)) ?? null) : stored;
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

import lodash from 'lodash';
import { isRecord } from '../../config/record.js';
import type { PluginServer } from '../project/plugin-server.js';
import type { Named, StrapiContext } from '../strapi.js';
import { isoLocales } from '../services/iso-locales.js';
import { createRoleSanitizing } from '../utilities/sanitize/role-sanitizing.js';
import { uploadValidation, usersValidation } from './plugin-validation.js';

/** One part of a plugin, below names: `['auth']` of the controllers. */
type FindPart = (plugin: PluginServer, names: readonly string[], context: StrapiContext) => unknown;

/** What is called this, or by a file's name: `content-manager-user` has the controller `contentmanageruser`. */
function named(parts: Named, [name, ...more]: readonly string[]): unknown {
  if (name === undefined) return parts;
  if (more.length > 0) return undefined;
  return [name, name.replaceAll('-', '')].flatMap((key) => (Object.hasOwn(parts, key) ? [parts[key]] : []))[0];
}

/** Routers by their types, and the routes to one controller: `['content-api', 'auth']`. */
function routesBelow({ routes }: PluginServer, [type, controller]: readonly string[]): unknown {
  if (type === undefined) return routes;
  const router = (routes as Named<Named | undefined>)[type];
  if (router === undefined || controller === undefined) return router;
  const list = (router['routes'] as readonly Named[]).filter(({ handler }) =>
    String(handler).startsWith(`${controller}.`),
  );
  return list.length === 0 ? undefined : list;
}

/** Content types as their files have them: users-permissions has no file for a schema. */
const typesBelow: FindPart = ({ name }, [type, part], { models }) => {
  const prefix = `plugin::${name}.`;
  const types = Object.fromEntries(
    Object.entries(models.contentTypes).flatMap(([uid, { __schema__: schema }]) =>
      uid.startsWith(prefix) ? [[uid.slice(prefix.length), { schema }] as const] : [],
    ),
  );
  if (type === undefined) return types;
  const found = Object.hasOwn(types, type) ? types[type] : undefined;
  if (part !== undefined) return part === 'schema' ? found?.schema : undefined;
  return name === 'users-permissions' ? found?.schema : found;
};

/** The parts of plugins, by their folders or files in the package. What registers itself is there without that. */
const folders: Readonly<Record<string, FindPart>> = {
  register: ({ register }) => register,
  bootstrap: ({ bootstrap }, names) => (names.length === 0 ? bootstrap : undefined),
  destroy: ({ destroy }) => destroy,
  config: ({ config }) => config,
  graphql: (_plugin, names) => (names.length === 0 ? () => undefined : undefined),
  controllers: ({ controllers }, names) => named(controllers, names),
  services: ({ services }, names) => named(services, names),
  policies: ({ policies }, names) => named(policies, names),
  middlewares: ({ middlewares }, names) => named(middlewares, names),
  routes: routesBelow,
  'content-types': typesBelow,
};

/** Files of single plugins that code calls without the plugin. */
const single: Readonly<Record<string, Readonly<Record<string, (context: StrapiContext) => unknown>>>> = {
  'users-permissions': {
    'controllers/validation/auth': ({ utils }) => usersValidation(utils).auth,
    'controllers/validation/user': ({ utils }) => usersValidation(utils).user,
    'utils/sanitize': ({ utils }) => createRoleSanitizing(utils),
    'utils/sanitize/sanitizers': ({ utils }) => createRoleSanitizing(utils).sanitizers,
    'utils/sanitize/visitors': ({ utils }) => createRoleSanitizing(utils).visitors,
  },
  upload: { 'controllers/validation/content-api/upload': ({ utils }) => uploadValidation(utils) },
  i18n: {
    constants: () => ({ isoLocales: isoLocales() }),
    'constants/iso-locales.json': () => isoLocales(),
    'domain/locale': () => ({
      formatLocale: (locale: Named): Named => ({ ...locale, name: (locale['name'] as unknown) || null }),
    }),
  },
};

/**
 * A file in the package of a plugin, such as `server/services/jwt`, as the service has it: a part of the plugin before
 * code extends it. Undefined: the service lacks it.
 * @param file its path in the package, without its ending
 */
export function findPluginModule(plugin: PluginServer, file: string, context: StrapiContext): unknown {
  if (file === 'server' || file === 'strapi-server') return () => lodash.omit(plugin, 'name');
  if (!file.startsWith('server/')) return undefined;
  const part = file.slice('server/'.length);
  const own = single[plugin.name];
  if (own !== undefined && Object.hasOwn(own, part)) return own[part]?.(context);
  const [folder = '', ...names] = part.split('/');
  const found = Object.hasOwn(folders, folder) ? folders[folder]?.(plugin, names, context) : undefined;
  return isRecord(found) || Array.isArray(found) || typeof found === 'function' ? found : undefined;
}

import type { CreatedStrapi } from '../create-strapi.js';
import type { Provide } from './provide-modules.js';

/** `@strapi/strapi/lib/core-api/service` and similar submodules that project code imports. */
const strapiParts = /^@strapi\/strapi\/(?:lib|dist)\//;
/** `@strapi/plugin-users-permissions/server/utils` and similar modules, which find services of a plugin. */
const pluginParts = /^@strapi\/plugin-(?<plugin>[\w-]+)\/(?<part>server\/utils|strapi-admin)(?:\/index)?(?:\.js)?$/;
const utilsParts = /^@strapi\/utils\/(?:lib|dist)(?:\/(?<part>[\w-]+))?(?:\.js)?$/;

/**
 * The modules `@strapi/strapi`, `@strapi/utils` and parts of Strapi's plugins for a project's code.
 * @throws Error for unavailable parts of the packages
 */
export function provideStrapi({ factories, utils, context }: CreatedStrapi): Provide {
  const strapi = { factories };
  const partOf = (plugin: string, part: string): object =>
    part === 'strapi-admin'
      ? {}
      : { getService: (name: string) => context.strapi.plugin(plugin)?.service(name) as unknown };
  return (request) => {
    if (request === '@strapi/strapi') return strapi;
    if (request === '@strapi/utils') return utils;
    if (strapiParts.test(request)) {
      if (/\/factories(?:\.js)?$/.test(request)) return factories;
      throw new Error(`${request} is not available; use @strapi/strapi`);
    }
    const { plugin, part: pluginPart } = pluginParts.exec(request)?.groups ?? {};
    if (plugin !== undefined && pluginPart !== undefined) return partOf(plugin, pluginPart);
    const part = utilsParts.exec(request);
    if (part === null) return undefined;
    const name = part.groups?.['part'];
    if (name === undefined || name === 'index') return utils;
    if (name in utils) return utils[name];
    throw new Error(`${request} is not available; use @strapi/utils`);
  };
}

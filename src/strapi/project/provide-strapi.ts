import { withAbsent } from '../absent-members.js';
import type { CreatedStrapi } from '../create-strapi.js';
import { UNPARSED } from '../http/body.js';
import { transformResponse } from '../core/transform.js';
import type { Anything, Named } from '../strapi.js';
import type { Provide } from './provide-modules.js';

/** `@strapi/strapi/lib/core-api/service` and similar submodules that project code imports. */
const strapiParts = /^@strapi\/strapi\/(?:lib|dist)\/(?<part>.+?)(?:\/index)?(?:\.js)?$/;
/** `@strapi/plugin-users-permissions/server/utils` and similar modules, which find services of a plugin. */
const pluginParts = /^@strapi\/plugin-(?<plugin>[\w-]+)\/(?<part>server\/utils|strapi-admin)(?:\/index)?(?:\.js)?$/;
/** The symbol of a body's text, for code that uses `includeUnparsed` of `strapi::body`. */
const unparsedPart = /^koa-body\/(?:lib\/)?unparsed(?:\.js)?$/;
const utilsParts = /^@strapi\/utils\/(?:lib|dist)(?:\/(?<part>[\w-]+))?(?:\.js)?$/;

/**
 * The modules `@strapi/strapi`, `@strapi/utils` and parts of Strapi's plugins for a project's code.
 * @throws Error for unavailable parts of the packages
 */
export function provideStrapi({ factories, context }: CreatedStrapi): Provide {
  const { utils } = context;
  const strapi = withAbsent('@strapi/strapi', { factories: withAbsent('factories', factories) });
  const partOf = (plugin: string, part: string): object =>
    part === 'strapi-admin'
      ? {}
      : { getService: (name: string) => context.strapi.plugin(plugin)?.service(name) as unknown };
  const submodules: Readonly<Record<string, object>> = {
    factories,
    'core-api/controller/transform': {
      transformResponse: (resource: unknown, meta: unknown, { contentType }: Named = {}) =>
        transformResponse(resource, meta, contentType, context.strapi.getModel),
      parseBody: (ctx: Anything) =>
        ctx.is('multipart') ? utils['parseMultipartData'](ctx) : { data: ctx.request.body?.data as unknown },
    },
  };
  return (request) => {
    if (request === '@strapi/strapi') return strapi;
    if (request === '@strapi/utils') return utils;
    if (unparsedPart.test(request)) return UNPARSED;
    const submodule = strapiParts.exec(request)?.groups?.['part'];
    if (submodule !== undefined) {
      if (Object.hasOwn(submodules, submodule)) return submodules[submodule];
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

import Module from 'node:module';
import { provideBesideStrapi } from '../../config/project/beside-strapi.js';
import { withAbsent } from '../absent-members.js';
import type { CreatedStrapi } from '../create-strapi.js';
import { UNPARSED } from '../http/body.js';
import { transformResponse, transforming } from '../core/transform.js';
import type { Anything, Named, Strapi } from '../strapi.js';

/** The module of a package name; undefined: the installed package. @throws Error for an unavailable module */
type Provide = (request: string) => unknown;

/** `@strapi/strapi/lib/core-api/service` and similar submodules that project code imports. */
const strapiParts = /^@strapi\/strapi\/(?:lib|dist)\/(?<part>.+?)(?:\/index)?(?:\.js)?$/;
/**
 * `@strapi/plugin-users-permissions/server/utils` and similar modules, which find services of a plugin, and
 * `server/controllers/auth`, one of its controllers.
 */
const pluginParts =
  /^@strapi\/plugin-(?<plugin>[\w-]+)\/(?<part>server\/utils|strapi-admin|server\/controllers(?:\/(?<controller>[\w-]+))?)(?:\/index)?(?:\.js)?$/;
/** The symbol of a body's text, for code that uses `includeUnparsed` of `strapi::body`. */
const unparsedPart = /^koa-body\/(?:lib\/)?unparsed(?:\.js)?$/;
const utilsParts = /^@strapi\/utils\/(?:lib|dist)(?:\/(?<part>[\w-]+))?(?:\.js)?$/;

/**
 * The modules `@strapi/strapi`, `@strapi/utils` and parts of Strapi's plugins for a project's code.
 * @param controllersOf the controllers of a plugin of the service as they are before code extends it
 * @throws Error for unavailable parts of the packages
 */
export function provideStrapi(
  { factories, context }: CreatedStrapi,
  controllersOf: (plugin: string) => Named | undefined,
): Provide {
  const { utils } = context;
  const strapi = withAbsent('@strapi/strapi', { factories: withAbsent('factories', factories) });
  const partOf = (plugin: string, part: string, controller: string | undefined): unknown => {
    if (part === 'strapi-admin') return {};
    if (part === 'server/utils')
      return { getService: (name: string) => context.strapi.plugin(plugin)?.service(name) as unknown };
    const controllers = controllersOf(plugin);
    if (controller === undefined || controller === 'index') return controllers;
    // The file `content-manager-user` has the controller `contentmanageruser`.
    return controllers?.[controller] ?? controllers?.[controller.replaceAll('-', '')];
  };
  const submodules: Readonly<Record<string, object>> = {
    factories,
    'core-api/controller/transform': {
      transformResponse: (resource: unknown, meta: unknown, { contentType }: Named = {}) =>
        transformResponse(resource, meta, contentType, transforming(context.strapi)),
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
      return Object.hasOwn(submodules, submodule) ? submodules[submodule] : absentModule(request);
    }
    const { plugin, part: pluginPart, controller } = pluginParts.exec(request)?.groups ?? {};
    if (plugin !== undefined && pluginPart !== undefined) return partOf(plugin, pluginPart, controller);
    const part = utilsParts.exec(request);
    if (part === null) return undefined;
    const name = part.groups?.['part'];
    if (name === undefined || name === 'index') return utils;
    return name in utils ? utils[name] : absentModule(request);
  };
}

/** A part of a package that is not there. Only its use throws: editors add imports that nothing uses. */
const absentModule = (request: string): object =>
  new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_target, member) =>
        typeof member === 'symbol' || member === '__esModule'
          ? undefined
          : () => {
              throw new Error(`${request}: ${member} is not supported`);
            },
    },
  );

type LoadModule = (request: string, ...others: unknown[]) => unknown;
/**
 * Makes `strapi` global, and provides to code that requires them, files of a project and its installed packages:
 * internal modules, and the service's own packages in place of those that came with Strapi and are not installed.
 * @returns a function that reverts it
 */
export function provideGlobally(strapi: Strapi, provide: Provide): () => void {
  const owner = globalThis as { strapi?: unknown };
  const previous = owner.strapi;
  owner.strapi = strapi;
  const loader = Module as unknown as { _load: LoadModule };
  const { _load: originalLoad } = loader;
  const load: LoadModule = (request, ...others) =>
    provide(request) ?? Reflect.apply(originalLoad, loader, [request, ...others]);
  loader._load = load;
  const release = provideBesideStrapi();
  return () => {
    if (loader._load === load) loader._load = originalLoad;
    release();
    if (owner.strapi === strapi) owner.strapi = previous;
  };
}

/** The provided modules as an object with a property for each name. */
export const asRecord = (provide: Provide): Readonly<Record<string, unknown>> =>
  new Proxy<Record<string, unknown>>(
    {},
    {
      has: (_target, name) => typeof name === 'string' && provide(name) !== undefined,
      get: (_target, name) => (typeof name === 'string' ? provide(name) : undefined),
    },
  );

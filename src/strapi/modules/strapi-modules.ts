import fs from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import { absentModule, isAbsentModule } from '../../config/project/absent-module.js';
import { packageFolder } from '../../config/project/plugin-packages.js';
import { withAbsent } from '../absent-members.js';
import type { CreatedStrapi } from '../create-strapi.js';
import { UNPARSED } from '../http/body.js';
import type { PluginServer } from '../project/plugin-server.js';
import type { Named } from '../strapi.js';
import { findPluginModule } from './plugin-modules.js';
import { createCoreModules } from './core-modules.js';
import { utilityModule } from './utility-modules.js';

/** What `require` gives code in place of Strapi's packages. */
export interface StrapiModules {
  /** The module of this name; undefined: what is installed, or none of Strapi's. */
  provide(request: string): unknown;
  /** Whether a module of Strapi's is there, or only throws where it is used; undefined as above. */
  fateOf(request: string): 'served' | 'absent' | undefined;
}

/** `@strapi/utils`, `@strapi/plugin-upload/server/utils`, also by a path to the folder of installed packages. */
const ofStrapi = /^(?:.*\/node_modules\/)?@strapi\/(?<name>[\w-]+)(?:\/(?<file>.+))?$/;

/** `services/index.js` and `services` are one file. */
const nameOfFile = (file: string): string => file.replace(/(?:\.d)?\.[cm]?[jt]s$/, '').replace(/(?:^|\/)index$/, '');

/** The symbol of a body's text, for code that uses `includeUnparsed` of `strapi::body`. */
const unparsed = /^koa-body\/(?:lib\/)?unparsed(?:\.js)?$/;

/** A file of a package, by its path without `lib`, `dist`, `index` and the ending; undefined: it is not there. */
type FindFile = (file: string) => unknown;

/**
 * Strapi's packages: the files that the service has, in the places that they have had from 4.0 to 4.26. Of any other
 * file the installed one is loaded, and without one its use throws.
 * @param folder that of the project
 * @param pluginOf a plugin of the service as it is before code extends it
 */
export function createStrapiModules(
  created: CreatedStrapi,
  folder: string,
  pluginOf: (name: string) => PluginServer | undefined,
): StrapiModules {
  const { context, factories } = created;
  const { strapi, utils } = context;
  const main = withAbsent('@strapi/strapi', { factories: withAbsent('factories', factories) });
  const core: Named = { '': main, factories, ...createCoreModules(context) };
  const outside = (file: string): string => file.replace(/^(?:lib|dist)(?:\/|$)/, '');
  const own = (modules: Named, file: string): unknown => (Object.hasOwn(modules, file) ? modules[file] : undefined);
  const files: Readonly<Record<string, FindFile>> = {
    strapi: (file) => own(core, outside(file)),
    utils: (file) => utilityModule(utils, outside(file)),
    admin: (file) => {
      if (file === 'server/utils') return serviceFinder('@strapi/admin', (name) => strapi.service(`admin::${name}`));
      const service = /^server\/services\/([\w-]+)$/.exec(file)?.[1];
      return service === undefined ? undefined : strapi.service(`admin::${service}`);
    },
    ...Object.fromEntries(
      plugins.map((name): [string, FindFile] => [
        `plugin-${name}`,
        (file) => {
          if (file === 'strapi-admin') return {};
          const plugin = pluginOf(name);
          if (plugin === undefined) return undefined;
          if (file === 'server/utils')
            return serviceFinder(
              `@strapi/plugin-${name}`,
              (service) => strapi.plugin(name)?.service(service) as unknown,
            );
          return findPluginModule(plugin, file, context);
        },
      ]),
    ),
    ...Object.fromEntries(serverOnly.map((name): [string, FindFile] => [name, () => undefined])),
  };
  const find = lodash.memoize((name: string, file: string): unknown => {
    const findFile = Object.hasOwn(files, name) ? files[name] : undefined;
    if (findFile === undefined) return undefined;
    const found = findFile(nameOfFile(file));
    if (found !== undefined) return found;
    return isInstalled(folder, name, file) ? undefined : absentModule(path.posix.join('@strapi', name, file));
  }, path.posix.join);
  const provide = (request: string): unknown => {
    if (unparsed.test(request)) return UNPARSED;
    const { name, file = '' } = ofStrapi.exec(request.replaceAll('\\', '/'))?.groups ?? {};
    return name === undefined ? undefined : find(name, file);
  };
  return {
    provide,
    fateOf: (request) => {
      const module = provide(request);
      return module === undefined ? undefined : isAbsentModule(module) ? 'absent' : 'served';
    },
  };
}

/** Strapi's own plugins, which are part of the service or of the panel. */
const plugins: readonly string[] = [
  'users-permissions',
  'i18n',
  'upload',
  'email',
  'graphql',
  'documentation',
  'content-manager',
  'content-type-builder',
];

/** Packages of Strapi's server that are of no use without it. */
const serverOnly: readonly string[] = [
  'cloud-cli',
  'content-releases',
  'data-transfer',
  'database',
  'generate-new',
  'generators',
  'permissions',
  'plugin-cloud',
  'types',
  'typescript-utils',
];

/** `server/utils` of a package: services by their names. */
const serviceFinder = (name: string, getService: (service: string) => unknown): object =>
  absentModule(`${name}/server/utils`, { getService });

function isInstalled(folder: string, name: string, file: string): boolean {
  const place = path.join(packageFolder(folder, `@strapi/${name}`), file);
  return ['', '.js', '.json', `${path.sep}index.js`].some((ending) => fs.existsSync(place + ending));
}

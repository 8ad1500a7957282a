import { dirname, sep } from 'node:path';
import { coreActions } from '../plugins/contract/answerer.js';
import type { RestGuard } from '../plugins/contract/access/policy-request.js';
import { isCoreAction } from './core/controller.js';
import { isCoreMethod, methodOf } from './core/service.js';
import { calledActions } from './graphql/users-mutations.js';
import { actionIn } from './http/endpoint.js';
import type { OpenProject } from './open-project.js';
import { RATE_LIMIT } from './project/built-in-plugins.js';
import { nameOfFolder, nameOfPart } from './project/find-files.js';
import type { Anything, Named, StrapiModule } from './strapi.js';

type Project = Pick<OpenProject, 'strapi' | 'replacedActions'> & { readonly code: Code };
type Code = Pick<OpenProject['code'], 'files' | 'extensions'>;

/**
 * The code of a project that runs over REST only, as in Strapi v4: policies and middlewares of routes, and what
 * replaces actions of the core and of plugins.
 */
export const listRestGuards = ({ strapi, code, replacedActions }: Project): readonly RestGuard[] => [
  ...Object.entries(strapi.api).flatMap(([name, module]) => [
    ...Object.entries((module.routes ?? {}) as Named).flatMap(([file, router]) =>
      guardsOf(router, `api::${name}`, findFile(code, name, 'routes', file)),
    ),
    ...replacementsOf(module, name, code),
  ]),
  ...[...code.extensions].flatMap(([name, { file }]) =>
    Object.values((strapi.plugin(name)?.routes ?? {}) as Named).flatMap((router) =>
      guardsOf(router, `plugin::${name}`, file),
    ),
  ),
  // Mutations of users call the replaced actions.
  ...replacedActions.filter(({ action }) => !calledActions.has(action)),
];

/** Policies and middlewares of the routes of a router. */
const guardsOf = (router: Anything, namespace: string, file: string | undefined): readonly RestGuard[] =>
  ((router?.routes ?? []) as readonly (Named | undefined)[]).flatMap((route) => {
    const { method, path, handler, config } = route ?? {};
    const parts = ['policies', 'middlewares'].filter((part) => withoutLimits(config?.[part]).length > 0);
    if (typeof handler !== 'string' || parts.length === 0) return [];
    const action = actionIn(namespace, handler);
    return [{ action, guard: `${parts.join(' and ')} of ${method} ${path}${inFile(file)}` }];
  });

/** Mutations of users count their requests, too. */
const withoutLimits = (list: unknown): readonly unknown[] =>
  Array.isArray(list) ? list.filter((one) => one !== RATE_LIMIT) : [];

/** The actions of an API's content types whose controller or service is not the core's. */
const replacementsOf = ({ contentTypes, controllers, services }: StrapiModule, api: string, code: Code) =>
  Object.entries(contentTypes).flatMap(([name, { uid, kind }]): readonly RestGuard[] =>
    coreActions.flatMap((action) => {
      if (typeof controllers[name]?.[action] !== 'function') return [];
      const replaced = [
        ...(isCoreAction(controllers[name], action) ? [] : ['controller']),
        ...(isCoreMethod(services[name], methodOf(kind, action)) ? [] : ['service']),
      ];
      return replaced.map((part) => {
        const guard = `${part} "${name}"${inFile(findFile(code, api, `${part}s`, name))}`;
        return { action: `${uid}.${action}`, guard, replaces: true };
      });
    }),
  );

const inFile = (file: string | undefined): string => (file === undefined ? '' : ` in ${file}`);

/** The file of an API with a part of this name; undefined if code added it. */
const findFile = ({ files }: Code, api: string, parts: string, name: string): string | undefined =>
  files.find((file) => {
    const [source, kind, folder = '', part] = dirname(file).split(sep);
    const isPart = source === 'src' && kind === 'api' && part === parts;
    return isPart && nameOfFolder(folder) === api && nameOfPart(file) === name;
  });

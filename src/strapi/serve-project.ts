import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import lodash from 'lodash';
import type { Caller } from '../documents/caller.js';
import type { CodeRoutes } from '../rest/answerers.js';
import type { CodeLayer } from '../rest/router.js';
import { askStrategies } from './http/authentication.js';
import { builtInNames, resolveMiddlewares } from './http/middlewares.js';
import { createRouter, describedRouters, type CodeRouter } from './http/router.js';
import { createProjectHttp, type HttpParts } from './http/project-http.js';
import type { OpenProject } from './open-project.js';
import { isLocalized } from '../content-types/model/localized.js';
import type { ContentType, Registry } from '../content-types/model/types.js';
import { pickRoute } from './project/built-in-plugins.js';
import { isPanelAction } from './project/panel-parts.js';
import { refuseGuards } from './project/refused-guards.js';
import { warnOfReplacedMethods } from './project/replaced-methods.js';
import type { Route } from '../plugins/contract/routes.js';
import { uids } from '../plugins/users-permissions/uids.js';
import { isCore } from './core/controller.js';
import { addLocalizationActions } from './core/localizations.js';
import { completeModels } from './registries/models.js';
import type { CreatedStrapi } from './create-strapi.js';
import type { Named, Strapi, StrapiModule } from './strapi.js';

export interface ServedProject extends CodeRoutes, CodeLayer {
  /** The actions that the routes of code leave to the service for this request; undefined: there are no routes. */
  readonly coreActions: (request: Request) => readonly string[] | undefined;
  /** The routes of plugins where requests reach them: code can move and remove those of plugins that it extends. */
  readonly locate: (routes: readonly Route[]) => readonly Route[];
  /** The code that answers an action in place of the core, with all permissions; undefined: there is none. */
  readonly replacement: (type: ContentType, action: string) => string | undefined;
  /** Gives code the running service. */
  attach(runtime: Parameters<CreatedStrapi['attach']>[0]): void;
  /**
   * Creates middlewares, runs `bootstrap`, and creates the routes.
   * @throws StartError for code in the place of guards that cannot run, Error naming an invalid route
   */
  start(): Promise<void>;
}

const usersExtension = 'src/extensions/users-permissions/strapi-server';

/** Answers requests by a project's code. */
export function serveProject(project: OpenProject, parts: HttpParts & { readonly registry: Registry }): ServedProject {
  const { strapi, created, bootstrap } = project;
  const { registry } = parts;
  completeModels(created.context.models, registry, created.form.systemAttributes);
  addLocalizationActions(strapi, Object.values(created.context.models.contentTypes), (action) =>
    parts.routes.find((route) => route.action === action),
  );
  const { codePrefix } = parts.config.rest;
  const http = createProjectHttp(project, parts);
  return {
    around: http.around,
    runsCors: http.runsCors,
    describeError: http.describeError,
    files: http.files,
    // A project can consist of content types only; then all of them are served.
    coreActions: (request) => (hasRoutes(strapi) ? http.coreActions(request) : undefined),
    // In the order of the router: a replacement for a route precedes it.
    match: (method, path) => http.router().match(codePrefix + path, method),
    routesTypes: () => hasRoutes(strapi),
    isObserved: ({ uid }, action) => strapi.db.lifecycles.isObserved(uid, action),
    locate: (routes) => locateRoutes(project, routes, http.router()),
    replacement: (type, action) => replacementOf(project, type, action),
    attach: created.attach,
    start: async () => {
      http.useMiddlewares();
      addTasks(strapi);
      // As in Strapi v4, `bootstrap` can read whose the routes are and which permissions they need.
      describedRouters(strapi, Object.keys(strapi.plugins));
      await bootstrap();
      refuseGuards(project);
      warnOfReplacedMethods(project.madeServices, project.code, created.context.log);
      strapi.cron['start']();
      if (created.form.hasLocalizationRoutes) addLocalizationRoutes(strapi, registry, parts.routes);
      http.mount();
    },
  };
}

/**
 * Adds to each localized content type the route that creates a localization, with the prefix of its routes, as i18n
 * does in Strapi v4.
 */
function addLocalizationRoutes(strapi: Strapi, registry: Registry, routes: readonly Route[]): void {
  for (const type of registry.contentTypes.values()) {
    const [apiName = '', name = ''] = partsOf(type.uid);
    if (apiName === '' || !isLocalized(type)) continue;
    const action = `${type.uid}.createLocalization`;
    const route = routes.find((candidate) => candidate.action === action);
    const router = (strapi.api[apiName]?.routes as Named | undefined)?.[name] as Named | undefined;
    if (route === undefined || router?.['routes'] === undefined) continue;
    const { path } = route;
    router['routes'].push({ method: 'POST', path, handler: action, config: { auth: { scope: [action] } } });
  }
}

const locateRoutes = (project: OpenProject, routes: readonly Route[], { toActions }: CodeRouter): readonly Route[] =>
  routes.flatMap((route) => {
    if (!isRouted(project, route.action)) return [route];
    const same = routes.filter(({ action }) => action === route.action);
    return toActions
      .filter((moved) => moved.action === route.action && pickRoute(same, moved) === route)
      .map(({ path }) => ({ ...route, path }));
  });

function replacementOf({ strapi, routedPlugins }: OpenProject, type: ContentType, action: string): string | undefined {
  if (type.uid === uids.user) return routedPlugins.includes('users-permissions') ? usersExtension : undefined;
  const [api = '', name = ''] = partsOf(type.uid);
  if (!hasRoutes(strapi) || strapi.controller(type.uid) === undefined || isCore(strapi, type, action)) return undefined;
  return `src/api/${api}: the controller or the service "${name}"`;
}

/** The API of a content type and its name there: `course` and `lesson` of `api::course.lesson`; none of a plugin's. */
const partsOf = (uid: string): readonly string[] => /^api::([^.]+)\.([^.]+)$/.exec(uid)?.slice(1) ?? [];

/** The tasks of `config/server`, if they are enabled; those that code adds need no setting, as in Strapi v4. */
function addTasks({ config, cron }: Strapi): void {
  const { enabled, tasks = {} } = config.get('server.cron', {}) as Named;
  if (enabled) cron['add'](tasks);
}

const hasRoutes = ({ api }: Strapi): boolean =>
  Object.values(api).some(({ routes }) => Object.keys((routes ?? {}) as object).length > 0);

/**
 * Whether only the routes of code lead to this action of a plugin. That is so for plugins that the project extends, and
 * for localizations, whose routes are beside those of their content types.
 */
export const isRouted = ({ strapi, routedActions }: OpenProject, action = ''): boolean =>
  routedActions.has(action) || (action.endsWith('.createLocalization') && hasRoutes(strapi));

/** Builds the routes like a start. @throws Error naming an invalid route */
export function checkRoutes({ strapi, created, code, server, routedPlugins }: OpenProject): void {
  created.registries.middlewares.add('strapi::', builtInNames);
  addLocalizationActions(strapi, Object.values(created.context.models.contentTypes), () => undefined);
  resolveMiddlewares(strapi, strapi.config.get('middlewares', []), code.load);
  createRouter({
    strapi,
    authenticate: () => undefined,
    receiveBody: () => undefined,
    guard: () => Promise.resolve(),
    load: code.load,
    showsPolicies: created.form.showsPolicies,
    server,
    plugins: routedPlugins,
    prefix: '/api',
  });
}

/** The authentication strategies that code registers, for every transport. */
export const openStrategies = ({ created: { strategies }, server }: OpenProject) => ({
  exist: (): boolean => strategies.length > 0,
  authenticate: async (
    request: IncomingMessage,
    response: ServerResponse,
    actions: readonly string[],
  ): Promise<Caller | undefined> => {
    const context = server.contextOf(request, response);
    context.state['route'] ??= { info: { type: 'content-api' } };
    return askStrategies(strategies, context, actions);
  },
});

/** The permissions of a project's code: its actions, and those of its plugins. */
export function listCodeActions({ strapi, routedPlugins }: OpenProject): readonly string[] {
  const actionsOf = (namespace: string, { controllers }: StrapiModule): readonly string[] =>
    Object.entries(controllers).flatMap(([name, controller]) =>
      lodash
        .functions(controller)
        .filter((action) => !isPanelAction(controller[action]))
        .map((action) => `${namespace}.${name}.${action}`),
    );
  return [
    ...Object.entries(strapi.api).flatMap(([name, module]) => actionsOf(`api::${name}`, module)),
    ...routedPlugins.flatMap((name) => {
      const module = strapi.plugin(name);
      return module === undefined ? [] : actionsOf(`plugin::${name}`, module);
    }),
  ];
}

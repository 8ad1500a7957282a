import type { Context, Middleware } from 'koa';
import lodash from 'lodash';
import { sqlite } from '../../content-types/model/dialects.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { createRequestContext } from '../../plugins/contract/http/request-context.js';
import { arrivedBody } from '../../plugins/contract/arrived-body.js';
import type { BuiltInPlugin } from '../../plugins/contract/built-in.js';
import { accountIn } from '../../plugins/contract/code-state.js';
import { plainForm, type EntryForm } from '../../plugins/contract/entry-form.js';
import type { Forgive, Reply, Route } from '../../plugins/contract/plugin.js';
import { routesOf } from '../../plugins/contract/routes.js';
import { receivedForm } from '../http/body.js';
import { BEFORE_BODY } from '../http/endpoint.js';
import { urlOf } from '../http/url-form.js';
import type { Action, Named } from '../strapi.js';
import { panelPartsOf } from './panel-parts.js';
import { completeServer, type PluginServer } from './plugin-server.js';
import { splitUpload } from './upload-actions.js';

/** `plugin::users-permissions.auth.callback` is the action `callback` of the controller `auth`. */
function partsOf(action: string | undefined, plugin: string): readonly [string, string] | undefined {
  const name =
    action?.startsWith(`plugin::${plugin}.`) === true ? action.slice(`plugin::${plugin}.`.length) : undefined;
  const dot = name?.lastIndexOf('.') ?? -1;
  return name === undefined || dot < 0 ? undefined : [name.slice(0, dot), name.slice(dot + 1)];
}

/** Responds with the result of a route of the service. */
export function answer(context: Context, { status, body, text, headers = {} }: Reply): void {
  for (const [name, value] of Object.entries(headers)) context.set(name, value as string);
  if (text !== undefined) context.type = 'text/plain';
  context.body = text ?? body ?? null;
  if (status !== undefined) context.status = status;
  else if (body !== undefined) context.status = 200;
}

const COUNTED = Symbol('counted');
type Counted = { [COUNTED]?: Forgive | undefined };

/** Whether an action of the service has counted the client, or will take that back. */
export const isCounted = (context: Context): boolean => (context as unknown as Counted)[COUNTED] !== undefined;

/**
 * What the service does first for a route: it says how the response is cached, and counts the client.
 * @throws AppError tooManyRequests
 */
async function begin(route: Route, context: Context): Promise<Forgive | undefined> {
  setCaching(route, context);
  return route.count?.(context.ip);
}

function setCaching({ caching }: Route, context: Context): void {
  if (caching === 'never') context.set('Cache-Control', 'no-store');
}

/** The limit of Strapi v4, which hangs on routes. */
export const RATE_LIMIT = 'plugin::users-permissions.rateLimit';

/**
 * Whether requests of a route are limited, whatever action the project puts there: those that the service counts, and
 * as in Strapi v4 the beginning of a login with a provider.
 */
export const isLimited = ({ count, action }: Pick<Route, 'count' | 'action'>): boolean =>
  count !== undefined || action === 'plugin::users-permissions.auth.connect';

/** Runs a route of the service in a Koa context, for this caller. */
export async function runRoute(
  route: Route,
  context: Context,
  caller: Caller,
  entryForm: EntryForm = plainForm,
): Promise<Reply> {
  const counted = context as unknown as Counted;
  const forgive = counted[COUNTED] ?? (await begin(route, context));
  // Code may run the action again.
  counted[COUNTED] = undefined;
  return route.handle({
    ...createRequestContext(caller, context.res),
    ...urlOf(context),
    body: (context.request as { body?: unknown }).body,
    arrived: arrivedBody(context.request),
    files: undefined,
    form: receivedForm(context),
    message: context.req,
    entryForm,
    address: context.ip,
    forgive,
  });
}

/** The route that a project's route stands for, where several have one action: the project may have moved it. */
export function pickRoute(
  routes: readonly Route[],
  { path, methods }: { readonly path: string; readonly methods: readonly string[] },
): Route | undefined {
  const candidates = routes.filter(({ method }) => methods.includes(method));
  return candidates.find((route) => route.path === path) ?? candidates[0] ?? routes[0];
}

type Offered = Pick<BuiltInPlugin, 'name' | 'routes'>;

/** Without content types: what is generated from them, an extension does not find. */
const noTypes: Registry = { contentTypes: new Map(), components: new Map(), dialect: sqlite };

/** The routes of a plugin that `strapi-server` can change: those that it has whatever the content types are. */
export const offeredRoutes = (plugin: Offered): readonly Route[] =>
  routesOf(plugin, noTypes, 'production').filter(({ action }) => partsOf(action, plugin.name) !== undefined);

interface PluginForm {
  readonly middlewares?: Named | undefined;
  /** The form of entries in replies. */
  readonly formOf?: (route: Route) => EntryForm;
}

/**
 * A built-in plugin by Strapi v4's contract, so that a project's `strapi-server` can change it. Its content types are
 * with those of the service.
 * @param more additional services for project code
 */
export function describePlugin(
  plugin: Offered & Pick<BuiltInPlugin, 'services'>,
  more: Named,
  { middlewares = {}, formOf = () => plainForm }: PluginForm = {},
): PluginServer {
  const { name, services = {} } = plugin;
  const routes = offeredRoutes(plugin);
  const controllers: Named<Named<Action>> = {};
  const list: Named[] = [];
  for (const route of routes) {
    const [controller = '', action = ''] = partsOf(route.action, name) ?? [];
    const same = routes.filter((other) => other.action === route.action);
    const picked = ({ state, method: own }: Context): Route | undefined => {
      // The route of GraphQL has no path.
      const { path, method = own } = (state['route'] ?? {}) as Named;
      return pickRoute(same, { path, methods: [String(method).toUpperCase()] });
    };
    const run: Action = async (context, _next, returnsUser) => {
      const route = picked(context);
      if (route === undefined) return;
      const reply = await runRoute(route, context, accountIn(context.state), formOf(route));
      answer(context, returnsUser === true ? { body: reply.body } : reply);
    };
    const before: Middleware = async (context, next) => {
      const route = picked(context);
      if (route !== undefined) (context as unknown as Counted)[COUNTED] = await begin(route, context);
      return next();
    };
    (controllers[controller] ??= {})[action] = Object.assign(run, { [BEFORE_BODY]: before });
    const { path, config } = placeOf(route.path, name);
    list.push({
      method: route.method,
      handler: `${controller}.${action}`,
      path,
      config: { ...config, ...(isLimited(route) && { middlewares: [RATE_LIMIT] }) },
      [BEFORE_BODY]: (context: Context, next: () => Promise<unknown>) => {
        setCaching(route, context);
        return next();
      },
    });
  }
  const panel = panelPartsOf(name);
  return completeServer({
    name,
    controllers: lodash.defaultsDeep(
      name === 'upload' ? splitUpload(controllers) : controllers,
      panel.controllers,
    ) as Named,
    policies: panel.policies,
    middlewares: { ...panel.middlewares, ...middlewares },
    services: { ...lodash.mapValues(services, (service) => () => service), ...more },
    routes: { ...panel.routes, 'content-api': { type: 'content-api', routes: list } },
  });
}

/** The path of a route as Strapi v4 has it: below the name of the plugin, or without this prefix. */
function placeOf(path: string, plugin: string): { readonly path: string; readonly config: Named } {
  const prefix = `/${plugin}`;
  if (path !== prefix && !path.startsWith(`${prefix}/`)) return { path, config: { prefix: '' } };
  return { path: path.slice(prefix.length) || '/', config: {} };
}

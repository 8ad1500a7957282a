import type { Context } from 'koa';
import { anonymous, type Caller } from '../../documents/caller.js';
import { createRequestContext } from '../../documents/request-context.js';
import type { Plugin, Reply, Route } from '../../plugins/contract/plugin.js';
import { receivedForm } from '../http/body.js';
import type { Named } from '../strapi.js';
import { completeServer, type PluginServer } from './plugin-server.js';

/** `plugin::users-permissions.auth.callback` is the action `callback` of the controller `auth`. */
function partsOf(action: string, plugin: string): readonly [string, string] | undefined {
  const name = action.startsWith(`plugin::${plugin}.`) ? action.slice(`plugin::${plugin}.`.length) : undefined;
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

/** Runs a route of the service in a Koa context. */
export function runRoute(route: Route, context: Context): Promise<Reply> {
  const { auth } = context.state as { readonly auth?: { readonly caller?: Caller } };
  return route.handle({
    ...createRequestContext(auth?.caller ?? anonymous, context.res),
    params: context['params'] as Record<string, string>,
    query: context.query,
    body: (context.request as { body?: unknown }).body,
    files: undefined,
    form: receivedForm(context),
    message: context.req,
    address: context.ip,
  });
}

/** The route that matches the path of this request, if several have the same action. */
function pick(routes: readonly Route[], context: Context): Route | undefined {
  const { path } = context.state['route'] as { readonly path: string };
  return routes.find((route) => route.path === path && route.method === context.method) ?? routes[0];
}

/**
 * A built-in plugin by Strapi v4's contract, so that a project's `strapi-server` can change it. Its content types are with those
 * of the service.
 */
/** @param more additional services for project code */
export function describePlugin(
  { name, services = {}, routes: made = [] }: Pick<Plugin, 'name' | 'services' | 'routes'>,
  more: Named,
  middlewares: Named = {},
): PluginServer {
  // Routes generated from content types cannot be changed.
  const routes = typeof made === 'function' ? [] : made;
  const controllers: Named<Named> = {};
  const list: Named[] = [];
  for (const route of routes) {
    const parts = route.action === undefined ? undefined : partsOf(route.action, name);
    if (parts === undefined) continue;
    const [controller, action] = parts;
    const same = routes.filter((other) => other.action === route.action);
    (controllers[controller] ??= {})[action] = async (context: Context) => {
      const picked = pick(same, context);
      if (picked !== undefined) answer(context, await runRoute(picked, context));
    };
    list.push({ method: route.method, path: route.path, handler: `${controller}.${action}`, config: { prefix: '' } });
  }
  return completeServer({
    name,
    controllers,
    middlewares,
    services: {
      ...Object.fromEntries(Object.entries(services).map(([service, object]) => [service, () => object])),
      ...more,
    },
    routes: { 'content-api': { type: 'content-api', routes: list } },
  });
}

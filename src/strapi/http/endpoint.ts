import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Request, Response } from 'express';
import compose from 'koa-compose';
import { reasonOf } from '../../errors/reason-of.js';
import { callerIn } from '../../plugins/contract/code-state.js';
import type { Guard } from '../../rest/guards.js';
import type { Action, Model, Named, Strapi } from '../strapi.js';
import { refuseConditions } from '../core/core-request.js';
import { isCore } from '../core/controller.js';
import { authorize } from './authentication.js';
import { receivedForm } from './body.js';
import { resolveMiddlewares } from './middlewares.js';
import { checkStrategy } from '../services/auth.js';
import { errors } from '../utilities/errors.js';
import { createPolicyContext, createPolicyUtilities, uidIn, type Origin } from '../utilities/policy.js';
import { isAbsent } from '../../config/record.js';

/** The dependencies of every route. */
export interface EndpointParts {
  readonly strapi: Strapi;
  readonly authenticate: Middleware;
  /** Reads the body of a request whose caller may use the route. */
  readonly receiveBody: Middleware;
  /** The guards of the project's extension. */
  readonly guard: Guard;
  readonly load: (file: string) => unknown;
  /** Clients see which errors are those of policies. */
  readonly showsPolicies: boolean;
}

/** The middleware of a route or of an action that comes before the body is read. */
export const BEFORE_BODY = Symbol('before the body');

/** A route or an action that has one. */
type Guarded = { readonly [BEFORE_BODY]?: Middleware };

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'ALL'] as const;

/** Sets the matched route for project code. */
const noteRoute =
  (route: Named): Middleware =>
  (context, next) => {
    context.state['route'] = { ...route, config: route['config'] ?? {} };
    return next();
  };

/** The return value of a handler is the body, unless it set one. */
const answerWithResult: Middleware = async (context, next) => {
  const result: unknown = await next();
  if (isAbsent(context.body) && !isAbsent(result)) context.body = result;
};

/** The action of a handler in an API or plugin: `course.find` and its whole name are the same. */
export const actionIn = (namespace: string, handler: string): string =>
  handler.startsWith(`${namespace}.`) ? handler : `${namespace}.${handler}`;

/** The action of a route: of its handler, otherwise its permission. */
export function actionOf({ handler, info, config }: Named): string {
  const uid = typeof handler === 'string' ? uidIn((info ?? {}) as Origin, handler.trim()) : undefined;
  if (uid === undefined) return String([config?.auth?.scope].flat()[0]);
  return handler.includes('::') ? handler.trim() : uid;
}

/**
 * Runs the guards of the project's extension before an action.
 * @param isCore whether the core's own action follows, which names entries by numbers
 */
const runGuards =
  (guard: Guard, action: string, isCore: () => boolean): Middleware =>
  async (context, next) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are those of the service's application
    const [request, response] = [context.req as Request, context.res as Response];
    const id = String((context['params'] as Named)['id'] ?? '');
    const { body } = context.request as Named;
    const form = receivedForm(context);
    const caller = callerIn(context.state);
    await guard({ action, request, response, caller, id, byNumber: isCore(), body, form });
    return next();
  };

/**
 * Adds a route to a router. Before its handler come, in this order, authentication, the required permission, what the
 * route and the handler do before the body is read, reading it, guards of the extension, policies, and middlewares.
 * @throws Error with the route and the cause
 */
export function addEndpoint(parts: EndpointParts, route: Named, router: Router): void {
  const { strapi, authenticate, receiveBody, guard, load, showsPolicies } = parts;
  const { method, path, config = {} } = route;
  try {
    checkRoute(route);
    const origin = route['info'] as Origin;
    const middlewares = resolveMiddlewares(strapi, config.middlewares ?? [], load).map(({ run }) => run);
    const actions = [findAction(strapi, route['handler'], origin)].flat();
    const handlers = [
      noteRoute(route),
      authenticate,
      authorize(showsPolicies),
      ...[route as Guarded, ...(actions as Guarded[])].flatMap((part) => part[BEFORE_BODY] ?? []),
      receiveBody,
      runGuards(guard, actionOf(route), () => isCoreHandler(strapi, route['handler'], origin)),
      runPolicies(strapi, config.policies ?? [], origin),
      ...middlewares,
      answerWithResult,
      ...(actions as Middleware[]),
    ];
    const name = String(method).trim().toLowerCase() as 'get' | 'all';
    router[name](String(path).trim(), compose(handlers) as Router.Middleware);
  } catch (error) {
    throw new Error(`Error creating endpoint ${method} ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

interface Resolved {
  readonly handler: (context: object, config: unknown, parts: { readonly strapi: Strapi }) => unknown;
  readonly config: unknown;
}

/**
 * Runs the policies of a route. Only `true` and undefined let a request pass.
 * @throws Error for an unknown policy
 */
function runPolicies(strapi: Strapi, policies: readonly unknown[], origin: Origin): Middleware {
  const all = createPolicyUtilities(strapi)['resolve'](policies, origin) as readonly Resolved[];
  return async (context: Context, next) => {
    const policyContext = createPolicyContext('koa', context);
    for (const { handler, config } of all) {
      const result = await handler(policyContext, config, { strapi });
      if (result !== true && result !== undefined) throw new errors.PolicyError();
    }
    return next();
  };
}

function checkRoute({ method, path, handler, config }: Named): void {
  if (!methods.includes(String(method).trim().toUpperCase() as 'GET'))
    throw new Error(`method must be one of ${methods.join(', ')}`);
  if (typeof path !== 'string') throw new Error('path must be a string');
  if (typeof handler !== 'string' && typeof handler !== 'function' && !Array.isArray(handler)) {
    throw new Error('handler must be a name, a function or a list of these');
  }
  const auth = config?.auth as unknown;
  if (auth === undefined || auth === false) return;
  const { scope, strategies } = (auth ?? {}) as Named;
  if (scope !== undefined && !Array.isArray(scope)) throw new Error('config.auth.scope must be a list');
  if (strategies !== undefined && !Array.isArray(strategies)) throw new Error('config.auth.strategies must be a list');
  for (const strategy of (strategies ?? []) as unknown[]) if (typeof strategy !== 'string') checkStrategy(strategy);
  if (auth === null || typeof auth !== 'object') throw new Error('config.auth must be false or { scope }');
}

/** The functions of a handler: `course.find`, `api::course.course.find`, a function, or a list of these. */
function findAction(strapi: Strapi, handler: unknown, origin: Origin): readonly Action[] {
  if (typeof handler === 'function') return [handler as Action];
  if (Array.isArray(handler)) return handler.flatMap((candidate: unknown) => findAction(strapi, candidate, origin));
  const { name, owner, method } = partsOf(handler);
  const controller = strapi.controller(uidIn(origin, owner) ?? owner) ?? strapi.controller(owner);
  const action = controller?.[method];
  if (typeof action !== 'function') throw new Error(`Handler not found "${name}"`);
  const model = modelOf(strapi, owner, origin);
  const isWrite = ['create', 'update', 'delete'].includes(method);
  const call: Action = (context: Context, next) => {
    // Handlers with other names see the headers themselves.
    if (model !== undefined && isWrite && !isCore(strapi, model, method)) refuseConditions(context);
    return action.call(controller, context, next);
  };
  return [Object.assign(call, { [BEFORE_BODY]: (action as Guarded)[BEFORE_BODY] })];
}

/** `course.find`: the controller and its method. */
function partsOf(handler: unknown): { readonly name: string; readonly owner: string; readonly method: string } {
  const name = String(handler).trim();
  const dot = name.lastIndexOf('.');
  return { name, owner: name.slice(0, dot), method: name.slice(dot + 1) };
}

const modelOf = (strapi: Strapi, owner: string, { apiName }: Origin): Model | undefined =>
  strapi.contentTypes[owner.includes('::') ? owner : `api::${apiName}.${owner}`];

/** Whether a route is answered by the core's own action on a content type. */
function isCoreHandler(strapi: Strapi, handler: unknown, origin: Origin): boolean {
  if (typeof handler !== 'string') return false;
  const { owner, method } = partsOf(handler);
  const model = modelOf(strapi, owner, origin);
  return model !== undefined && isCore(strapi, model, method);
}

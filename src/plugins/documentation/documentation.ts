import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import lodash from 'lodash';
import type { BuiltInContext, BuiltInFactory } from '../contract/built-in.js';
import { isLocalDevelopment, schemaActions } from '../contract/developer.js';
import { strictProxy } from '../contract/strict-proxy.js';
import { AppError } from '../../errors/app-error.js';
import { viewOfRole } from '../contract/access/role-view.js';
import { guide, showGuide } from './guide.js';
import { page, serveSwaggerUi } from './swagger-ui.js';

/** Loads the code of the description with the first request, so that it does not slow down the start. */
async function describe(
  { registry, limits, http, settings }: BuiltInContext,
  view: Partial<ReturnType<typeof viewOfRole>> = {},
): Promise<object> {
  const { describeApi } = await import('./describe-api.js');
  const hasChanges = settings.events.record;
  return describeApi({ registry, limits, ...http.reachable(), hasChanges, prefix: settings.prefix, ...view });
}

/**
 * The OpenAPI description of the REST API, and in development, on this machine, Swagger UI to read and try it and the
 * pages of the documentation.
 */
export const createDocumentation: BuiltInFactory = () => {
  const overrides: object[] = [];
  return {
    name: 'documentation',
    pages: [page, guide],
    mounts: (context) => [{ path: '/documentation', handler: createHandler(context, overrides) }],
    services: {
      /** Lets project code extend the description. */
      override: strictProxy('override', { registerOverride: (override: object) => void overrides.push(override) }),
    },
  };
};

function createHandler(context: BuiltInContext, overrides: readonly object[]): RequestHandler {
  const describeAll = lodash.once(async () => JSON.stringify(lodash.merge(await describe(context), ...overrides)));
  /** The description of what a role may do, for local developers and for callers who may read all schemas. */
  const describeRole = async (request: Request, response: ServerResponse, role: string): Promise<string> => {
    const { auth, registry } = context;
    const { may } = isShownTo(request) ? { may: () => true } : await auth.authenticate(request, response);
    if (!schemaActions.every(may)) throw new AppError('forbidden');
    return JSON.stringify(await describe(context, viewOfRole(registry, auth.declared, role)));
  };
  const isShownTo = (request: Request): boolean => isLocalDevelopment(context.settings.environment, request);
  return (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return next();
    if (request.path === '/openapi.json') {
      const role = new URL(request.url, 'http://localhost').searchParams.get('role');
      if (role !== null) response.setHeader('Cache-Control', 'no-store');
      const description = role === null ? describeAll() : describeRole(request, response, role);
      return void description.then((text) => response.type('json').send(text), next);
    }
    if (!isShownTo(request)) return next();
    return serveSwaggerUi(request, response, () => showGuide(request, response, next));
  };
}

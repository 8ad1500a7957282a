import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type Lodash from 'lodash';
import { lazyRequire } from '../../config/lazy-require.js';
import { isLocalDevelopment, schemaActions } from '../contract/developer.js';
import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { strictProxy } from '../contract/strict-proxy.js';
import { AppError } from '../../errors/app-error.js';
import { viewOfRole } from '../contract/access/role-view.js';
import { describeApi } from './describe-api.js';
import { guide, showGuide } from './guide.js';
import { page, serveSwaggerUi } from './swagger-ui.js';

const lodash = lazyRequire<typeof Lodash>('lodash');

const describedBy = ({ registry, limits, http, settings }: PluginContext) => ({
  registry,
  limits,
  ...http.reachable(),
  hasChanges: settings.events.record,
  prefix: settings.prefix,
});

/**
 * The OpenAPI description of the REST API, and in development, on this machine, Swagger UI to read and try it and the
 * pages of the documentation.
 */
export const createDocumentation: PluginFactory = () => {
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

function createHandler(context: PluginContext, overrides: readonly object[]): RequestHandler {
  // Created for the first request, so that it does not slow down the start.
  let text: string | undefined;
  /** The description of what a role may do, for local developers and for callers who may read all schemas. */
  const describeRole = async (request: Request, response: ServerResponse, role: string): Promise<object> => {
    const { auth, registry } = context;
    const { may } = isShownTo(request) ? { may: () => true } : await auth.authenticate(request, response);
    if (!schemaActions.every(may)) throw new AppError('forbidden');
    return describeApi({ ...describedBy(context), ...viewOfRole(registry, auth.declared, role) });
  };
  const isShownTo = (request: Request): boolean => isLocalDevelopment(context.settings.environment, request);
  return (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return next();
    if (request.path === '/openapi.json') {
      const role = new URL(request.url, 'http://localhost').searchParams.get('role');
      if (role !== null) {
        response.setHeader('Cache-Control', 'no-store');
        return void describeRole(request, response, role).then((described) => response.json(described), next);
      }
      text ??= JSON.stringify(lodash().merge(describeApi(describedBy(context)), ...overrides));
      return void response.type('json').send(text);
    }
    if (!isShownTo(request)) return next();
    return serveSwaggerUi(request, response, () => showGuide(request, response, next));
  };
}

import type { RequestHandler } from 'express';
import lodash from 'lodash';
import { isLocalRequest } from '../../documents/request-context.js';
import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { strictProxy } from '../contract/strict-proxy.js';
import { describeApi } from './describe-api.js';
import { page, serveSwaggerUi } from './swagger-ui.js';

const describedBy = ({ registry, limits, http: { routes }, settings }: PluginContext) => ({
  registry,
  limits,
  routes,
  hasChanges: settings.events.record,
});

/** The OpenAPI description of the REST API, and in development, on this machine, Swagger UI to read and try it. */
export const createDocumentation: PluginFactory = () => {
  let context: PluginContext;
  // Created for the first request, so that it does not slow down the start.
  let text: string | undefined;
  const overrides: object[] = [];
  const handler: RequestHandler = (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && request.path === '/openapi.json') {
      text ??= JSON.stringify(lodash.merge(describeApi(describedBy(context)), ...overrides));
      return void response.type('json').send(text);
    }
    const isShown = context.settings.environment === 'development' && isLocalRequest(request);
    return isShown ? serveSwaggerUi(request, response, next) : next();
  };
  return {
    name: 'documentation',
    pages: [page],
    mounts: [{ path: '/documentation', handler }],
    services: {
      /** Lets project code extend the description. */
      override: strictProxy('override', { registerOverride: (override: object) => void overrides.push(override) }),
    },
    start: async (started) => {
      context = started;
    },
  };
};

import lodash from 'lodash';
import type { BuiltInContext, BuiltInFactory } from '../contract/built-in.js';
import type { ContentApi } from '../contract/content-api.js';
import { isLocalDevelopment, schemaActions } from '../contract/developer.js';
import type { Request, RequestHandler, Response } from '../contract/http/messages.js';
import { strictProxy } from '../contract/strict-proxy.js';
import { AppError } from '../../errors/app-error.js';
import { viewOfRole } from '../contract/access/role-view.js';
import { guide, showGuide } from './guide.js';
import { page, serveSwaggerUi } from './swagger-ui.js';

/**
 * Loads the code of the description with the first request, so that it does not slow down the start.
 * @param api another form of the API; undefined: that of Strapi v4
 */
async function describe(
  context: BuiltInContext,
  api: ContentApi | undefined,
  view: ReturnType<typeof viewOfRole> = { registry: context.registry, may: () => true },
): Promise<object | undefined> {
  const { describeForm, describeStrapiV4 } = await import('./describe-apis.js');
  return api === undefined ? describeStrapiV4(context, view) : describeForm(api, context, view);
}

/**
 * The OpenAPI description of the REST API in each of its forms, and in development, on this machine, Swagger UI to read
 * and try it and the pages of the documentation.
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
  const describeAll = lodash.memoize(async (api: ContentApi | undefined) => {
    const description = await describe(context, api);
    return JSON.stringify(api === undefined ? lodash.merge(description, ...overrides) : description);
  });
  /** The description of what a role may do, for local developers and for callers who may read all schemas. */
  const describeRole = async (
    api: ContentApi | undefined,
    request: Request,
    response: Response,
    role: string,
  ): Promise<string> => {
    const { auth, registry } = context;
    const { may } = isShownTo(request) ? { may: () => true } : await auth.authenticate(request, response);
    if (!schemaActions.every(may)) throw new AppError('forbidden');
    return JSON.stringify(await describe(context, api, viewOfRole(registry, auth.declared, role)));
  };
  const isShownTo = (request: Request): boolean => isLocalDevelopment(context.settings.environment, request);
  return (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return next();
    const api = context.http.contentApis().find(({ prefix }) => request.path === `${prefix}/openapi.json`);
    if (request.path === '/openapi.json' || api?.description !== undefined) {
      const role = new URL(request.url, 'http://localhost').searchParams.get('role');
      if (role !== null) response.setHeader('Cache-Control', 'no-store');
      const description = role === null ? describeAll(api) : describeRole(api, request, response, role);
      return void description.then((text) => response.type('json').send(text), next);
    }
    if (!isShownTo(request)) return next();
    return serveSwaggerUi(request, response, () => showGuide(request, response, next));
  };
}

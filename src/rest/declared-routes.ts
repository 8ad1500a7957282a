import express, { type RequestHandler, type Response } from 'express';
import { groupBy } from '../config/group-by.js';
import { createRequestContext } from '../documents/request-context.js';
import type { BodyReader, ReceivedForm } from '../plugins/contract/forms.js';
import type { Reply, Route } from '../plugins/contract/plugin.js';
import type { Admit } from './admit.js';
import { setCaching } from './middleware/edge.js';
import { queryOf, readerOf, type Guard } from './requests.js';
import { sendSerialized } from './response/send.js';
import { serializeJson } from './response/serialize.js';
import { matchFirstSegments, refuseRequest, tellMethods } from './routes.js';

interface DeclaredRoutesOptions {
  readonly routes: readonly Route[];
  readonly prefix: string;
  readonly admit: Admit;
  readonly guard: Guard;
  readonly bodyReaders: readonly BodyReader[];
  readonly responseLimit: number;
  readonly cacheControl: string | undefined;
}

/** The routes of plugins and the project, and the refusals of other methods on their paths, which content types may have. */
export function mountRoutes(options: DeclaredRoutesOptions): {
  readonly routes: RequestHandler;
  readonly refusals: RequestHandler;
} {
  const { prefix } = options;
  const routes = express.Router();
  const refusals = express.Router();
  for (const route of options.routes) {
    routes[lowerCase[route.method]](prefix + route.path, handleRoute(route, options));
  }
  for (const [path, sameRoutes] of groupBy(options.routes, ({ path }) => path)) {
    const methods = sameRoutes.map(({ method }) => method);
    routes.options(prefix + path, (_request, response) => tellMethods(methods, response));
    refusals.all(prefix + path, refuseRequest(methods));
  }
  const isRoute = matchFirstSegments(
    prefix,
    options.routes.map(({ path }) => path),
  );
  return {
    routes: (request, response, next) => (isRoute(request.path) ? routes(request, response, next) : next()),
    refusals,
  };
}

const lowerCase = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

const handleRoute =
  (route: Route, { responseLimit, guard, bodyReaders, admit, cacheControl }: DeclaredRoutesOptions): RequestHandler =>
  (request, response) => {
    const { action, caching, handle } = route;
    setCaching(caching, request, response, cacheControl);
    return admit(request, response, route, async ({ caller, forgive }) => {
      const { id = '' } = request.params as { readonly id?: string };
      const reader = route.takesFiles === true ? readerOf(bodyReaders, request) : undefined;
      const run = async (form: ReceivedForm | undefined): Promise<void> => {
        if (action !== undefined) await guard({ action, request, response, caller, id, body: request.body, form });
        const reply = await handle({
          ...createRequestContext(caller, response),
          params: request.params as Record<string, string>,
          query: queryOf(request),
          body: request.body as unknown,
          files: (request as { files?: unknown }).files,
          form,
          attachFiles: reader?.attachFiles,
          message: request,
          address: request.ip ?? '',
          forgive,
        });
        await sendReply(response, reply, responseLimit);
      };
      await (reader === undefined ? run(undefined) : reader.read(request, run));
    });
  };

async function sendReply(response: Response, reply: Reply, responseLimit: number): Promise<void> {
  const { body, headers = {}, status, text, cacheTags } = reply;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (text !== undefined)
    response
      .status(status ?? 200)
      .type('text/plain')
      .send(text);
  else if (body === undefined) response.status(status ?? 204).end();
  else await sendSerialized(response, { body: serializeJson(body, responseLimit), cacheTags }, status);
}

import type { RequestListener } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Registry } from '../content-types/types.js';
import { withRecipient } from '../documents/caller.js';
import { AppError } from '../errors/app-error.js';
import type { Meter } from '../mongo/meter.js';
import type { ErrorLog } from '../errors/error-log.js';
import type { Mount, Route } from '../plugins/plugin.js';
import { createController, type RestAction, type RestContext } from './controller.js';
import type { Admission } from './edge/admission.js';
import { addEdge, type EdgeOptions } from './edge/edge.js';
import { refuseWhenFull, type WatchRoute } from './edge/refuse-when-full.js';
import { describeRoutes } from './describe-routes.js';
import { respondToErrors } from './error-response.js';
import type { Guard } from './guard.js';
import { authorise, queryOf, type Authenticate } from './requests.js';
import { messagesOf, type Messages } from './messages.js';
import { resourcesOf, type Methods, type Resource } from './resources.js';
import { send } from './send.js';
import { tellCost } from './tell-cost.js';

export interface RestOptions extends RestContext, Omit<EdgeOptions, 'watch'> {
  readonly registry: Registry;
  readonly authenticate: Authenticate;
  /** Of plugins and the owner; they come before those of the content types. */
  readonly routes: readonly Route[];
  /** What is served outside of `/api`. */
  readonly mounts: readonly Mount[];
  /** What an owner put before the routes of content types. */
  readonly guard: Guard;
  /** Counts what each answer costs, to tell it; undefined: nobody is told. */
  readonly meter: Meter | undefined;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  readonly log: ErrorLog;
  /** For requests whose bodies have files: slow ones keep nobody else waiting. */
  readonly formAdmission: Admission;
  /** Told of each answer, by the template of its route. */
  readonly watch: WatchRoute | undefined;
}

/** What the caller must be allowed for an action. */
const rights: Readonly<Record<RestAction, string>> = {
  find: 'find',
  findOne: 'findOne',
  create: 'create',
  update: 'update',
  delete: 'delete',
  findSingle: 'find',
  updateSingle: 'update',
  deleteSingle: 'delete',
};

/** What a server listens with. */
export interface RestApp {
  readonly handler: RequestListener;
  readonly messages: Messages;
}

/** The REST API below `/api`: one route for all content types, so that their number costs nothing. */
export function createRestApp(options: RestOptions): RestApp {
  const { authenticate, bodyLimit, log, watch } = options;
  const resources = resourcesOf(options.registry);
  const controller = createController(options);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', options.http.etag && 'weak');
  app.set('trust proxy', options.http.trustedProxies);
  app.set('query parser', false);
  const templateOf = describeRoutes(resources, options.mounts);
  addEdge(app, {
    ...options,
    watch: watch && ((request, response, time) => watch(request, response, templateOf(request), time)),
  });
  if (options.meter !== undefined) app.use(tellCost(options.meter));
  const bodies = [
    express.json({ limit: bodyLimit, strict: false }),
    express.urlencoded({ limit: bodyLimit, extended: true }),
  ];
  const handle =
    (methodsOf: (resource: Resource) => Methods | undefined): RequestHandler =>
    async (request, response) => {
      const { name, id = '' } = request.params as { name: string; id?: string };
      const resource = resources.get(name.toLowerCase());
      const methods = resource && methodsOf(resource);
      if (resource === undefined || methods === undefined) throw new AppError('notFound');
      const action = methods[request.method === 'HEAD' ? 'GET' : request.method];
      if (action === undefined) {
        setAllow(Object.keys(methods), response);
        if (request.method !== 'OPTIONS') throw new AppError('methodNotAllowed');
        response.status(204).end();
        return;
      }
      await admit(request, response, async () => {
        const caller = withRecipient(await authenticate(request.headers), response);
        const right = `${resource.type.uid}.${rights[action]}`;
        authorise(caller, right);
        await options.guard({ action: right, request, response, caller, id });
        await controller[action]({ type: resource.type, request, response, caller, id });
      });
    };
  const admit: Admit = (request, response, work) => {
    const hasFiles = request.headers['content-type']?.startsWith('multipart/') === true;
    return (hasFiles ? options.formAdmission : options.admission).run(response, work);
  };
  for (const { path, handler } of options.mounts) app.use(path, handler);
  for (const route of options.routes) {
    const path = `/api${route.path}`;
    app[lowerCase[route.method]](path, ...(route.before ?? bodies), handleRoute(route, authenticate, admit));
  }
  // As recorded, other methods are not found there.
  for (const [path, methods] of methodsByPath(options.routes)) {
    app.options(`/api${path}`, (_request, response) => tellMethods(methods, response));
  }
  app.all(
    '/api/:name',
    ...bodies,
    handle(({ actions }) => actions),
  );
  app.all(
    '/api/:name/:id',
    ...bodies,
    handle(({ entry }) => entry),
  );
  app.use(() => {
    throw new AppError('notFound');
  });
  app.use(respondToErrors(log));
  return { handler: refuseWhenFull(app, options), messages: messagesOf(app) };
}

const lowerCase = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

const handleRoute =
  ({ action, handle }: Route, authenticate: Authenticate, admit: Admit): RequestHandler =>
  (request, response) =>
    admit(request, response, async () => {
      const caller = withRecipient(await authenticate(request.headers), response);
      authorise(caller, action);
      const {
        body,
        headers = {},
        status,
        text,
      } = await handle({
        caller,
        params: request.params as Record<string, string>,
        query: queryOf(request),
        body: request.body as unknown,
        files: (request as { files?: unknown }).files,
        message: request,
        address: request.ip ?? '',
      });
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (text !== undefined)
        response
          .status(status ?? 200)
          .type('text/plain')
          .send(text);
      else if (body === undefined) response.status(status ?? 204).end();
      else send(response, body, status);
    });

/** Does a request's work when it is its turn. @throws AppError overloaded */
type Admit = (request: Request, response: Response, work: () => Promise<void>) => Promise<void>;

/** Answers who asks what a path allows. */
function tellMethods(methods: readonly string[], response: Response): void {
  setAllow(methods, response);
  response.status(204).end();
}

const setAllow = (methods: readonly string[], response: Response): unknown =>
  response.setHeader('Allow', [...(methods.includes('GET') ? ['HEAD'] : []), ...methods].join(', '));

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method]);
  return methods;
}

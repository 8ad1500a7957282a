import type { RequestListener } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { ContentType, Registry } from '../content-types/model/types.js';
import { createRequestContext } from '../documents/request-context.js';
import { AppError } from '../errors/app-error.js';
import type { Logger } from '../errors/logger.js';
import type { QueryCosts } from '../mongo/observe/query-cost.js';
import type { Mount, Route } from '../plugins/contract/plugin.js';
import { hintsOf } from '../query/hints.js';
import type { Feeds } from '../documents/changes/feeds.js';
import { asUtf8 } from '../plugins/contract/http/utf8-bodies.js';
import { jsonTypes } from './json-types.js';
import { createChangesHandler } from './changes.js';
import { createBatchHandler } from './batch/batch-handler.js';
import type { OfferedAction, Offers, RestContext } from './action.js';
import { createController, type RestAction } from './controller.js';
import type { Admission } from './middleware/admission.js';
import { idOf, setCaching, sendQueryCost } from './middleware/headers.js';
import { addEdge, type EdgeOptions, shedLoad, type WatchRoute } from './middleware/edge.js';
import { templateOfRoute, matchFirstSegments, methodsByPath, refuseRequest, setAllow, tellMethods } from './routes.js';
import { respondToErrors } from './response/error-response.js';
import { authorise, canonicalUrl, isRead, queryOf, type Authenticate, type Guard } from './requests.js';
import { expressPrototypes, type Messages } from './express-prototypes.js';
import { findResource, resourcesOf, type Methods, type Resource } from './routes.js';
import { send } from './response/send.js';
import { limitSlowReaders } from './middleware/slow-readers.js';

export interface RestOptions extends RestContext, Omit<EdgeOptions, 'watch'> {
  readonly registry: Registry;
  readonly authenticate: Authenticate;
  /** The path of the API, `/api`. */
  readonly prefix: string;
  /** Routes of plugins and the project, which precede those of the content types. */
  readonly routes: readonly Route[];
  /** Routes outside of the API. */
  readonly mounts: readonly Mount[];
  /** The guards of the project before actions. */
  readonly guard: Guard;
  /** Which lists are counted, and which entries have schedules. */
  readonly offers: Offers;
  /** The change feeds; undefined: there are none. */
  readonly feeds: Feeds | undefined;
  /** Measures the cost of each response for a header; undefined: no header. */
  readonly costs: QueryCosts | undefined;
  /** Routes of project code, before all others; passes on other requests. */
  readonly code?: RequestHandler | undefined;
  /** The actions that the routes of project code leave to the service for this request; undefined: there are no such routes. */
  readonly plainActions?: ((request: Request) => readonly string[] | undefined) | undefined;
  /** The maximum number of operations of a batch. */
  readonly batchLimit: number;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** For requests with files: slow ones do not block others. */
  readonly formAdmission: Admission;
  /** Called for each response, with its route template. */
  readonly watch: WatchRoute | undefined;
}

const CHANGES = 'changes';
const BATCH = 'batch';
const SLOW_READER_MS = { timeout: 60_000, timeoutWhenCrowded: 5000 };

/** The permission that an action requires. */
const rights: Readonly<Record<RestAction, string>> = {
  find: 'find',
  findOne: 'findOne',
  create: 'create',
  update: 'update',
  delete: 'delete',
  findSingle: 'find',
  updateSingle: 'update',
  deleteSingle: 'delete',
  count: 'find',
  findByKey: 'findOne',
  writeByKey: 'update',
  deleteByKey: 'delete',
  findSchedule: 'update',
  findSchedules: 'update',
  setSchedule: 'update',
  cancelSchedule: 'update',
};

const scheduling: Methods = { GET: 'findSchedule', POST: 'setSchedule', DELETE: 'cancelSchedule' };

/** The methods on an entry by a key, and the actions of Strapi v4 that they do in another way. */
const keyMethods = [
  ['GET', 'findByKey', 'findOne'],
  ['PUT', 'writeByKey', 'update'],
  ['DELETE', 'deleteByKey', 'delete'],
] as const satisfies readonly (readonly [method: string, RestAction, OfferedAction])[];

/** Those that the project leaves to the service; undefined if there are none. */
function keyMethodsOf(type: ContentType, offersByKey: Offers): Methods | undefined {
  const offered = keyMethods.filter(([, , action]) => offersByKey(type, action));
  return offered.length === 0 ? undefined : Object.fromEntries(offered);
}

/** The handler of the HTTP server. */
export interface RestApp {
  readonly handler: RequestListener;
  readonly messages: Messages;
  /** Makes each response close its connection from now on. */
  closeConnections(): void;
}

/** The REST API: one route for all content types, so that their number costs nothing. */
export function createRestApp(options: RestOptions): RestApp {
  const { authenticate, bodyLimit, log, prefix, watch } = options;
  const { cacheControl } = options.http;
  const resources = resourcesOf(options.registry);
  const controller = createController(options);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', options.http.etag && 'weak');
  app.set('trust proxy', options.http.trustedProxies);
  app.set('query parser', false);
  const templateOf = templateOfRoute(resources, options);
  addEdge(app, {
    ...options,
    watch: watch && ((request, response, time) => watch(request, response, templateOf(request, response), time)),
  });
  if (options.costs !== undefined) app.use(sendQueryCost(options.costs));
  const bodies = [
    express.json({ limit: bodyLimit, strict: false, type: jsonTypes }),
    express.urlencoded({ limit: bodyLimit, extended: true }),
  ].map(asUtf8);
  const handle =
    (methodsOf: (resource: Resource, request: Request) => Methods | undefined): RequestHandler =>
    async (request, response, next) => {
      const { name, id = '' } = request.params as { name: string; id?: string };
      const resource = findResource(resources, name);
      const methods = resource && methodsOf(resource, request);
      if (request.method === 'OPTIONS') return tellMethods(Object.keys(methods ?? {}), response);
      if (resource === undefined || methods === undefined) {
        next();
        return;
      }
      const action = methods[request.method === 'HEAD' ? 'GET' : request.method];
      if (action === undefined) {
        if (isRead(request)) return next();
        setAllow(Object.keys(methods), response);
        throw new AppError('methodNotAllowed');
      }
      setCaching('public', request, response, resource.type.cacheControl ?? cacheControl);
      await admit(request, response, async () => {
        const caller = await authenticate(request, response);
        const right = `${resource.type.uid}.${rights[action]}`;
        authorise(caller, right, response);
        if (options.development) logHints(request, response, resource.type, log);
        await options.guard({ action: right, request, response, caller, id });
        // One literal, because V8 takes 6 µs for a spread with further properties.
        const { signal, bytesRead } = createRequestContext(caller, response);
        await controller[action]({ caller, signal, bytesRead, type: resource.type, request, response, id });
      });
    };
  /** Methods of Strapi v4, without those that project code replaces or removed. */
  const plainMethods = (methods: Methods, { type }: Resource, request: Request): Methods | undefined => {
    const actions = options.plainActions?.(request);
    if (actions === undefined) return methods;
    const left = Object.entries(methods).filter(
      ([, action]) => action !== undefined && actions.includes(`${type.uid}.${rights[action]}`),
    );
    return left.length === 0 ? undefined : Object.fromEntries(left);
  };
  const admit: Admit = (request, response, work) => {
    const hasFiles = request.headers['content-type']?.startsWith('multipart/') === true;
    return (hasFiles ? options.formAdmission : options.admission).run(response, work);
  };
  if (options.code !== undefined) app.use(options.code);
  for (const { path, handler } of options.mounts) app.use(path, handler);
  const routes = express.Router();
  const refusals = express.Router();
  for (const route of options.routes) {
    const handler = handleRoute(route, { ...options, admit, cacheControl });
    routes[lowerCase[route.method]](prefix + route.path, ...(route.before ?? bodies), handler);
  }
  for (const [path, methods] of methodsByPath(options.routes)) {
    routes.options(prefix + path, (_request, response) => tellMethods(methods, response));
    refusals.all(prefix + path, refuseRequest(methods));
  }
  const isRoute = matchFirstSegments(
    prefix,
    options.routes.map(({ path }) => path),
  );
  app.use((request, response, next) => (isRoute(request.path) ? routes(request, response, next) : next()));
  // A content type of this name keeps its path.
  if (options.feeds !== undefined && !resources.has(CHANGES)) {
    app.get(`${prefix}/${CHANGES}`, createChangesHandler({ ...options, feeds: options.feeds }));
  }
  if (!resources.has(BATCH)) app.post(`${prefix}/${BATCH}`, ...bodies, createBatchHandler({ ...options, resources }));
  app.all(
    `${prefix}/:name`,
    ...bodies,
    handle((resource, request) => plainMethods(resource.actions, resource, request)),
  );
  app.get(
    `${prefix}/:name/count`,
    ...bodies,
    handle(({ type, entry }) => (entry && options.offers(type, 'find') ? { GET: 'count' } : undefined)),
  );
  /** Types whose writes the project handles have no schedules. */
  const schedules =
    (methods: Methods) =>
    ({ type, entry }: Resource): Methods | undefined =>
      entry && type.draftAndPublish && options.offers(type, 'update') ? methods : undefined;
  app.get(`${prefix}/:name/schedules`, ...bodies, handle(schedules({ GET: 'findSchedules' })));
  app.all(
    `${prefix}/:name/by/:attribute/:value`,
    ...bodies,
    handle(({ type, entry }) => entry && keyMethodsOf(type, options.offersByKey)),
  );
  app.all(
    `${prefix}/:name/:id`,
    ...bodies,
    handle((resource, request) => resource.entry && plainMethods(resource.entry, resource, request)),
  );
  app.all(`${prefix}/:name/:id/schedule`, ...bodies, handle(schedules(scheduling)));
  app.use(refusals);
  app.use(refuseRequest([]));
  app.use(respondToErrors(log));
  const listener = shedLoad(app, options);
  let closing = false;
  return {
    handler: (request, response) => {
      request.url = canonicalUrl(request.url ?? '');
      listener(request, response);
    },
    messages: expressPrototypes(app, {
      isClosing: () => closing,
      onBacklog: limitSlowReaders({ ...SLOW_READER_MS, isCrowded: () => options.admission.waiting > 0 }),
    }),
    closeConnections: () => {
      closing = true;
      options.feeds?.close();
    },
  };
}

const lowerCase = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

/** Names the parameters of a query that have no effect because of a wrong name, or are refused. @throws AppError tooCostly */
function logHints(request: Request, response: Response, type: ContentType, log: Pick<Logger, 'info'>): void {
  const hints = hintsOf(queryOf(request), type);
  if (hints.length > 0)
    log.info({ id: idOf(response) }, `${request.method} ${request.path}: unknown ${hints.join(' ')}`);
}

/** Sends the result of a route of a plugin or project. */
interface Answering extends Pick<RestOptions, 'authenticate' | 'responseLimit' | 'guard'> {
  readonly admit: Admit;
  readonly cacheControl: string | undefined;
}

const handleRoute =
  (
    { action, caching, handle }: Route,
    { authenticate, responseLimit, guard, admit, cacheControl }: Answering,
  ): RequestHandler =>
  (request, response) =>
    admit(request, response, async () => {
      setCaching(caching, request, response, cacheControl);
      const caller = await authenticate(request, response);
      authorise(caller, action, response);
      const { id = '' } = request.params as { readonly id?: string };
      if (action !== undefined) await guard({ action, request, response, caller, id });
      const {
        body,
        headers = {},
        status,
        text,
      } = await handle({
        ...createRequestContext(caller, response),
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
      else await send(response, body, responseLimit, status);
    });

/** Runs a request's task when a slot is free. @throws AppError overloaded */
type Admit = (request: Request, response: Response, work: () => Promise<void>) => Promise<void>;

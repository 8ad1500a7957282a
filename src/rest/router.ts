import type { RequestListener } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { ContentType, Registry } from '../content-types/model/types.js';
import { createRequestContext } from '../documents/request-context.js';
import { AppError } from '../errors/app-error.js';
import type { Logger } from '../errors/logger.js';
import type { QueryCosts } from '../mongo/observe/query-cost.js';
import {
  isCoreAction,
  isFor,
  type ContentTypeRoute,
  type ContentTypeRouteName,
  type HasRoute,
} from '../plugins/contract/content-type-routes.js';
import type { Mount, Route, RouteRequest } from '../plugins/contract/plugin.js';
import { hintsOf } from '../query/hints.js';
import type { Feeds } from '../documents/changes/feeds.js';
import { asUtf8, jsonTypes } from '../plugins/contract/bodies.js';
import { createChangesHandler } from './changes.js';
import { createBatchHandler } from './batch/batch-handler.js';
import type { RestContext, Handle } from './action.js';
import type { Admission } from './middleware/admission.js';
import { addEdge, type EdgeOptions, sendQueryCost, setCaching, shedLoad, type WatchRoute } from './middleware/edge.js';
import {
  findType,
  type NamedRoute,
  rowsByPath,
  typesByPath,
  templateOfRoute,
  matchFirstSegments,
  methodsByPath,
  refuseRequest,
  setAllow,
  tellMethods,
} from './routes.js';
import { respondToErrors } from './response/error-response.js';
import {
  authorise,
  canonicalUrl,
  idOf,
  isRead,
  queryOf,
  runMiddleware,
  type Authenticate,
  type Guard,
} from './requests.js';
import { expressPrototypes, type Messages } from './express-prototypes.js';
import { CACHE_TAGS, sendSerialized, type SentTags, type TagHeader } from './response/send.js';
import { serializeJson } from './response/serialize.js';
import { limitSlowReaders } from './middleware/slow-readers.js';
import { createReadActions } from './read-actions.js';
import { createScheduleActions } from './schedule-actions.js';
import { createWriteActions } from './write-actions.js';

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
  readonly hasRoute: HasRoute;
  /** The change feeds; undefined: there are none. */
  readonly feeds: Feeds | undefined;
  /** Aborted once connections are closed. */
  readonly closing: AbortController;
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
  /** The headers with the tags of responses; undefined: these have none. */
  readonly tagHeaders: readonly TagHeader[] | undefined;
  readonly purged: SentTags['purged'];
}

const CHANGES = 'changes';
const BATCH = 'batch';
const SLOW_READER_MS = { timeout: 60_000, timeoutWhenCrowded: 5000 };

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
  const types = typesByPath(options.registry);
  const controller = createController(options);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', options.http.etag && 'weak');
  const { tagHeaders, purged } = options;
  if (tagHeaders !== undefined) app.set(CACHE_TAGS, { headers: tagHeaders, cacheControl, purged } satisfies SentTags);
  app.set('trust proxy', options.http.trustedProxies);
  app.set('query parser', false);
  const templateOf = templateOfRoute(types, options);
  addEdge(app, {
    ...options,
    watch: watch && ((request, response, time) => watch(request, response, templateOf(request, response), time)),
  });
  if (options.costs !== undefined) app.use(sendQueryCost(options.costs));
  const bodies = [
    express.json({ limit: bodyLimit, strict: false, type: jsonTypes }),
    express.urlencoded({ limit: bodyLimit, extended: true }),
  ].map(asUtf8);
  const isOffered = (row: ContentTypeRoute, type: ContentType, request: Request): boolean => {
    if (!isFor(row, type)) return false;
    if (row.instead !== undefined || !isCoreAction(row.action)) return options.hasRoute(type, row);
    // Code of a project that replaces a route of Strapi v4, or removes it, leaves it to the service for some requests.
    return options.plainActions?.(request)?.includes(`${type.uid}.${row.action}`) !== false;
  };
  const handle =
    (rows: readonly NamedRoute[]): RequestHandler =>
    async (request, response, next) => {
      const { name, id = '' } = request.params as { name: string; id?: string };
      const type = findType(types, name);
      const offered = type === undefined ? [] : rows.filter((row) => isOffered(row, type, request));
      const methods = offered.map((row) => row.method);
      if (request.method === 'OPTIONS') return tellMethods(methods, response);
      if (type === undefined || offered.length === 0) return next();
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const route = offered.find((row) => row.method === method);
      if (route === undefined) {
        if (isRead(request)) return next();
        setAllow(methods, response);
        throw new AppError('methodNotAllowed');
      }
      setCaching('public', request, response, type.cacheControl ?? cacheControl);
      const action = `${type.uid}.${route.action}`;
      await admit(request, response, { action }, async ({ caller }) => {
        if (options.development) logHints(request, response, type, log);
        await options.guard({ action, request, response, caller, id });
        // One literal, because V8 takes 6 µs for a spread with further properties.
        const { signal, bytesRead } = createRequestContext(caller, response);
        await controller[route.name]({ caller, signal, bytesRead, type, request, response, id });
      });
    };
  const admit: Admit = async (request, response, { action, before, count }, work) => {
    const hasFiles = request.headers['content-type']?.startsWith('multipart/') === true;
    const admission = hasFiles ? options.formAdmission : options.admission;
    const permit = async (): Promise<Permitted> => {
      const caller = await authenticate(request, response);
      authorise(caller, action, response);
      return { caller, forgive: await count?.(request.ip ?? '') };
    };
    const parsers = before ?? (isRead(request) ? [] : bodies);
    if (parsers.length === 0) return admission.run(response, async () => work(await permit()));
    const permitted = await permit();
    for (const parse of parsers) await runMiddleware(parse, request, response);
    return admission.run(response, () => work(permitted));
  };
  if (options.code !== undefined) app.use(options.code);
  for (const { path, handler } of options.mounts) app.use(path, handler);
  const routes = express.Router();
  const refusals = express.Router();
  for (const route of options.routes) {
    const handler = handleRoute(route, { ...options, admit, cacheControl });
    routes[lowerCase[route.method]](prefix + route.path, handler);
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
  if (options.feeds !== undefined && !types.has(CHANGES)) {
    app.get(`${prefix}/${CHANGES}`, createChangesHandler({ ...options, feeds: options.feeds }));
  }
  if (!types.has(BATCH)) {
    const batch = createBatchHandler({ ...options, types });
    app.post(`${prefix}/${BATCH}`, (request, response) =>
      admit(request, response, { action: undefined }, ({ caller }) => batch(caller, request, response)),
    );
  }
  for (const [path, rows] of rowsByPath()) {
    // Other methods on a path that is only read reach the route of an entry.
    const method = rows.every((row) => row.method === 'GET') ? 'get' : 'all';
    app[method](`${prefix}/:name${path}`, handle(rows));
  }
  app.use(refusals);
  app.use(refuseRequest([]));
  app.use(respondToErrors(log));
  const listener = shedLoad(app, options);
  const { closing } = options;
  return {
    handler: (request, response) => {
      request.url = canonicalUrl(request.url ?? '');
      listener(request, response);
    },
    messages: expressPrototypes(app, {
      isClosing: () => closing.signal.aborted,
      onBacklog: limitSlowReaders({ ...SLOW_READER_MS, isCrowded: () => options.admission.waiting > 0 }),
    }),
    closeConnections: () => {
      closing.abort();
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

interface Answering extends Pick<RestOptions, 'responseLimit' | 'guard'> {
  readonly admit: Admit;
  readonly cacheControl: string | undefined;
}

/** Sends the result of a route of a plugin or project. */
const handleRoute =
  (route: Route, { responseLimit, guard, admit, cacheControl }: Answering): RequestHandler =>
  (request, response) => {
    const { action, caching, handle } = route;
    setCaching(caching, request, response, cacheControl);
    return admit(request, response, route, async ({ caller, forgive }) => {
      const { id = '' } = request.params as { readonly id?: string };
      if (action !== undefined) await guard({ action, request, response, caller, id });
      const {
        body,
        headers = {},
        status,
        text,
        cacheTags,
      } = await handle({
        ...createRequestContext(caller, response),
        params: request.params as Record<string, string>,
        query: queryOf(request),
        body: request.body as unknown,
        files: (request as { files?: unknown }).files,
        message: request,
        address: request.ip ?? '',
        forgive,
      });
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (text !== undefined)
        response
          .status(status ?? 200)
          .type('text/plain')
          .send(text);
      else if (body === undefined) response.status(status ?? 204).end();
      else await sendSerialized(response, { body: serializeJson(body, responseLimit), cacheTags }, status);
    });
  };

/** A caller who may send the request. */
type Permitted = Pick<RouteRequest, 'caller' | 'forgive'>;

/**
 * Runs a request's task when a slot is free. Its body is read once the caller may send it; the wait for it takes no slot.
 * @throws AppError unauthorized, forbidden, tooManyRequests, overloaded, and errors of bodies
 */
type Admit = (
  request: Request,
  response: Response,
  route: Pick<Route, 'action' | 'before' | 'count'>,
  work: (permitted: Permitted) => Promise<void>,
) => Promise<void>;

/** The actions on content types. */
const createController = (context: RestContext): Readonly<Record<ContentTypeRouteName, Handle>> => ({
  ...createReadActions(context),
  ...createWriteActions(context),
  ...createScheduleActions(context),
});

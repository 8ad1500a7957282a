import type { RequestListener } from 'node:http';
import express, { type Express, type RequestHandler, type Router } from 'express';
import type { ContentType, Registry } from '../content-types/model/types.js';
import type { Logger } from '../errors/logger.js';
import type { AwaitedPurges } from '../mongo/events/awaited-purges.js';
import type { QueryCosts } from '../mongo/observe/query-cost.js';
import type { ContentApi, Mount, Route } from '../plugins/contract/plugin.js';
import { plainForm } from '../plugins/contract/entry-form.js';
import type { Feeds } from '../documents/changes/feeds.js';
import type { IsThere } from './action.js';
import type { Authenticate } from '../plugins/contract/plugin-context.js';
import { createAdmit, type AdmitOptions } from './middleware/admission.js';
import { createChangesHandler } from './changes.js';
import { createBatchHandler } from './batch/batch-handler.js';
import { batchActions, batchTypes } from './batch/parse-batch.js';
import { addEdge, type EdgeOptions, sendQueryCost } from './middleware/edge.js';
import { limitSlowReaders } from './middleware/slow-readers.js';
import {
  type ContentTypeOptions,
  createFormHandler,
  createRestHandler,
  type RestFormOptions,
} from './content-type-requests.js';
import { mountRoutes, rowsByPath, typesByPath, templateOfRoute, refuseRequest } from './routes.js';
import { suggestPath } from './suggest-path.js';
import { respondToErrors, type DescribeCodeError } from './response/error-response.js';
import { createParseQueryString } from '../calls/query-string.js';
import { canonicalUrl } from './canonical-url.js';
import { expressPrototypes, type Messages } from './express-prototypes.js';
import { createAwaitPurges, notePurges } from './response/await-purges.js';
import { CACHE_TAGS, sendAnswer, type SentTags, type TagHeader } from './response/json-response.js';

/** The code of a project around all routes of the service, which answer what it leaves to them. */
export interface CodeLayer {
  readonly describeError: DescribeCodeError;
  /** @param routes can get a response of their own, whose body middlewares of the project see before it is sent */
  around(routes: RequestHandler): RequestHandler;
  /** Whether its middlewares run for every request, with `strapi::cors` among them. */
  readonly runsCors: () => boolean;
  /** Public files of the project, where no route answers; passes on other requests. */
  readonly files: RequestHandler;
}

export interface RestOptions
  extends
    AdmitOptions,
    Omit<EdgeOptions, 'templateOf' | 'runsCors'>,
    Omit<ContentTypeOptions, 'types' | 'cacheControl' | 'admit'>,
    RestFormOptions {
  readonly registry: Registry;
  /** The path of the API, `/api`. */
  readonly prefix: string;
  /** Whether the API in Strapi v4's form is there. */
  readonly isOffered: boolean;
  /** Routes of plugins and the project, which precede those of the content types. */
  readonly routes: readonly Route[];
  /** Those of the project among them. */
  readonly ownRoutes: ReadonlySet<Route>;
  readonly isThere: IsThere;
  /** The API in other forms. */
  readonly contentApis: readonly ContentApi[];
  /** Routes outside of the API. */
  readonly mounts: readonly Mount[];
  /** The change feeds; undefined: there are none. */
  readonly feeds: Feeds | undefined;
  /** Aborted once connections are closed. */
  readonly closing: AbortController;
  /** Measures the cost of each response for a header; undefined: no header. */
  readonly costs: QueryCosts | undefined;
  /** Project code. */
  readonly code?: CodeLayer | undefined;
  /** The maximum number of operations of a batch. */
  readonly batchLimit: number;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** The headers with the tags of responses; undefined: these have none. */
  readonly tagHeaders: readonly TagHeader[] | undefined;
  /** The purges that writes wait for; undefined: no cache purges. */
  readonly awaited: AwaitedPurges | undefined;
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

/** The REST API, and all else that is served over HTTP. */
export function createRestApp(options: RestOptions): RestApp {
  const { http, tagHeaders, awaited, closing, feeds, admission, slots } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', http.etag && 'weak');
  if (tagHeaders !== undefined) {
    const awaitPurges = awaited && createAwaitPurges(awaited, slots.release);
    app.set(CACHE_TAGS, { headers: tagHeaders, cacheControl: http.cacheControl, awaitPurges } satisfies SentTags);
  }
  app.set('trust proxy', http.trustedProxies);
  app.set('query parser', createParseQueryString(http.query));
  addHandlers(app, options);
  return {
    handler: (request, response) => {
      request.url = canonicalUrl(request.url ?? '');
      app(request, response);
    },
    messages: expressPrototypes(app, {
      isClosing: () => closing.signal.aborted,
      onBacklog: limitSlowReaders({ ...SLOW_READER_MS, isCrowded: () => admission.waiting > 0 }),
    }),
    closeConnections: () => {
      closing.abort();
      feeds?.close();
    },
  };
}

/** The handlers of a request in their order. */
function addHandlers(app: Express, options: RestOptions): void {
  const { costs, code, awaited, log } = options;
  const types = typesByPath(options.registry);
  const prefixes = [options, ...options.contentApis].map(({ prefix }) => prefix);
  const templateOf = templateOfRoute(types, { ...options, prefixes });
  addEdge(app, { ...options, templateOf, ...(code !== undefined && { runsCors: code.runsCors }) });
  if (costs !== undefined) app.use(sendQueryCost(costs));
  if (awaited !== undefined) app.use(notePurges(awaited));
  if (code === undefined) addRoutes(app, types, options);
  else {
    const routes = express.Router();
    addRoutes(routes, types, options);
    app.use(code.around(routes));
  }
  app.use(respondToErrors(log, code?.describeError));
}

/** Adds all routes of the service. One serves all content types, so that their number costs nothing. */
function addRoutes(app: Router, types: ReadonlyMap<string, ContentType>, options: RestOptions): void {
  const { prefix, feeds, mounts, code, log } = options;
  const admit = createAdmit(options);
  const shared = { ...options, types, admit, cacheControl: options.http.cacheControl, formOf: () => plainForm };
  for (const { path, handler } of mounts) app.use(path, handler);
  if (options.isOffered) addRest(app, shared);
  for (const api of options.contentApis) addContentApi(app, api, shared);
  if (options.development) app.use(suggestPath(prefix, types, feeds === undefined ? { [CHANGES]: 'EVENTS=true' } : {}));
  if (code !== undefined) app.use(code.files);
  app.use(refuseRequest([]));
  app.use(respondToErrors(log, code?.describeError));
}

/** Adds the API in Strapi v4's form. */
function addRest(app: Router, options: RestOptions & Parameters<typeof createRestHandler>[0] & Shared): void {
  const { prefix, feeds, types, admit } = options;
  const declared = mountRoutes(options);
  app.use(declared.routes);
  // A content type of this name keeps its path.
  if (feeds !== undefined && !types.has(CHANGES)) {
    app.get(`${prefix}/${CHANGES}`, createChangesHandler({ ...options, feeds }));
  }
  if (!types.has(BATCH)) {
    const written = batchTypes(options.registry, types);
    const batch = createBatchHandler({ ...options, types: written });
    const action = [...written.values()].flatMap(batchActions);
    app.post(`${prefix}/${BATCH}`, (request, response) =>
      admit(request, response, { action }, async ({ caller }) =>
        sendAnswer(response, await batch(caller, request, response)),
      ),
    );
  }
  addContentTypes(app, prefix, createRestHandler(options));
  app.use(declared.refusals);
}

function addContentTypes(app: Router, prefix: string, handle: ReturnType<typeof createRestHandler>): void {
  for (const [path, rows] of rowsByPath()) {
    // Other methods on a path that is only read reach the route of an entry.
    const method = rows.every((row) => row.method === 'GET') ? 'get' : 'all';
    app[method](`${prefix}/:name${path}`, handle(rows));
  }
}

/**
 * Adds the API in another form, with those routes of plugins that belong to it; errors below its path are in its form,
 * too.
 */
function addContentApi(app: Router, api: ContentApi, common: Parameters<typeof createRestHandler>[0] & Shared): void {
  const { prefix, hasRoute = () => false, formOf = () => plainForm, statusOf, numberOf, describeError } = api;
  const { code, log } = common;
  // Writes came in by the first part of its path, such as `v5`.
  const [, door = prefix] = prefix.split('/');
  const authenticate: Authenticate = (request, response) => common.authenticate(request, response, door);
  const shared = { ...common, admit: createAdmit({ ...common, authenticate }) };
  const routes = shared.routes.filter(hasRoute);
  const own = { ...(statusOf && { statusOf }), ...(numberOf && { numberOf }) };
  const declared = mountRoutes({ ...shared, prefix, routes, formOf, ...own });
  app.use(declared.routes);
  addContentTypes(app, prefix, createFormHandler(api, shared));
  app.use(declared.refusals);
  app.use(prefix, refuseRequest([]), respondToErrors(log, code?.describeError, describeError));
}

type Shared = Omit<Parameters<typeof mountRoutes>[0], 'prefix' | 'statusOf'> &
  Pick<RestOptions, 'code' | 'log' | 'authenticate' | 'slots' | 'bodies'>;

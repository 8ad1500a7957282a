import express, { type Request, type RequestHandler, type Response } from 'express';
import { readerOf } from '../calls/body.js';
import { answerWrite, keyableOf } from '../calls/once.js';
import { serializeJson, serializeWritten } from '../calls/serialize.js';
import { refuseTerms, termsOf } from '../calls/terms.js';
import { refuseBypass } from '../calls/who-answers.js';
import lodash from 'lodash';
import { groupBy } from '../config/group-by.js';
import type { ContentType, Registry } from '../content-types/model/types.js';
import { draftsAction } from '../documents/hide-drafts.js';
import { isOwnType, pathNameOf } from '../documents/listings.js';
import {
  contentTypeRoutes,
  type ContentTypeRoute,
  type ContentTypeRouteName,
  isFor,
  type HasRoute,
} from '../plugins/contract/content-type-routes.js';
import type { Mount, Reply, Route } from '../plugins/contract/plugin.js';
import { noteNoRoute, notedRoute } from '../plugins/contract/response-notes.js';
import { AppError } from '../errors/app-error.js';
import type { Guard } from './guards.js';
import { queryOf } from './query-string.js';
import { isRead } from './read-requests.js';
import { requestIdOf } from './request-id.js';
import { createRequestContext } from '../documents/request-context.js';
import { arrivedBody } from '../plugins/contract/arrived-body.js';
import { bodyOfForm, type BodyReader, type ReceivedForm } from '../plugins/contract/forms.js';
import type { Admit } from './middleware/admission.js';
import { setCaching } from './middleware/edge.js';
import { sendAnswer, sendSerialized } from './response/json-response.js';
import type { Logger } from '../errors/logger.js';
import { hintsOf, hintsOfData } from '../query/hints.js';
import type { ContentAnswer, ContentApi, Perform } from '../plugins/contract/content-api.js';
import type { RefusedTerms } from '../plugins/contract/write-terms.js';
import type { CoreAction } from '../plugins/contract/answerer.js';
import type { EntryForm } from '../plugins/contract/entry-form.js';
import type { IsThere, RestContext } from './action.js';
import { createReadActions } from './read-actions.js';
import { createScheduleReads, createScheduleWrites } from './schedule-actions.js';
import { createTrashReads, createTrashWrites } from './trash-actions.js';
import { createWriteActions } from './write-actions.js';
import type { RestRead, RestRequest, RestWrite } from './rest-request.js';

/** The route template of a request, for metrics: the number of templates is bounded. */
export function templateOfRoute(
  types: ReadonlyMap<string, unknown>,
  { prefixes, mounts }: { readonly prefixes: readonly string[]; readonly mounts: readonly Mount[] },
): (request: Request, response: Response) => string {
  return ({ route, originalUrl }, response) => {
    const template = (route as { readonly path?: string } | undefined)?.path;
    if (template === undefined) return notedRoute(response) ?? mounts.find(isWithin(originalUrl))?.path ?? 'unknown';
    const prefix = prefixes.find((candidate) => template.startsWith(`${candidate}/:name`));
    if (prefix === undefined) return template;
    // Not from the parameters: an error has left the route that they belong to.
    const [path = ''] = originalUrl.split('?', 1);
    const name = segmentFrom(path, prefix.length + 1);
    return types.has(name) ? template.replace(':name', name) : template;
  };
}

/** The page of the service at `/` is not above all other paths. */
const isWithin =
  (url: string) =>
  ({ path }: Mount): boolean =>
    path === '/' ? /^\/(?:\?|$)/.test(url) : url.startsWith(path);

/** The lower-case segment of a path that starts at this index: paths are not case-sensitive. */
function segmentFrom(path: string, start: number): string {
  const end = path.indexOf('/', start);
  return path.slice(start, end < 0 ? undefined : end).toLowerCase();
}

/** Characters with a special meaning in the path of a route. */
const special = /[:*{}()[\]?+!\\]/;

/** Whether this segment of a route's path matches several segments. */
export const isPattern = (segment: string): boolean => special.test(segment);

/**
 * Whether, by its first segment, a request below the prefix can match one of these routes: comparing its path with each of
 * them would take longer than all other work of express.
 * @param paths of routes, below the prefix
 */
export function matchFirstSegments(prefix: string, paths: readonly string[]): (requestPath: string) => boolean {
  const segments = new Set(paths.map((path) => segmentFrom(path, '/'.length)));
  if ([...segments].some(isPattern)) return () => true;
  return (requestPath) => segments.has(segmentFrom(requestPath, `${prefix}/`.length));
}

/** An unknown path returns 404 for reads and 405 for other methods (corpus: 10-crud/10-read). */
export const refuseRequest =
  (methods: readonly string[]): RequestHandler =>
  ({ method }, response) => {
    if (method === 'OPTIONS') return tellMethods(methods, response);
    if (isRead({ method })) {
      noteNoRoute(response);
      throw new AppError('notFound');
    }
    setAllow([...new Set(['GET', ...methods])], response);
    throw new AppError('methodNotAllowed');
  };

/** Responds to OPTIONS as Strapi v4 does: with 200, no body, and GET among the methods of every path. */
function tellMethods(methods: readonly string[], response: Response): void {
  setAllow(['GET', ...methods.filter((method) => method !== 'GET')], response);
  response.status(200).type('text/plain').send('');
}

/** Sets the header `Allow` of a response: who may GET may HEAD too. */
const setAllow = (methods: readonly string[], response: Response): unknown =>
  response.setHeader('Allow', [...(methods.includes('GET') ? ['HEAD'] : []), ...methods].join(', '));

/** The content types of the project by the lower-case name in their path. */
export const typesByPath = ({ contentTypes }: Registry): ReadonlyMap<string, ContentType> =>
  new Map([...contentTypes.values()].filter(isOwnType).map((type) => [pathNameOf(type).toLowerCase(), type]));

/**
 * The content type of this name in a path, which is not case-sensitive. Other characters than those of names are compared with nothing: in
 * lower case, the sign for kelvin would be a `k`.
 */
export const findType = (types: ReadonlyMap<string, ContentType>, name: string): ContentType | undefined =>
  /^[a-z\d-]+$/i.test(name) ? types.get(name.toLowerCase()) : undefined;

/** A route of content types with the name of its handler. */
type NamedRoute = ContentTypeRoute & { readonly name: ContentTypeRouteName };

/** The routes of content types by their paths, in the order of these. */
export function rowsByPath(): ReadonlyMap<string, readonly NamedRoute[]> {
  const names = Object.keys(contentTypeRoutes) as ContentTypeRouteName[];
  const rows = names.map((name): NamedRoute => ({ ...contentTypeRoutes[name], name }));
  return groupBy(rows, ({ path }) => path);
}

interface DeclaredRoutesOptions {
  readonly routes: readonly Route[];
  readonly isThere: IsThere;
  readonly prefix: string;
  readonly admit: Admit;
  readonly guard: Guard;
  readonly bodyReaders: readonly BodyReader[];
  readonly responseLimit: number;
  readonly cacheControl: string | undefined;
  /** The form of entries in replies. */
  readonly formOf: (route: Route) => EntryForm;
  /** Those of the project, which names entries as it likes. */
  readonly ownRoutes: ReadonlySet<Route>;
  readonly statusOf?: ContentApi['statusOf'];
}

/** The routes of plugins and the project, and the refusals of other methods on their paths, which content types may have. */
export function mountRoutes(options: DeclaredRoutesOptions): {
  readonly routes: RequestHandler;
  readonly refusals: RequestHandler;
} {
  const { prefix, isThere } = options;
  const routes = express.Router();
  const refusals = express.Router();
  const isReached = (route: Route, { params }: Request): boolean => isThere(route, params as Record<string, string>);
  for (const route of options.routes) {
    const handle = handleRoute(route, options);
    routes[lowerCase[route.method]](prefix + route.path, (request, response, next) =>
      isReached(route, request) ? handle(request, response, next) : next(),
    );
  }
  for (const [path, sameRoutes] of groupBy(options.routes, ({ path }) => path)) {
    const methodsFor = (request: Request): readonly string[] =>
      sameRoutes.filter((route) => isReached(route, request)).map(({ method }) => method);
    routes.options(prefix + path, (request, response, next) => {
      const methods = methodsFor(request);
      return methods.length === 0 ? next() : tellMethods(methods, response);
    });
    refusals.all(prefix + path, (request, response, next) =>
      refuseRequest(methodsFor(request))(request, response, next),
    );
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
  (route: Route, options: DeclaredRoutesOptions): RequestHandler =>
  (request, response) => {
    const { action, caching, refuses, handle } = route;
    const { responseLimit, guard, bodyReaders, admit, cacheControl, formOf, statusOf, ownRoutes } = options;
    const byNumber = !ownRoutes.has(route);
    setCaching(caching, request, response, cacheControl);
    return admit(request, response, route, async ({ caller, forgive }) => {
      const { id = '' } = request.params as { readonly id?: string };
      const reader = route.takesFiles === true ? readerOf(bodyReaders, request) : undefined;
      const run = async (form: ReceivedForm | undefined): Promise<void> => {
        if (action !== undefined)
          await guard({ action, request, response, caller, id, byNumber, body: request.body, form });
        if (refuses !== undefined) refuseTerms({ headers: request.headers, query: queryOf(request) }, refuses);
        const reply = await handle({
          ...createRequestContext(caller, response),
          params: request.params as Record<string, string>,
          query: queryOf(request),
          body: request.body as unknown,
          arrived: arrivedBody(request),
          files: (request as { files?: unknown }).files,
          form,
          attachFiles: reader?.attachFiles,
          message: request,
          entryForm: formOf(route),
          address: request.ip ?? '',
          forgive,
        });
        const status = reply.status ?? statusOf?.(route, queryOf(request));
        await sendReply(response, { ...reply, ...(status !== undefined && { status }) }, responseLimit);
      };
      await (reader === undefined ? run(undefined) : reader.read(request, run));
    });
  };

async function sendReply(response: Response, reply: Reply, responseLimit: number): Promise<void> {
  const { body, shortened, headers = {}, status, text, cacheTags } = reply;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (text !== undefined)
    response
      .status(status ?? 200)
      .type('text/plain')
      .send(text);
  else if (body === undefined) response.status(status ?? 204).end();
  else if (shortened !== undefined)
    await sendSerialized(response, { body: serializeWritten({ body, shortened }, responseLimit) }, status);
  else await sendSerialized(response, { body: serializeJson(body, responseLimit), cacheTags }, status);
}

/** What handles the requests for content types, in any form of the API. */
export interface ContentTypeOptions extends Pick<RestContext, 'idempotencyKeys' | 'responseLimit'> {
  /** By the lower-case name in their path. */
  readonly types: ReadonlyMap<string, ContentType>;
  /** The guards of the project before actions. */
  readonly guard: Guard;
  readonly bodyReaders: readonly BodyReader[];
  readonly cacheControl: string | undefined;
  readonly admit: Admit;
}

/** What a form of the API does with requests for content types. */
interface ContentTypeForm {
  readonly reads: Readonly<Partial<Record<ContentTypeRouteName, RestRead>>>;
  readonly writes: Readonly<Partial<Record<ContentTypeRouteName, RestWrite>>>;
  /** The terms that its writes refuse besides those that each form refuses. */
  readonly refuses?: Readonly<Partial<Record<ContentTypeRouteName, RefusedTerms>>> | undefined;
  readonly isOffered: (row: NamedRoute, type: ContentType, request: Request) => boolean;
  /** Tells developers which parts of a request have no effect. */
  readonly logHints: ((asked: RestRequest, isWritten: boolean) => void) | undefined;
  /** What guards know an entry by. */
  readonly idForGuards?: ((asked: RestRequest, action: string) => Promise<string>) | undefined;
  /** What guards know of a body, which is written after them; undefined: there are none. */
  readonly bodyForGuards?: ((asked: RestRequest, action: string) => Promise<unknown>) | undefined;
}

/** Creates the handlers of requests on a path of content types, which have one of these routes each or none. */
function createContentTypeHandler(
  options: ContentTypeOptions,
  form: ContentTypeForm,
): (rows: readonly NamedRoute[]) => RequestHandler {
  const { types, cacheControl, admit, guard, bodyReaders } = options;
  const { reads, writes, refuses = {}, isOffered, logHints, idForGuards, bodyForGuards } = form;
  const answer = async ({ name, refuses: refused }: NamedRoute, asked: RestRequest): Promise<ContentAnswer> => {
    const [read, write] = [reads[name], writes[name]];
    if (read !== undefined) return read(asked);
    if (write === undefined) throw new Error(`no form has ${name}`);
    const { request, caller } = asked;
    const terms = termsOf({ headers: request.headers, query: queryOf(request) }, { ...refused, ...refuses[name] });
    return answerWrite(options, keyableOf(request), caller, terms, await write({ ...asked, terms }));
  };
  const isThere = ({ name }: NamedRoute): boolean => reads[name] !== undefined || writes[name] !== undefined;
  return (rows) => async (request, response, next) => {
    const { name, id = '' } = request.params as { name: string; id?: string };
    const type = findType(types, name);
    const offered = type === undefined ? [] : rows.filter((row) => isThere(row) && isOffered(row, type, request));
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
      // Guards see what will be written; a deletion has no data.
      const isWritten = method === 'POST' || method === 'PUT';
      const run = async (form: ReceivedForm | undefined): Promise<void> => {
        // One literal, because V8 takes 6 µs for a spread with further properties.
        const { signal, bytesRead } = createRequestContext(caller, response);
        const asked = { caller, signal, bytesRead, type, request, response, id, form };
        logHints?.(asked, isWritten);
        const named = idForGuards === undefined ? id : await idForGuards(asked, action);
        const shown = isWritten ? await bodyForGuards?.(asked, action) : undefined;
        if (shown !== undefined) request.body = shown;
        await guard({ action, request, response, caller, id: named, byNumber: true, body: request.body, form });
        await sendAnswer(response, await answer(route, shown === undefined ? asked : { ...asked, isGuarded: true }));
      };
      const reader = isWritten ? readerOf(bodyReaders, request) : undefined;
      await (reader === undefined ? run(undefined) : reader.read(request, run));
    });
  };
}

/** What the API in Strapi v4's form needs besides. */
export interface RestFormOptions extends RestContext {
  readonly hasRoute: HasRoute;
  /** The actions that the routes of project code leave to the service for this request; undefined: there are no such routes. */
  readonly coreActions?: ((request: Request) => readonly string[] | undefined) | undefined;
  readonly log: Pick<Logger, 'info'>;
}

/** The handlers of requests in Strapi v4's form. */
export const createRestHandler = (options: ContentTypeOptions & RestFormOptions) =>
  createContentTypeHandler(options, {
    reads: { ...createReadActions(options), ...createScheduleReads(options), ...createTrashReads(options) },
    writes: { ...createWriteActions(options), ...createScheduleWrites(options), ...createTrashWrites(options) },
    isOffered: (row, type, request) => isOffered(row, type, request, options),
    logHints: options.development
      ? (asked, isWritten) => {
          logHints(asked, options);
          if (isWritten) logDataHints(asked, options.log);
        }
      : undefined,
  });

/** The handlers of requests in another form. */
export function createFormHandler(
  { reads, writes, refuses, numberOf, bodyForGuards }: ContentApi,
  options: ContentTypeOptions & Pick<RestContext, 'answererOf'>,
): (rows: readonly NamedRoute[]) => RequestHandler {
  const { answererOf } = options;
  const isGuarded = (type: ContentType, action: string): boolean =>
    answererOf(type, nameOf(type, action)) === 'guarded';
  /** @throws AppError badRequest */
  const unlessCode =
    <Asked extends RestRequest, Answer>(act: (asked: Asked) => Promise<Answer>, name: string) =>
    async (asked: Asked): Promise<Answer> => {
      const { action } = contentTypeRoutes[name as ContentTypeRouteName];
      refuseBypass(answererOf, 'form', asked.type, [action as CoreAction], asked.request.path);
      return act(asked);
    };
  return createContentTypeHandler(options, {
    reads: lodash.mapValues(reads, unlessCode<RestRequest, ContentAnswer>),
    writes: lodash.mapValues(writes, unlessCode<Parameters<RestWrite>[0], Perform>),
    refuses,
    isOffered: (row, type) => isFor(row, type) && answererOf(type, row.action as CoreAction) !== 'none',
    logHints: undefined,
    idForGuards: async (asked, action) => {
      const { type, id } = asked;
      if (id === '' || numberOf === undefined || !isGuarded(type, action)) return id;
      const number = await numberOf(asked);
      if (number === undefined) throw new AppError('notFound');
      return String(number);
    },
    bodyForGuards: async (asked, action) => (isGuarded(asked.type, action) ? bodyForGuards?.(asked) : undefined),
  });
}

const nameOf = ({ uid }: ContentType, action: string): CoreAction => action.slice(uid.length + 1) as CoreAction;

function isOffered(
  row: ContentTypeRoute,
  type: ContentType,
  request: Request,
  { hasRoute, coreActions }: Pick<RestFormOptions, 'hasRoute' | 'coreActions'>,
): boolean {
  if (!isFor(row, type)) return false;
  if (row.shortcutOf !== undefined) return hasRoute(type, row);
  // Code of a project that replaces a route of Strapi v4, or removes it, leaves it to the service for some requests.
  return coreActions?.(request)?.includes(`${type.uid}.${row.action}`) !== false;
}

/**
 * Names the parameters of a query that have no effect, because of a wrong name or a missing permission, or are refused.
 * @throws AppError tooCostly
 */
function logHints(
  { request, response, type, caller }: RestRequest,
  { log, documents }: Pick<RestFormOptions, 'log' | 'documents'>,
): void {
  const query = queryOf(request);
  const tell = (line: string): void =>
    log.info({ id: requestIdOf(response) }, `${request.method} ${request.path}: ${line}`);
  const hints = hintsOf(query, type);
  if (hints.length > 0) tell(`unknown ${hints.join(' ')}`);
  if (query['publicationState'] === 'preview' && documents.hidesDrafts(type, caller))
    tell(`publicationState=preview without drafts: the caller lacks the permission ${draftsAction(type)}`);
}

/** Names the keys of written data that no attribute has: as in Strapi v4 they are left out without an error. */
function logDataHints({ request, response, type, form }: RestRequest, log: Pick<Logger, 'info'>): void {
  const body = (form === undefined ? request.body : bodyOfForm(form)) as { readonly data?: unknown } | undefined;
  const hints = hintsOfData(
    body?.data,
    type,
    form?.files.map(({ field }) => field),
  );
  if (hints.length > 0)
    log.info(
      { id: requestIdOf(response) },
      `${request.method} ${request.path}: unknown and not stored: ${hints.join(' ')}`,
    );
}

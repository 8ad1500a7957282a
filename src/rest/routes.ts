import express, { type Request, type RequestHandler, type Response } from 'express';
import { readerOf } from '../calls/body.js';
import { serializeJson, serializeWritten } from '../calls/serialize.js';
import { refuseTerms } from '../calls/terms.js';
import { bounds } from '../config/bounds.js';
import { groupBy } from '../config/group-by.js';
import { holdsMoreThan } from '../config/record.js';
import type { ContentType, Registry } from '../content-types/model/types.js';
import { isOwnType, pathNameOf } from '../documents/listings.js';
import {
  contentTypeRoutes,
  type ContentTypeRoute,
  type ContentTypeRouteName,
} from '../plugins/contract/content-type-routes.js';
import type { Mount, Reply, Route } from '../plugins/contract/plugin.js';
import { noteNoRoute, notedRoute } from '../plugins/contract/response-notes.js';
import { AppError } from '../errors/app-error.js';
import type { Guard } from './guards.js';
import { queryOf } from '../calls/query-string.js';
import { isRead } from './read-requests.js';
import { createRequestContext } from '../plugins/contract/http/request-context.js';
import { arrivedBody } from '../plugins/contract/arrived-body.js';
import { type BodyReader, type ReceivedForm } from '../plugins/contract/forms.js';
import type { Admit } from './middleware/admission.js';
import { setCaching } from './middleware/edge.js';
import { sendSerialized } from './response/json-response.js';
import type { ContentApi } from '../plugins/contract/content-api.js';
import type { EntryForm } from '../plugins/contract/entry-form.js';
import type { IsThere } from './action.js';

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
 * Groups routes by the first segment of their paths, in their order: comparing the path of a request with each of all
 * routes would take longer than all other work of express. A route whose first segment is a pattern is in each group.
 * @returns the routes that a request can match by its path, which begins with the prefix
 */
export function groupByFirstSegment<Grouped extends Pick<Route, 'path'>>(
  prefix: string,
  routes: readonly Grouped[],
): { readonly groups: readonly (readonly Grouped[])[]; readonly groupOf: (requestPath: string) => number } {
  const patterns: Grouped[] = [];
  const groups = [patterns];
  const indexes = new Map<string, number>();
  for (const route of routes) {
    const segment = segmentFrom(route.path, '/'.length);
    if (isPattern(segment)) for (const group of groups) group.push(route);
    else if (indexes.has(segment)) groups[indexes.get(segment) ?? 0]?.push(route);
    else indexes.set(segment, groups.push([...patterns, route]) - 1);
  }
  return { groups, groupOf: (requestPath) => indexes.get(segmentFrom(requestPath, `${prefix}/`.length)) ?? 0 };
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
export function tellMethods(methods: readonly string[], response: Response): void {
  setAllow(['GET', ...methods.filter((method) => method !== 'GET')], response);
  response.status(200).type('text/plain').send('');
}

/** Sets the header `Allow` of a response: who may GET may HEAD too. */
export const setAllow = (methods: readonly string[], response: Response): unknown =>
  response.setHeader('Allow', [...(methods.includes('GET') ? ['HEAD'] : []), ...methods].join(', '));

/** The content types of the project by the lower-case name in their path. */
export const typesByPath = ({ contentTypes }: Registry): ReadonlyMap<string, ContentType> =>
  new Map([...contentTypes.values()].filter(isOwnType).map((type) => [pathNameOf(type).toLowerCase(), type]));

/**
 * The content type of this name in a path, which is not case-sensitive. Other characters than those of names are
 * compared with nothing: in lower case, the sign for kelvin would be a `k`.
 */
export const findType = (types: ReadonlyMap<string, ContentType>, name: string): ContentType | undefined =>
  /^[a-z\d-]+$/i.test(name) ? types.get(name.toLowerCase()) : undefined;

/** A route of content types with the name of its handler. */
export type NamedRoute = ContentTypeRoute & { readonly name: ContentTypeRouteName };

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
  /** Default: paths name entries by their numbers. */
  readonly numberOf?: ContentApi['numberOf'];
}

/**
 * The routes of plugins and the project, and the refusals of other methods on their paths, which content types may
 * have.
 */
export function mountRoutes(options: DeclaredRoutesOptions): DeclaredRoutes {
  const { groups, groupOf } = groupByFirstSegment(options.prefix, options.routes);
  const routers = groups.map((routes) => (routes.length === 0 ? undefined : routersOf(routes, options)));
  const pass =
    (kind: keyof DeclaredRoutes): RequestHandler =>
    (request, response, next) => {
      const router = routers[groupOf(request.path)];
      return router === undefined ? next() : router[kind](request, response, next);
    };
  return { routes: pass('routes'), refusals: pass('refusals') };
}

interface DeclaredRoutes {
  readonly routes: RequestHandler;
  readonly refusals: RequestHandler;
}

function routersOf(declared: readonly Route[], options: DeclaredRoutesOptions): DeclaredRoutes {
  const { prefix, isThere } = options;
  const routes = express.Router();
  const refusals = express.Router();
  const isReached = (route: Route, { params }: Request): boolean => isThere(route, params as Record<string, string>);
  for (const route of declared) {
    const handle = handleRoute(route, options);
    routes[lowerCase[route.method]](prefix + route.path, (request, response, next) =>
      isReached(route, request) ? handle(request, response, next) : next(),
    );
  }
  for (const [path, sameRoutes] of groupBy(declared, ({ path }) => path)) {
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
  return { routes, refusals };
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
      const params = await namedByNumber(route, request, options.numberOf);
      const { id = '' } = params;
      const reader = route.takesFiles === true ? readerOf(bodyReaders, request) : undefined;
      const isCounted = byNumber && route.takesData !== true;
      if (isCounted && holdsMoreThan(bounds.bodyValues, request.body)) throw bodyHoldsTooMuch();
      const run = async (form: ReceivedForm | undefined): Promise<void> => {
        if (action !== undefined)
          await guard({ action, request, response, caller, id, byNumber, body: request.body, form });
        const query = queryOf(request);
        if (refuses !== undefined) refuseTerms({ headers: request.headers, query }, refuses);
        const reply = await handle({
          ...createRequestContext(caller, response),
          params,
          query,
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
        const status = reply.status ?? statusOf?.(route, query);
        await sendReply(response, { ...reply, ...(status !== undefined && { status }) }, responseLimit);
      };
      await (reader === undefined ? run(undefined) : reader.read(request, run));
    });
  };

/** The parameters of a path, with the number of the entry that it names. @throws AppError notFound */
async function namedByNumber(
  { entryOf: type }: Route,
  request: Request,
  numberOf: ContentApi['numberOf'],
): Promise<Readonly<Record<string, string>>> {
  const params = request.params as Record<string, string>;
  if (type === undefined || numberOf === undefined) return params;
  const number = await numberOf({ type, id: params['id'] ?? '', request }, 'update');
  if (number === undefined) throw new AppError('notFound');
  return { ...params, id: String(number) };
}

const bodyHoldsTooMuch = (): AppError =>
  new AppError('badRequest', `The body holds too much: at most ${bounds.bodyValues} names and elements of lists`);

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

import type { Request, RequestHandler, Response } from 'express';
import type { ContentType } from '../content-types/model/types.js';
import { createRequestContext } from '../documents/request-context.js';
import { AppError } from '../errors/app-error.js';
import type { Logger } from '../errors/logger.js';
import {
  isCoreAction,
  isFor,
  type ContentTypeRoute,
  type ContentTypeRouteName,
  type HasRoute,
} from '../plugins/contract/content-type-routes.js';
import type { ReceivedForm } from '../plugins/contract/forms.js';
import { hintsOf } from '../query/hints.js';
import type { Handle, RestContext } from './action.js';
import type { Admit } from './middleware/admission.js';
import { setCaching } from './middleware/edge.js';
import { createReadActions } from './read-actions.js';
import { idOf, isRead, queryOf, readerOf, type Guard } from './requests.js';
import { findType, setAllow, tellMethods, type NamedRoute } from './routes.js';
import { createScheduleActions } from './schedule-actions.js';
import { createWriteActions } from './write-actions.js';

export interface ContentTypeHandlerOptions extends RestContext {
  /** By the lower-case name in their path. */
  readonly types: ReadonlyMap<string, ContentType>;
  readonly hasRoute: HasRoute;
  /** The actions that the routes of project code leave to the service for this request; undefined: there are no such routes. */
  readonly plainActions?: ((request: Request) => readonly string[] | undefined) | undefined;
  /** The guards of the project before actions. */
  readonly guard: Guard;
  readonly cacheControl: string | undefined;
  readonly admit: Admit;
  readonly log: Pick<Logger, 'info'>;
}

/** Creates the handlers of requests on a path of content types, which have one of these routes each or none. */
export function createContentTypeHandler(
  options: ContentTypeHandlerOptions,
): (rows: readonly NamedRoute[]) => RequestHandler {
  const { types, cacheControl, admit, guard, bodyReaders, log } = options;
  const actions: Readonly<Record<ContentTypeRouteName, Handle>> = {
    ...createReadActions(options),
    ...createWriteActions(options),
    ...createScheduleActions(options),
  };
  return (rows) => async (request, response, next) => {
    const { name, id = '' } = request.params as { name: string; id?: string };
    const type = findType(types, name);
    const offered = type === undefined ? [] : rows.filter((row) => isOffered(row, type, request, options));
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
      const run = async (form: ReceivedForm | undefined): Promise<void> => {
        await guard({ action, request, response, caller, id, body: request.body, form });
        // One literal, because V8 takes 6 µs for a spread with further properties.
        const { signal, bytesRead } = createRequestContext(caller, response);
        await actions[route.name]({ caller, signal, bytesRead, type, request, response, id, form });
      };
      // Guards see what will be written; a deletion has no data.
      const isWritten = method === 'POST' || method === 'PUT';
      const reader = isWritten ? readerOf(bodyReaders, request) : undefined;
      await (reader === undefined ? run(undefined) : reader.read(request, run));
    });
  };
}

function isOffered(
  row: ContentTypeRoute,
  type: ContentType,
  request: Request,
  { hasRoute, plainActions }: Pick<ContentTypeHandlerOptions, 'hasRoute' | 'plainActions'>,
): boolean {
  if (!isFor(row, type)) return false;
  if (row.instead !== undefined || !isCoreAction(row.action)) return hasRoute(type, row);
  // Code of a project that replaces a route of Strapi v4, or removes it, leaves it to the service for some requests.
  return plainActions?.(request)?.includes(`${type.uid}.${row.action}`) !== false;
}

/** Names the parameters of a query that have no effect because of a wrong name, or are refused. @throws AppError tooCostly */
function logHints(request: Request, response: Response, type: ContentType, log: Pick<Logger, 'info'>): void {
  const hints = hintsOf(queryOf(request), type);
  if (hints.length > 0)
    log.info({ id: idOf(response) }, `${request.method} ${request.path}: unknown ${hints.join(' ')}`);
}

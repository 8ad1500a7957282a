import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { ContentType } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import type { Caller } from '../documents/caller.js';
import type { EntryRequest } from '../documents/context.js';
import { noteCaller, noteRefusal } from '../plugins/contract/response-notes.js';
import { invalidPreview, type IsPreviewed, type ReadPreview } from '../plugins/contract/access/preview-links.js';
import type { Query } from '../query/ast.js';
import type { QueryInput } from '../query/parse/input.js';
import { alternativesOf, parametersOf, parseValues } from '../query/plugin-parameters.js';
import { parsePublicationState } from '../query/parse/parse-populate.js';
import { parseQueryString } from './url.js';
import type { ActionGuards } from '../plugins/contract/access/policy-request.js';
import type { Extension } from '../plugins/contract/extension.js';

/** The caller of a request. @throws AppError unauthorized */
export type Authenticate = (request: IncomingMessage, response: ServerResponse) => Promise<Caller>;

/** @throws AppError forbidden */
export function authorise(caller: Caller, action: string | undefined, response: ServerResponse): void {
  noteCaller(response, caller);
  if (action === undefined || caller.may(action)) return;
  noteRefusal(response, action);
  throw new AppError('forbidden');
}

/** Whether a request only reads, by its method. */
export const isRead = ({ method }: { readonly method: string }): boolean => method === 'GET' || method === 'HEAD';

/** The parameters of a request's query string. @throws AppError tooCostly */
export const queryOf = (request: Request): QueryInput => parseQueryString(queryStringOf(request));

/**
 * Whether the preview link in a query shows this entry; then the answer is not cached.
 * @param readPreview undefined if everyone who may read an entry sees its draft
 * @throws AppError unauthorized for a link that is invalid, or to another entry
 */
export function isPreviewOf(
  entry: Parameters<IsPreviewed>[0],
  { preview }: QueryInput,
  response: ServerResponse | undefined,
  readPreview: ReadPreview | undefined,
): boolean {
  if (preview === undefined || readPreview === undefined) return false;
  response?.setHeader('Cache-Control', 'no-store');
  if (!readPreview(preview)(entry)) throw invalidPreview();
  return true;
}

/**
 * The parameters of plugins in a request for one entry by its id. The publication state has an effect only if they can lead to another entry.
 * @throws AppError invalidParameter, and errors of the plugins
 */
export function entryParametersOf(
  query: QueryInput,
  type: ContentType,
): Pick<Query, 'parameters'> & Pick<EntryRequest, 'publicationState'> {
  const parameters = parseValues(query, type);
  if (alternativesOf({ type, parameters }) === undefined) return { parameters };
  return { parameters, publicationState: parsePublicationState(query['publicationState']) };
}

/** Refuses the parameters of plugins for reads where they would have no effect. @throws AppError badRequest */
export function refuseReadParameters(query: QueryInput, type: ContentType, reason: string): void {
  const found = parametersOf(type).find(({ name, part }) => part === 'state' && query[name] !== undefined);
  if (found !== undefined) throw new AppError('badRequest', `${found.name} is not supported here: ${reason}`);
}

/** The query string of a request, without the question mark; empty if there is none. */
export function queryStringOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}

interface Guarded {
  readonly action: string;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly id: string;
}

/** Runs the project's guards before an action. @throws AppError forbidden, and errors of project code */
export type Guard = (guarded: Guarded) => Promise<void>;

/** The guards of the project's extension: policies first, then middlewares, in their order. */
export function createGuard(guards: NonNullable<Extension['guards']>, policiesOf: ActionGuards): Guard {
  return async ({ action, request, response, caller, id }) => {
    if (!Object.hasOwn(guards, action)) return;
    const body: unknown = request.body;
    await policiesOf(action)?.({ action, caller, id, query: queryOf(request), body });
    for (const middleware of guards[action]?.middlewares ?? []) await run(middleware, request, response);
  };
}

function run(middleware: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    Promise.resolve(middleware(request, response, next)).catch(reject);
  });
}

/**
 * The `data` of a body; a list is passed on, for the service to refuse it by name.
 * @throws AppError missingData, invalidJson
 */
export function dataOf(body: unknown): unknown {
  if (body === null || ['string', 'number', 'boolean'].includes(typeof body)) throw new AppError('invalidJson');
  const data: unknown = body === undefined ? undefined : (body as { readonly data?: unknown }).data;
  if (typeof data !== 'object' || data === null) throw new AppError('missingData');
  return data;
}

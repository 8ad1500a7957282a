import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { AppError } from '../errors/app-error.js';
import type { Caller } from '../documents/caller.js';
import { noteCaller, noteRefusal } from '../plugins/contract/response-notes.js';
import type { QueryInput } from '../query/parse/input.js';
import { parseQueryString } from './query-string.js';

/** Who sends a request. @throws AppError unauthorized */
export type Authenticate = (headers: IncomingHttpHeaders) => Promise<Caller>;

/** @throws AppError forbidden */
export function authorise(caller: Caller, action: string | undefined, response: ServerResponse): void {
  noteCaller(response, caller);
  if (action === undefined || caller.may(action)) return;
  noteRefusal(response, action);
  throw new AppError('forbidden');
}

/** The parameters of a request's query string. @throws AppError tooCostly */
export function queryOf({ originalUrl }: Request): QueryInput {
  const start = originalUrl.indexOf('?');
  return start < 0 ? {} : parseQueryString(originalUrl.slice(start + 1));
}

import type { Request } from 'express';
import { AppError } from '../errors/app-error.js';
import type { Caller } from '../documents/caller.js';
import type { Credentials } from '../plugins/plugin.js';
import type { QueryInput } from '../query/input.js';
import { parseQueryString } from './query-string.js';

/** Who sends a request. @throws AppError unauthorized */
export type Authenticate = (credentials: Credentials) => Promise<Caller>;

/** The credentials of a request: a bearer token, in the header only. */
export function credentialsOf({ headers }: Request): Credentials {
  const [scheme = '', token, ...rest] = headers.authorization?.split(' ') ?? [];
  return { token: scheme.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined, headers };
}

/** @throws AppError forbidden */
export function authorise(caller: Caller, action: string | undefined): void {
  if (action !== undefined && !caller.may(action)) throw new AppError('forbidden');
}

/** The parameters of a request's query string. @throws AppError tooCostly */
export function queryOf({ originalUrl }: Request): QueryInput {
  const start = originalUrl.indexOf('?');
  return start < 0 ? {} : parseQueryString(originalUrl.slice(start + 1));
}

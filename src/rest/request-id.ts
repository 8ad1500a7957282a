import { randomUUID } from 'node:crypto';
import type { Response } from '../plugins/contract/http/messages.js';

export const REQUEST_ID = 'X-Request-Id';

/** Values that can be logged unchanged. */
const loggable = /^[\w.:+/=-]{1,128}$/;

/** The request id set by a proxy if it is valid, otherwise a new one. */
export function requestId({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string {
  const header = headers['x-request-id'];
  return typeof header === 'string' && loggable.test(header) ? header : randomUUID();
}

/** The id in the header of a response. */
export const requestIdOf = (response: Pick<Response, 'getHeader'>): string =>
  String(response.getHeader(REQUEST_ID) ?? '');

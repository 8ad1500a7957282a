import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const REQUEST_ID = 'X-Request-Id';

/** What may be written into a log as it is. */
const wellFormed = /^[\w.:+/=-]{1,128}$/;

/** The id that a proxy gave a request, if it is well formed, else a new one. */
export function requestId({ headers }: IncomingMessage): string {
  const header = headers['x-request-id'];
  return typeof header === 'string' && wellFormed.test(header) ? header : randomUUID();
}

/** The id in the header of a response. */
export const idOf = (response: ServerResponse): string => String(response.getHeader(REQUEST_ID) ?? '');

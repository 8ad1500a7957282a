import { AppError } from '../errors/app-error.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../documents/caller.js';
import { noteCaller, noteRefusal } from '../plugins/contract/response-notes.js';

/** The caller of a request. @throws AppError unauthorized */
export type Authenticate = (request: IncomingMessage, response: ServerResponse) => Promise<Caller>;

/** @param actions of which the caller needs one; undefined: none is needed. @throws AppError forbidden */
export function authorise(
  caller: Caller,
  actions: string | readonly string[] | undefined,
  response: ServerResponse | undefined,
): void {
  noteCaller(response, caller);
  if (actions === undefined || (typeof actions === 'string' ? caller.may(actions) : actions.some(caller.may))) return;
  noteRefusal(response, [actions].flat()[0] ?? '');
  throw new AppError('forbidden');
}

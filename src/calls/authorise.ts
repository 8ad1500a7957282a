import { AppError } from '../errors/app-error.js';
import type { Caller } from '../documents/caller.js';
import { noteCaller, noteRefusal, type NotedResponse } from '../plugins/contract/response-notes.js';

/** @param actions of which the caller needs one; undefined: none is needed. @throws AppError forbidden */
export function authorise(
  caller: Caller,
  actions: string | readonly string[] | undefined,
  response: NotedResponse | undefined,
): void {
  noteCaller(response, caller);
  if (actions === undefined || (typeof actions === 'string' ? caller.may(actions) : actions.some(caller.may))) return;
  noteRefusal(response, [actions].flat()[0] ?? '');
  throw new AppError('forbidden');
}

import type { Caller } from '../documents/caller.js';
import { tagOf } from '../documents/response/response-body.js';
import type { ResponseBody } from '../documents/response/response-cache.js';
import type { CheckVersion } from '../documents/write/conditional/while-unchanged.js';
import { AppError } from '../errors/app-error.js';
import type { NotedResponse } from '../plugins/contract/response-notes.js';
import type { Condition } from '../plugins/contract/write-terms.js';
import { authorise } from './authorise.js';

/** An entry as its client has read it. */
export interface ShownEntry {
  readonly caller: Caller;
  /** The action of that read; undefined: who may do the write may read what is compared. */
  readonly readBy: string | undefined;
  /** Undefined where code of a project calls without a request. */
  readonly response: NotedResponse | undefined;
  /** The answer to a GET of the same address. */
  readonly read: () => Promise<ResponseBody>;
}

/**
 * The check that a write's entry is as its condition says; undefined: there is none. It compares what the caller can
 * read, so that the result reveals nothing else. Who writes locks the entry around it (`whileUnchanged`). That an entry
 * is absent is decided by the write itself, see `onlyCreates`.
 * @throws AppError forbidden
 */
export function unchanged(
  condition: Condition | undefined,
  { caller, readBy, response, read }: ShownEntry,
): CheckVersion | undefined {
  if (condition === undefined || 'absent' in condition) return undefined;
  if (readBy !== undefined) authorise(caller, readBy, response);
  const { match } = condition;
  // Every entry that exists matches.
  if (match === '*') return async () => undefined;
  return async () => {
    const tag = tagOf(await read()).replace('W/', '');
    if (!match.has(tag)) throw new AppError('preconditionFailed', 'The entry has changed');
  };
}

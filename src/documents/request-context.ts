import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ReadCount } from '../mongo/read-budget.js';
import type { Caller } from './caller.js';

/** Who sends a request, and how long its result is needed. */
export interface RequestContext {
  readonly caller: Caller;
  /** Aborted when the client disconnects: reads for it are cancelled. Undefined: they are not. */
  readonly signal?: AbortSignal | undefined;
  /** What was read for the response. */
  readonly bytesRead?: ReadCount | undefined;
}

/** The context of a read. */
export interface ReadContext extends RequestContext {
  /** Nothing is decided by the result: it may be stale if MONGODB_URI has a `readPreference`. */
  readonly mayLag?: boolean;
}

/** The same request for a read whose result is only sent to the client. */
export const forRead = <R extends RequestContext>(request: R): R & ReadContext => ({ ...request, mayLag: true });

/** The context of an HTTP request: its signal is aborted when the client disconnects before it has the response. */
export function createRequestContext(caller: Caller, response: ServerResponse): RequestContext {
  const controller = new AbortController();
  // Many reads may be made for one request at once.
  setMaxListeners(Infinity, controller.signal);
  const abortUnlessFinished = (): void => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) abortUnlessFinished();
  else response.once('close', abortUnlessFinished);
  return { caller, signal: controller.signal, bytesRead: { bytes: 0 } };
}

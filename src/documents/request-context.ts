import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { BytesRead } from '../mongo/read/read-batch.js';
import type { Caller } from './caller.js';

/** The caller of a request, and how long the result is needed. */
export interface RequestContext {
  readonly caller: Caller;
  /** Aborted when the client disconnects: reads for it are cancelled. Undefined: they are not. */
  readonly signal?: AbortSignal | undefined;
  /** The bytes that were read for the response. */
  readonly bytesRead?: BytesRead | undefined;
}

export interface ReadContext extends RequestContext {
  /** Nothing is decided by the result: it may be stale if MONGODB_URI has a `readPreference`. */
  readonly mayLag?: boolean;
  /** A signed preview link names the entry that is read: it is shown as a draft too. */
  readonly previewed?: boolean;
}

/** The context of a read whose result is only sent to the client. */
export const forRead = ({ caller, signal, bytesRead }: RequestContext): ReadContext => ({
  caller,
  signal,
  bytesRead,
  mayLag: true,
});

/** The context of an HTTP request: its signal is aborted when the client disconnects before it has the response. */
export const createRequestContext = (caller: Caller, response: ServerResponse): RequestContext => ({
  caller,
  signal: signalOf(response),
  bytesRead: { bytes: 0 },
});

function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // One request can have many concurrent reads.
  setMaxListeners(Infinity, controller.signal);
  const abortUnlessFinished = (): void => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.closed) abortUnlessFinished();
  else response.once('close', abortUnlessFinished);
  return controller.signal;
}

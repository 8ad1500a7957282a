import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BytesRead } from '../mongo/read/read-batch.js';
import type { EntryPresenter } from '../query/entry-presenter.js';
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

/** Whom a read is for, and in which form, if its result is only sent to the client. */
export const forRead = ({ caller, signal, bytesRead }: RequestContext, presenter: EntryPresenter) =>
  ({ caller, signal, bytesRead, presenter, mayLag: true }) as const;

/** The context of an HTTP request: its signal is aborted when the client disconnects before it has the response. */
export const createRequestContext = (caller: Caller, response: ServerResponse): RequestContext => ({
  caller,
  signal: signalOf(response),
  bytesRead: { bytes: 0 },
});

interface Waiting {
  /** The last one of the connection: responses are sent in the order of their requests. */
  response: ServerResponse;
  readonly signal: AbortSignal;
}

const WAITING = Symbol('waiting');

/** One signal for all requests of a connection: one for each request would cost more than the rest of its context. */
function signalOf(response: ServerResponse): AbortSignal {
  const socket = response.req.socket as Socket & { [WAITING]?: Waiting };
  socket[WAITING] ??= watch(socket, response);
  socket[WAITING].response = response;
  return socket[WAITING].signal;
}

function watch(socket: Socket, response: ServerResponse): Waiting {
  const controller = new AbortController();
  // One request can have many concurrent reads.
  setMaxListeners(Infinity, controller.signal);
  const waiter: Waiting = { response, signal: controller.signal };
  const abortUnlessFinished = (): void => {
    if (!waiter.response.writableFinished) controller.abort();
  };
  if (socket.destroyed) abortUnlessFinished();
  else socket.once('close', abortUnlessFinished);
  return waiter;
}

import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { Caller } from '../../../documents/caller.js';
import type { RequestContext } from '../../../documents/request-context.js';

interface PendingResponse {
  readonly req: { readonly socket: Socket };
  readonly writableFinished: boolean;
}

/** The context of an HTTP request: its signal is aborted when the client disconnects before it has the response. */
export const createRequestContext = (caller: Caller, response: PendingResponse): RequestContext => ({
  caller,
  signal: signalOf(response),
  bytesRead: { bytes: 0 },
});

interface Waiting {
  /** The last one of the connection: responses are sent in the order of their requests. */
  response: PendingResponse;
  readonly signal: AbortSignal;
}

const WAITING = Symbol('waiting');

/** One signal for all requests of a connection: one for each request would cost more than the rest of its context. */
function signalOf(response: PendingResponse): AbortSignal {
  const socket = response.req.socket as Socket & { [WAITING]?: Waiting };
  socket[WAITING] ??= watch(socket, response);
  socket[WAITING].response = response;
  return socket[WAITING].signal;
}

function watch(socket: Socket, response: PendingResponse): Waiting {
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

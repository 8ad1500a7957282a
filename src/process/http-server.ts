import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { StartError } from '../errors/start-error.js';
import { answerUnreadable } from '../rest/answer-unreadable.js';
import type { RestApp } from '../rest/router.js';

/** An HTTP server that listens. */
export interface HttpServer {
  /** Where, e.g. `http://127.0.0.1:1337`. */
  readonly url: string;
  /** Takes no more requests and waits for those under way, at most so many milliseconds. */
  close(gracePeriod: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Milliseconds for the head of a request, for the whole of it, and that a connection is kept for the next. */
  readonly headTimeout: number;
  readonly requestTimeout: number;
  readonly keepAlive: number;
  /** Characters of a path with its query string; a longer one is refused by the application, a far longer one here. */
  readonly urlLimit: number;
}

/** Bytes of a request's head beside its URL: Node's own limit. */
const HEAD = 16 * 1024;
/** Connections that wait to be accepted: who does not find room among them tries again only after a second, or three. */
const BACKLOG = 4096;
/** Milliseconds between two looks for clients that are too slow. */
const LOOK = 1000;

/**
 * Listens for HTTP; port 0 is any free one.
 * @throws StartError when the address cannot be had
 */
export async function listen({ handler, messages }: RestApp, options: ListenOptions): Promise<HttpServer> {
  const { host, port, headTimeout, requestTimeout, keepAlive, urlLimit } = options;
  const server = createServer(
    {
      ...messages,
      maxHeaderSize: HEAD + urlLimit,
      headersTimeout: Math.min(headTimeout, requestTimeout),
      requestTimeout,
      keepAliveTimeout: keepAlive,
      connectionsCheckingInterval: Math.min(LOOK, headTimeout),
    },
    handler,
  );
  server.on('clientError', (error: Error, socket: Duplex) => answerUnreadable(error, socket, urlLimit));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const inUse = error.code === 'EADDRINUSE';
      reject(new StartError(inUse ? `Port ${port} is in use: stop the other program or set PORT` : error.message));
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const { address, port: given } = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${given}`,
    close: (gracePeriod) => close(server, gracePeriod),
  };
}

async function close(server: Server, gracePeriod: number): Promise<void> {
  const closed = new Promise((resolve) => {
    server.close(resolve);
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), gracePeriod);
  await closed;
  clearTimeout(timer);
}

import { createServer, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '../errors/start-error.js';
import { answerClientError } from '../rest/middleware/client-error.js';
import type { RestApp } from '../rest/router.js';

/** An HTTP server that listens. */
export interface HttpServer {
  /** Where, e.g. `http://127.0.0.1:1337`. */
  readonly url: string;
  /** Stops in a way that no client loses a request by, and waits until all connections are closed. */
  close(options: CloseOptions): Promise<void>;
}

export interface CloseOptions {
  /** Milliseconds that requests have to finish. */
  readonly gracePeriod: number;
  /** Milliseconds that clients have to see `Connection: close` in an answer, before connections without a request are closed; default 0. */
  readonly closeDelay?: number;
  /** Fulfilled when no process accepts connections on this address any more. */
  readonly allDeaf?: () => Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Milliseconds for the head of a request, for the whole of it, and that a connection is kept for the next. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  /** Characters of a path with its query string; a longer one is refused by the application, a far longer one here. */
  readonly urlLimit: number;
}

/** Bytes of a request's head beside its URL: Node's own limit. */
const HEAD = 16 * 1024;
/** Connections that wait to be accepted: who does not find room among them tries again only after a second, or three. */
const BACKLOG = 4096;
/** Milliseconds between two looks for clients that are too slow. */
const CHECK_INTERVAL_MS = 1000;
/** Milliseconds between two looks for connections whose last answer could not carry `Connection: close`. */
const CLOSE_LOOK = 100;

/** An HTTP server that does not listen yet. */
export function createHttpServer({ handler, messages }: RestApp, options: ListenOptions): Server {
  const { headersTimeout, requestTimeout, keepAliveTimeout, urlLimit } = options;
  const server = createServer(
    {
      ...messages,
      maxHeaderSize: HEAD + urlLimit,
      headersTimeout: Math.min(headersTimeout, requestTimeout),
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, headersTimeout),
    },
    handler,
  );
  server.on('clientError', (error: Error, socket: Duplex) => answerClientError(error, socket, urlLimit));
  return server;
}

/**
 * Listens for HTTP; port 0 is any free one.
 * @param app with its HTTP server, when there is one
 * @throws StartError when the address cannot be had
 */
export async function listen(
  app: RestApp & { readonly httpServer?: Server | undefined },
  options: ListenOptions,
): Promise<HttpServer> {
  const { host, port } = options;
  const server = app.httpServer ?? createHttpServer(app, options);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const inUse = error.code === 'EADDRINUSE';
      reject(new StartError(inUse ? `Port ${port} is in use: stop the other program or set PORT` : error.message));
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const { address, port: boundPort } = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${boundPort}`,
    close: async ({ gracePeriod, closeDelay = 0, allDeaf }) => {
      // Clients that keep their connections lose nothing by this. Were they told to close them first, they would open
      // others, and some of these would wait to be accepted at this very moment. The method of the HTTP server would
      // close connections as well.
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      // Web sockets too, which the method of the HTTP server leaves open.
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, gracePeriod);
      if (allDeaf !== undefined) await Promise.race([allDeaf(), closed]);
      app.closeConnections();
      const abort = new AbortController();
      await Promise.race([wait(closeDelay, undefined, abort), closed]).finally(() => abort.abort());
      server.closeIdleConnections();
      const look = setInterval(() => server.closeIdleConnections(), CLOSE_LOOK);
      await closed;
      clearInterval(look);
      clearTimeout(timer);
    },
  };
}

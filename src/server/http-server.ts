import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { answerClientError } from '../rest/middleware/client-error.js';
import type { RestApp } from '../rest/router.js';
import { listenOn } from './listen-on.js';

interface CloseOptions {
  /** Milliseconds for requests to finish. */
  readonly gracePeriod: number;
  /** Milliseconds in which responses can say `Connection: close`, before idle connections are closed; default 0. */
  readonly closeDelay?: number;
  /** Resolves when no process accepts connections on this address any more. */
  readonly allStopped?: () => Promise<void>;
}

/** The application refuses URLs that are longer than `urlLimit`, and this server much longer ones. */
export type ListenOptions = Pick<
  Config['server'],
  'host' | 'port' | 'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout'
> &
  Pick<Config['http'], 'urlLimit'>;

/** Bytes of a request's headers without its URL: Node's own limit. */
const HEAD = 16 * 1024;
/** Milliseconds between two checks for slow clients. */
const CHECK_INTERVAL_MS = 1000;
/** Milliseconds between two checks for connections whose last response could not carry `Connection: close`. */
const CLOSE_LOOK = 100;

/** An HTTP server that does not listen yet: project code gets it before there is an application. */
export function createHttpServer(options: ListenOptions) {
  let served: RestApp | undefined;
  const app = (): RestApp => {
    if (served === undefined) throw new Error('The server has no application yet');
    return served;
  };
  const { headersTimeout, requestTimeout, keepAliveTimeout, urlLimit } = options;
  const server = createServer(
    {
      ...messagesOf(app),
      maxHeaderSize: HEAD + urlLimit,
      headersTimeout: Math.min(headersTimeout, requestTimeout),
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, headersTimeout),
    },
    (request, response) => app().handler(request, response),
  );
  server.on('clientError', (error: Error, socket: Duplex) => answerClientError(error, socket, urlLimit));
  return {
    server,
    /** Lets the application answer; to be called before the server listens. */
    serve: (created: RestApp): void => {
      served = created;
    },
  };
}

/** The classes of an application's requests and responses, as constructors that return instances of them. */
function messagesOf(app: () => RestApp): RestApp['messages'] {
  function Request(...args: unknown[]): object {
    return Reflect.construct(app().messages.IncomingMessage as typeof IncomingMessage, args) as object;
  }
  function Response(...args: unknown[]): object {
    return Reflect.construct(app().messages.ServerResponse as typeof ServerResponse, args) as object;
  }
  return { IncomingMessage: Request, ServerResponse: Response } as unknown as RestApp['messages'];
}

/**
 * Lets an application answer on an address; port 0 means any free port.
 * @throws StartError if the address is not available
 */
export async function listen(app: RestApp, options: ListenOptions, { server, serve } = createHttpServer(options)) {
  serve(app);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listenOn(server, options);
  const { address, port: boundPort } = server.address() as AddressInfo;
  return {
    /** E.g. `http://127.0.0.1:1337`. */
    url: `http://${address.includes(':') ? `[${address}]` : address}:${boundPort}`,
    /** Stops without losing a request of any client, and waits until all connections are closed. */
    close: async ({ gracePeriod, closeDelay = 0, allStopped }: CloseOptions): Promise<void> => {
      // Clients with open connections lose nothing by this. If they had to close them first, they would open
      // others, some of which would be waiting for acceptance at this moment. The method of the HTTP server would
      // close connections as well.
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      // Also web sockets, which the method of the HTTP server leaves open.
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, gracePeriod);
      if (allStopped !== undefined) await Promise.race([allStopped(), closed]);
      app.closeConnections();
      const abort = new AbortController();
      await Promise.race([wait(closeDelay, undefined, abort), closed]).finally(() => abort.abort());
      const closeIdle = (): void => {
        server.closeIdleConnections();
        // Browsers open connections in advance. The method above closes only those that have had a request.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      };
      closeIdle();
      const look = setInterval(closeIdle, CLOSE_LOOK);
      await closed;
      clearInterval(look);
      clearTimeout(timer);
      // Ends the checks for slow clients, which would keep the whole application in memory. The event has been emitted.
      server.removeAllListeners('close').close();
    },
  };
}

export type HttpServer = Awaited<ReturnType<typeof listen>>;

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from './errors/start-error.js';

/** An HTTP server that listens. */
export interface HttpServer {
  /** Where, e.g. `http://127.0.0.1:1337`. */
  readonly url: string;
  /** Takes no more requests and waits for those under way, at most so many milliseconds. */
  close(gracePeriod: number): Promise<void>;
}

/**
 * Listens for HTTP; port 0 is any free one.
 * @throws StartError when the address cannot be had
 */
export async function listen(
  handler: RequestListener,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpServer> {
  const server = createServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const inUse = error.code === 'EADDRINUSE';
      reject(new StartError(inUse ? `Port ${port} is in use: stop the other program or set PORT` : error.message));
    });
    server.listen(port, host, resolve);
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

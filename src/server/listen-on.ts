import { Server } from 'node:net';
import type { Config } from '../config/config.js';
import { StartError } from '../errors/start-error.js';

type Address = Pick<Config['server'], 'host' | 'port'>;

/** The backlog of connections; clients beyond it retry after one to three seconds. */
const BACKLOG = 4096;

/** @throws StartError if the address is not available */
export async function checkAddress(address: Address): Promise<void> {
  const server = new Server();
  await listenOn(server, address);
  await new Promise((resolve) => server.close(resolve));
}

/** @throws StartError if the address is not available */
export const listenOn = (server: Server, { host, port }: Address): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const inUse = error.code === 'EADDRINUSE';
      reject(new StartError(inUse ? `Port ${port} is in use: stop the other program or set PORT` : error.message));
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });

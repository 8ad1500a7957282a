import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { Config } from './config/config.js';
import { readConfig } from './config/read-config.js';
import { StartError } from './errors/start-error.js';
import { openDatabase } from './mongo/open-database.js';

/** Starts the service and stops it on SIGTERM or SIGINT, after the requests that are under way. */
async function main(): Promise<void> {
  const config = await readConfig();
  const log = pino({ level: config.log.level });
  const opening = openDatabase({ ...config.database, dataFolder: config.folders.data }, log);
  // Loaded while the database starts.
  const { createService } = await import('./app.js');
  const service = await createService(config, opening, log).catch(async (error: unknown) => {
    await opening.then((database) => database.close());
    throw error;
  });
  const server = createServer(service.handler);
  await listen(server, config.server);
  const { address, port } = server.address() as AddressInfo;
  log.info(`Database: ${(await opening).description}`);
  log.info(
    `Ready on http://${address.includes(':') ? `[${address}]` : address}:${port} in ${Math.round(performance.now())} ms`,
  );

  const stop = async (signal: string): Promise<void> => {
    log.info(`${signal}: finishing requests`);
    await closeServer(server, config.server.gracePeriod);
    await service.close();
    log.info('Stopped');
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));
}

async function listen(server: Server, { host, port }: Config['server']): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const inUse = error.code === 'EADDRINUSE';
      reject(new StartError(inUse ? `Port ${port} is in use: stop the other program or set PORT` : error.message));
    });
    server.listen(port, host, resolve);
  });
}

async function closeServer(server: Server, gracePeriod: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), gracePeriod);
  await closed;
  clearTimeout(timer);
}

main().catch((error: unknown) => {
  process.exitCode = 1;
  if (error instanceof StartError) console.error(error.message);
  else console.error(error);
});

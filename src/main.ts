import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from './config/read-config.js';
import { StartError } from './errors/start-error.js';
import { listen } from './http-server.js';
import { isMonitored } from './config/is-monitored.js';
import { openDatabase } from './mongo/open-database.js';

/** Starts the service and stops it on SIGTERM or SIGINT, after the requests that are under way. */
async function main(): Promise<void> {
  const config = await readConfig();
  const log = pino({ level: config.log.level });
  const opening = openDatabase(
    { ...config.database, dataFolder: config.folders.data, monitored: isMonitored(config) },
    log,
  ).then((database) => {
    log.info(`Database: ${database.description}`);
    return database;
  });
  // Loaded while the database starts.
  const { createService } = await import('./app.js');
  const service = await createService(config, opening, log).catch(async (error: unknown) => {
    await opening.then((database) => database.close());
    throw error;
  });
  const server = await listen(service.handler, { ...config.server, ...config.http });
  log.info(`Ready on ${server.url} in ${Math.round(performance.now())} ms`);

  const stop = async (signal: string): Promise<void> => {
    log.info(`${signal}: finishing requests`);
    service.drain();
    await wait(config.server.drainDelay);
    await server.close(config.server.gracePeriod);
    await service.close();
    log.info('Stopped');
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));
}

main().catch((error: unknown) => {
  process.exitCode = 1;
  if (error instanceof StartError) console.error(error.message);
  else console.error(error);
});

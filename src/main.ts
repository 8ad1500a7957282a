import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from './config/read-config.js';
import { StartError } from './errors/start-error.js';
import { listen } from './http-server.js';
import { isMonitored } from './config/is-monitored.js';
import { openDatabase } from './mongo/open-database.js';
import { whenStopped } from './when-stopped.js';

/** Milliseconds beyond the grace period for what is left to close; what takes longer never ends. */
const LAST = 5000;

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
  const { startService } = await import('./start-service.js');
  const service = await startService(config, opening, log);
  const server = await listen(service.handler, { ...config.server, ...config.http });
  log.info(`Ready on ${server.url} in ${Math.round(performance.now())} ms`);

  const stop = async (reason: string): Promise<void> => {
    log.info(`${reason}: finishing requests`);
    const { drainDelay, gracePeriod } = config.server;
    setTimeout(() => process.exit(1), drainDelay + gracePeriod + LAST).unref();
    service.drain();
    await wait(drainDelay);
    await server.close(gracePeriod);
    await service.close();
    log.info('Stopped');
  };
  const end = whenStopped(config.variables['npm_lifecycle_event'] !== undefined, (reason) => {
    end();
    void stop(reason);
  });
}

main().catch((error: unknown) => {
  process.exitCode = 1;
  if (error instanceof StartError) console.error(error.message);
  else console.error(error);
});

import cluster from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { isMonitored } from '../config/is-monitored.js';
import { listen } from './http-server.js';
import type { ServiceLog } from '../app/app.js';
import { openDatabase } from '../mongo/open-database.js';
import { shareMetrics } from './share-metrics.js';
import { whenStopped } from './when-stopped.js';

/** Milliseconds beyond the grace period for what is left to close; what takes longer never ends. */
export const LAST = 5000;

/**
 * Serves in this process, alone or as one of several workers, until SIGTERM or SIGINT; then finishes the requests that
 * are under way.
 * @throws StartError
 */
export async function serve(config: Config, log: ServiceLog): Promise<void> {
  const { worker } = cluster;
  const opening = openDatabase(
    { ...config.database, dataFolder: config.folders.data, monitored: isMonitored(config) },
    log,
  ).then((database) => {
    log.info(`Database: ${database.description}`);
    return database;
  });
  // Whoever waits for it tells why.
  opening.catch(() => undefined);
  // Loaded while the database starts.
  const { startService } = await import('./start-service.js');
  const service = await startService(config, opening, log, worker && { expose: shareMetrics });
  const server = await listen(service, { ...config.server, ...config.http });

  const stop = async (reason: string): Promise<void> => {
    log.info(`${reason}: finishing requests`);
    const { drainDelay, gracePeriod } = config.server;
    setTimeout(() => process.exit(1), drainDelay + gracePeriod + LAST).unref();
    service.drain();
    await wait(drainDelay);
    await server.close(gracePeriod);
    await service.close();
    log.info('Stopped');
    worker?.disconnect();
  };
  let stopping = false;
  const end = whenStopped(config.variables['npm_lifecycle_event'] !== undefined, (reason) => {
    // A worker is told twice: Ctrl+C reaches it, and the process that runs it.
    if (worker === undefined) end();
    if (!stopping) void stop(reason);
    stopping = true;
  });
  // Last: who reads this may stop the service at once.
  log.info(`Ready on ${server.url} in ${Math.round(performance.now())} ms`);
}

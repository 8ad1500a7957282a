import cluster from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import type { Logger } from '../errors/logger.js';
import { createHttpServer, listen } from './http-server.js';
import { describeDrafts } from '../documents/hide-drafts.js';
import { exposeClusterMetrics, sendAvailability, waitUntilAllStopped } from './cluster-messages.js';
import { warnOfUnfitData } from './warn-of-unfit-data.js';
import { isSuccessor } from '../config/system.js';
import { awaitAddress } from './handover.js';
import { reasonOf } from '../errors/reason-of.js';
import { onShutdownSignal, SHUTDOWN_MARGIN_MS } from './shutdown-signal.js';
import { startService } from './start-service.js';
import type { Database } from '../mongo/connection/database.js';
import { announceServing } from '../mongo/coordination/serving.js';

/**
 * Serves in this process, alone or as one of several workers, until SIGTERM or SIGINT; then finishes requests
 * in progress.
 * @throws StartError
 */
export async function serve(config: Config, opening: Promise<Database>, log: Logger): Promise<void> {
  const { worker } = cluster;
  const opened = opening.then((database) => {
    log.info(`Database: ${database.description}`);
    log.info(`Drafts: ${describeDrafts(config.drafts)}`);
    return database;
  });
  // The start reports the reason.
  opened.catch(() => undefined);
  const listening = { ...config.server, ...config.http };
  const created = createHttpServer(listening);
  const service = await startService(config, opened, log, {
    httpServer: created.server,
    ...(worker && { expose: exposeClusterMetrics, reportAvailability: sendAvailability }),
  });
  if (isSuccessor()) await awaitAddress();
  const server = await listen(service, listening, created).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });

  // Node would end the process: one promise that code of a project forgets would be an outage.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'Unhandled rejection: the service goes on'));
  const endAnnouncement = await announce(await opened, log);

  const stop = async (reason: string): Promise<void> => {
    log.info(`${reason}: finishing requests`);
    const { drainDelay, gracePeriod, closeDelay } = config.server;
    setTimeout(() => process.exit(1), drainDelay + gracePeriod + SHUTDOWN_MARGIN_MS).unref();
    service.drain();
    await wait(drainDelay);
    await server.close({ gracePeriod, closeDelay, ...(worker !== undefined && { allStopped: waitUntilAllStopped }) });
    await endAnnouncement();
    await service.close();
    log.info('Stopped');
    worker?.disconnect();
  };
  let stopping = false;
  const end = onShutdownSignal((reason) => {
    // A worker receives the signal twice: Ctrl+C reaches it, and the process that runs it.
    if (worker === undefined) end();
    if (!stopping) void stop(reason);
    stopping = true;
  });
  // The first worker looks for all of them.
  if (worker === undefined || worker.id === 1) {
    void warnOfUnfitData(await opened, service.registry, log).catch((error: unknown) => {
      if (!stopping) log.warn(`The stored entries could not be checked against the definitions: ${reasonOf(error)}`);
    });
    await service.notices().then(
      (lines) => lines.forEach((line) => log.info(line)),
      (error: unknown) => log.warn(`Notices of plugins could not be read: ${reasonOf(error)}`),
    );
  }
  // Logged last: readers of this line may stop the service immediately.
  log.info(`Ready on ${server.url} in ${Math.round(performance.now() - setUpAt())} ms`);
}

/**
 * When `scripts/setup.mjs` had installed and built what was missing in this process, in milliseconds; it is no part of
 * a start.
 */
const setUpAt = (): number => performance.getEntriesByName('set up').at(-1)?.startTime ?? 0;

/** Lets commands detect that a service runs on this database. Returns a function that ends it. */
async function announce({ db, exclusive }: Database, log: Logger): Promise<() => Promise<void>> {
  const nothing = async (): Promise<void> => undefined;
  if (exclusive) return nothing;
  return announceServing(db).catch((error: unknown) => {
    log.warn({ err: error }, 'Commands cannot detect that this service is running');
    return nothing;
  });
}

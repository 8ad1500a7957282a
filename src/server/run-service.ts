import cluster from 'node:cluster';
import { pino, type DestinationStream } from 'pino';
import type { Config } from '../config/config.js';
import { readConfig } from '../config/read-config.js';
import { StartError } from '../errors/start-error.js';
import { chooseDatabaseSource } from '../mongo/connection/database-source.js';
import { closePrototypes } from './close-prototypes.js';
import { checkAddress } from './http-server.js';
import { formatLog } from './log-format.js';
import { SHUTDOWN_MARGIN_MS, serve } from './serve.js';
import { runWorkers } from './workers.js';

/** Runs the service, in this process or in several. A failed start is reported and ends the process. */
export function runService(): void {
  start().catch((error: unknown) => {
    process.exitCode = 1;
    if (error instanceof StartError) console.error(error.message);
    else console.error(error);
    // A worker would wait for messages.
    cluster.worker?.disconnect();
    // Whatever else keeps the process: a supervisor starts it again only once it has ended.
    setTimeout(() => process.exit(), SHUTDOWN_MARGIN_MS).unref();
  });
}

async function start(): Promise<void> {
  closePrototypes();
  const config = await readConfig();
  const log = pino({ level: config.log.level }, destination(config));
  const { workers: count } = config.server;
  if (count === 1 || cluster.isWorker) return serve(config, log);
  checkShared(config);
  await checkAddress(config.server);
  const { drainDelay, gracePeriod } = config.server;
  return runWorkers({ count, stopTimeoutMs: drainDelay + gracePeriod + 2 * SHUTDOWN_MARGIN_MS }, log);
}

/** JSON lines, for programs; on a terminal in development, what people read. */
function destination({ environment }: Config): DestinationStream {
  const { stdout } = process;
  if (!stdout.isTTY || environment !== 'development') return pino.destination(1);
  return formatLog((text) => stdout.write(text), stdout.hasColors());
}

/** @throws StartError when the database would be one process's own */
function checkShared({ database, server }: Config): void {
  if (chooseDatabaseSource(database).kind === 'uri') return;
  throw new StartError(
    `CLUSTER (${server.workers} processes) requires a shared database: set MONGODB_URI, or remove CLUSTER`,
  );
}

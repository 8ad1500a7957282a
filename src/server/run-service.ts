import cluster from 'node:cluster';
import { pino, type DestinationStream } from 'pino';
import { type Config, isMonitored } from '../config/config.js';
import { readConfig, readEnvironmentName } from '../config/load-config.js';
import { misspeltFiles } from '../config/misspelt-files.js';
import { misspeltVariables } from '../config/misspelt-variables.js';
import { isStrapiProject } from '../config/project/is-strapi-project.js';
import { isSuccessor } from '../config/system.js';
import { readVersion } from '../config/version.js';
import { StartError } from '../errors/start-error.js';
import { chooseDatabaseSource } from '../mongo/connection/database-source.js';
import { openDatabase } from '../mongo/connection/open-database.js';
import { closePrototypes } from './close-prototypes.js';
import { checkAddress } from './listen-on.js';
import { formatLog } from './log-format.js';
import { SHUTDOWN_MARGIN_MS } from './shutdown-signal.js';

/** Runs the service, in this process or in several. A failed start is reported and ends the process. */
export function runService(): void {
  start().catch((error: unknown) => {
    process.exitCode = 1;
    reportFailure(error);
    // A worker would wait for messages.
    cluster.worker?.disconnect();
    // Whatever else keeps the process: a supervisor starts it again only once it has ended.
    setTimeout(() => process.exit(), SHUTDOWN_MARGIN_MS).unref();
  });
}

/** In production as a line of the log, where programs look for it; whatever the level of the log is. */
function reportFailure(error: unknown): void {
  const reason = error instanceof StartError ? error.message : undefined;
  if (readEnvironmentName() !== 'production') console.error(reason ?? error);
  else pino({ level: 'fatal' }, pino.destination(1)).fatal(reason === undefined ? { err: error } : {}, reason);
}

async function start(): Promise<void> {
  closePrototypes();
  const config = await readConfig();
  const log = pino({ level: config.log.level }, destination(config));
  if (!cluster.isWorker) log.info(`Content Service ${readVersion()}, Node ${process.versions.node}`);
  const { workers: count } = config.server;
  if (!cluster.isWorker)
    for (const line of [...misspeltVariables(config.variables), ...misspeltFiles(config.folders)]) log.warn(line);
  const isOne = count === 1 || cluster.isWorker;
  if (!isOne && (await chooseDatabaseSource(config.database)).kind !== 'uri') {
    const need = `CLUSTER (${count} processes) requires a shared database`;
    throw new StartError(`${need}: set MONGODB_URI, or remove CLUSTER`);
  }
  // Before anything is written, such as the content of a first start.
  if (!cluster.isWorker && !isSuccessor()) await checkAddress(config.server);
  if (!isOne) {
    const { runWorkers } = await import('./workers.js');
    const { drainDelay, gracePeriod } = config.server;
    return runWorkers(count, drainDelay + gracePeriod + 2 * SHUTDOWN_MARGIN_MS, log);
  }
  // As in Strapi v4, relative paths in the code of a project begin in its folder.
  if (isStrapiProject(config.folders.contentTypes)) process.chdir(config.folders.contentTypes);
  const opening = openDatabase({ ...config.database, monitored: isMonitored(config) }, log);
  opening.catch(() => undefined); // `serve` reports the reason
  // The driver and the service are loaded while the database starts.
  const { serve } = await import('./serve.js');
  return serve(config, opening, log);
}

/** JSON lines, for programs; on a terminal in development, what people read. */
function destination({ environment }: Config): DestinationStream {
  const { stdout } = process;
  if (!stdout.isTTY || environment !== 'development') return pino.destination(1);
  return formatLog((text) => stdout.write(text), stdout.hasColors());
}

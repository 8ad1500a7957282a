import cluster, { type Worker } from 'node:cluster';
import { logAvailability } from '../app/operations/log-availability.js';
import type { Logger } from '../errors/logger.js';
import { coordinateWorkers } from './cluster-messages.js';
import { onShutdownSignal } from './shutdown-signal.js';

/** The service exits if more workers than this crash within the window. */
const MAX_RESTARTS = 10;
const RESTART_WINDOW_MS = 60_000;

/**
 * Runs this program in several processes that listen on one address. The first one starts alone: work that happens once
 * per database (sample content, declared access, indexes) is done when the others start. Workers that exit are
 * restarted. On SIGTERM or SIGINT all finish their requests; on a second signal all exit immediately.
 * @param stopTimeoutMs after which workers that have not stopped are killed
 */
export function runWorkers(count: number, stopTimeoutMs: number, log: Logger): void {
  const listening = new Set<Worker>();
  const workers = (): readonly Worker[] =>
    Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  let ends: readonly number[] = [];
  let served = false;
  let stopping = false;

  const stop = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    log.info(`${reason}: ${workers().length} workers finish their requests`);
    // A starting worker does not listen for messages yet, but exits on a signal.
    for (const worker of workers()) worker.process.kill('SIGTERM');
    setTimeout(() => {
      for (const worker of workers()) worker.process.kill('SIGKILL');
    }, stopTimeoutMs).unref();
  };
  const end = onShutdownSignal((reason) => {
    end();
    stop(reason);
  });

  cluster.on('listening', (worker) => {
    listening.add(worker);
    if (listening.size === count) log.info(`${count} workers serve`);
    if (served) return;
    served = true;
    for (let more = 1; more < count; more += 1) cluster.fork();
  });
  cluster.on('exit', (worker, code, signal: string | null) => {
    listening.delete(worker);
    if (stopping) {
      if (code !== 0 && signal !== 'SIGTERM') process.exitCode = 1;
      return;
    }
    log.error(`Worker ${worker.process.pid} ended (${signal ?? code})`);
    const now = Date.now();
    ends = [...ends.filter((time) => time > now - RESTART_WINDOW_MS), now];
    if (served && ends.length <= MAX_RESTARTS) {
      cluster.fork();
      return;
    }
    process.exitCode = 1;
    end();
    stop(served ? 'Too many workers ended' : 'The first worker did not start');
  });
  coordinateWorkers(workers, listening, logAvailability(log));
  cluster.fork();
}

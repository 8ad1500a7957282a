import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { Metrics } from '../app/operations/metrics.js';
import { AppError } from '../errors/app-error.js';
import type { Exposed } from '../rest/middleware/operator-routes.js';

/** What workers and the primary process send each other. */
type Message =
  /** A worker loses the database, or is back. */
  | { readonly kind: 'availability'; readonly isUp: boolean }
  /** A worker has stopped listening; all are notified when the last one has. */
  | { readonly kind: 'stoppedListening' | 'allStopped' }
  /** A worker requests the metrics; the primary process asks each worker, and forwards each reply to the requester. */
  | { readonly kind: 'metricsRequest'; readonly requestId: number }
  | ({ readonly kind: 'collectMetrics' } & MetricsRequest)
  | ({ readonly kind: 'metricsResponse'; readonly values: readonly object[] } & MetricsRequest);

interface MetricsRequest {
  readonly requestId: number;
  /** The id of the requesting worker. */
  readonly requester: number;
  /** The number of workers that reply. */
  readonly workerCount: number;
}

/** Milliseconds that a worker waits for the others to stop; one that hangs must not block it. */
const STOP_TIMEOUT_MS = 2000;
/** Milliseconds in which all workers report their metrics. */
const METRICS_TIMEOUT_MS = 5000;

/** A process that just exited receives nothing. */
const lost = (): void => undefined;

const tell = (worker: Worker | undefined, message: Message): void => void worker?.send(message, lost);

const tellPrimary = (message: Message): void => void process.send?.(message, undefined, undefined, lost);

/** In a worker: the primary process logs it once for all workers. */
export const sendAvailability = (isUp: boolean): void => tellPrimary({ kind: 'availability', isUp });

/**
 * In the primary process: answers the messages of workers. The database is lost when the first worker loses it, and
 * back when all have it. All workers are notified when none listens any more: before that a client that received
 * `Connection: close` would open a connection to another worker that is about to stop.
 */
export function coordinateWorkers(
  workers: () => readonly Worker[],
  listening: ReadonlySet<Worker>,
  changed: (isUp: boolean) => void,
): void {
  const [without, stopped] = [new Set<number>(), new Set<number>()];
  const note = (worker: number, isUp: boolean): void => {
    const sizeBefore = without.size;
    if (isUp) without.delete(worker);
    else without.add(worker);
    if ((sizeBefore === 0) !== (without.size === 0)) changed(without.size === 0);
  };
  const announceStop = (): void => {
    if (stopped.size === 0 || workers().some(({ id }) => !stopped.has(id))) return;
    for (const worker of workers()) tell(worker, { kind: 'allStopped' });
  };
  cluster.on('message', ({ id }, message: Message) => {
    if (message.kind === 'availability') note(id, message.isUp);
    if (message.kind === 'stoppedListening') {
      stopped.add(id);
      announceStop();
    }
    if (message.kind === 'metricsRequest') {
      const request = { requestId: message.requestId, requester: id, workerCount: listening.size };
      for (const worker of listening) tell(worker, { kind: 'collectMetrics', ...request });
    }
    if (message.kind === 'metricsResponse') tell(cluster.workers?.[message.requester], message);
  });
  cluster.on('exit', ({ id }) => {
    note(id, true);
    announceStop();
  });
}

/** In a worker that has stopped listening: resolves when all have. */
export async function waitUntilAllStopped(): Promise<void> {
  const announced = new Promise<void>((resolve) => {
    process.on('message', ({ kind }: Message) => {
      if (kind === 'allStopped') resolve();
    });
  });
  tellPrimary({ kind: 'stoppedListening' });
  await Promise.race([announced, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
}

/**
 * In a worker: the metrics of all workers, because a client can reach any of them. Counters are sums, so the
 * response is an error if one of them is missing.
 */
export function exposeClusterMetrics(own: Metrics): Exposed {
  const pending = new Map<number, (response: Extract<Message, { kind: 'metricsResponse' }>) => void>();
  let requests = 0;
  process.on('message', (message: Message) => {
    if (message.kind === 'collectMetrics')
      void own.values().then((values) => tellPrimary({ ...message, kind: 'metricsResponse', values }));
    if (message.kind === 'metricsResponse') pending.get(message.requestId)?.(message);
  });
  const requestMetrics = (requestId: number): Promise<readonly (readonly object[])[]> =>
    new Promise((resolve, reject) => {
      const collected: (readonly object[])[] = [];
      const timer = setTimeout(
        () => reject(new AppError('overloaded', 'A worker does not report its metrics')),
        METRICS_TIMEOUT_MS,
      );
      pending.set(requestId, ({ values, workerCount }) => {
        collected.push(values);
        if (collected.length < workerCount) return;
        clearTimeout(timer);
        resolve(collected);
      });
      tellPrimary({ kind: 'metricsRequest', requestId });
    });
  return {
    contentType: own.contentType,
    metrics: async () => {
      const requestId = (requests += 1);
      try {
        const { AggregatorRegistry } = await import('prom-client');
        return await AggregatorRegistry.aggregate([...(await requestMetrics(requestId))]).metrics();
      } finally {
        pending.delete(requestId);
      }
    },
  };
}

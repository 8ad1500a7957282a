import cluster, { type Worker } from 'node:cluster';
import { AppError } from '../errors/app-error.js';
import type { Metrics } from '../app/operations/metrics.js';
import type { Exposed } from '../rest/middleware/operator-routes.js';

/** A worker requests the metrics; the primary process asks each worker, and forwards each reply to the requester. */
type Message =
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

/** The time limit for all workers, in milliseconds. */
const TIMEOUT_MS = 5000;

/** A worker that just exited receives nothing. */
const lost = (): void => undefined;

/** In the primary process: forwards requests and replies. */
export function relayClusterMetrics(listening: ReadonlySet<Worker>): void {
  cluster.on('message', ({ id: requester }, message: Message) => {
    if (message.kind === 'metricsRequest') {
      const { requestId } = message;
      const request: Message = { kind: 'collectMetrics', requestId, requester, workerCount: listening.size };
      for (const worker of listening) worker.send(request, lost);
    }
    if (message.kind === 'metricsResponse') cluster.workers?.[message.requester]?.send(message, lost);
  });
}

/**
 * In a worker: the metrics of all workers, because a client can reach any of them. Counters are sums, so the
 * response is an error if one of them is missing.
 */
export function exposeClusterMetrics(own: Metrics): Exposed {
  const send = (message: Message): void => void process.send?.(message, undefined, undefined, lost);
  const pending = new Map<number, (response: Extract<Message, { kind: 'metricsResponse' }>) => void>();
  let requests = 0;
  process.on('message', (message: Message) => {
    if (message.kind === 'collectMetrics') {
      void own.values().then((values) => send({ ...message, kind: 'metricsResponse', values }));
    }
    if (message.kind === 'metricsResponse') pending.get(message.requestId)?.(message);
  });
  const requestMetrics = (requestId: number): Promise<readonly (readonly object[])[]> =>
    new Promise((resolve, reject) => {
      const collected: (readonly object[])[] = [];
      const timer = setTimeout(
        () => reject(new AppError('overloaded', 'A worker does not report its metrics')),
        TIMEOUT_MS,
      );
      pending.set(requestId, ({ values, workerCount }) => {
        collected.push(values);
        if (collected.length < workerCount) return;
        clearTimeout(timer);
        resolve(collected);
      });
      send({ kind: 'metricsRequest', requestId });
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

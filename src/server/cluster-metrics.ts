import cluster, { type Worker } from 'node:cluster';
import { AppError } from '../errors/app-error.js';
import type { Metrics } from '../app/operations/metrics.js';
import type { Exposed } from '../rest/middleware/operator-routes.js';

/** A worker asks; each worker is asked; each tells, and what it tells is handed on to the one that asked. */
type Message =
  | { readonly kind: 'askMetrics'; readonly requestId: number }
  | ({ readonly kind: 'tellMetrics' } & MetricsRequest)
  | ({ readonly kind: 'toldMetrics'; readonly values: readonly object[] } & MetricsRequest);

interface MetricsRequest {
  readonly requestId: number;
  /** The worker that asked, by its number. */
  readonly requester: number;
  /** How many workers tell. */
  readonly workerCount: number;
}

/** Milliseconds that all workers may take. */
const TIMEOUT_MS = 5000;

/** A worker that just ended gets nothing. */
const lost = (): void => undefined;

/** In the process that runs the workers: hands their questions and answers on. */
export function relayClusterMetrics(listening: ReadonlySet<Worker>): void {
  cluster.on('message', ({ id: requester }, message: Message) => {
    if (message.kind === 'askMetrics') {
      const { requestId } = message;
      const request: Message = { kind: 'tellMetrics', requestId, requester, workerCount: listening.size };
      for (const worker of listening) worker.send(request, lost);
    }
    if (message.kind === 'toldMetrics') cluster.workers?.[message.requester]?.send(message, lost);
  });
}

/**
 * In a worker: measurements of all workers together, as a client reaches any of them. Counters are sums, so the
 * answer is refused when one of them is missing.
 */
export function exposeClusterMetrics(own: Metrics): Exposed {
  const send = (message: Message): void => void process.send?.(message, undefined, undefined, lost);
  const pending = new Map<number, (response: Extract<Message, { kind: 'toldMetrics' }>) => void>();
  let requests = 0;
  process.on('message', (message: Message) => {
    if (message.kind === 'tellMetrics') {
      void own.values().then((values) => send({ ...message, kind: 'toldMetrics', values }));
    }
    if (message.kind === 'toldMetrics') pending.get(message.requestId)?.(message);
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
      send({ kind: 'askMetrics', requestId });
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

import cluster, { type Worker } from 'node:cluster';
import { AppError } from '../errors/app-error.js';
import type { Metrics } from '../app/metrics.js';
import type { Exposed } from '../rest/middleware/metrics-route.js';

/** A worker asks; each worker is asked; each tells, and what it tells is handed on to the one that asked. */
type Message =
  | { readonly kind: 'askMetrics'; readonly question: number }
  | ({ readonly kind: 'tellMetrics' } & Asked)
  | ({ readonly kind: 'toldMetrics'; readonly values: readonly object[] } & Asked);

interface Asked {
  readonly question: number;
  /** The worker that asked, by its number. */
  readonly asker: number;
  /** How many workers tell. */
  readonly tellers: number;
}

/** Milliseconds that all workers may take. */
const TIMEOUT_MS = 5000;

/** A worker that just ended gets nothing. */
const lost = (): void => undefined;

/** In the process that runs the workers: hands their questions and answers on. */
export function relayClusterMetrics(listening: ReadonlySet<Worker>): void {
  cluster.on('message', ({ id: asker }, message: Message) => {
    if (message.kind === 'askMetrics') {
      const { question } = message;
      const asked: Message = { kind: 'tellMetrics', question, asker, tellers: listening.size };
      for (const worker of listening) worker.send(asked, lost);
    }
    if (message.kind === 'toldMetrics') cluster.workers?.[message.asker]?.send(message, lost);
  });
}

/**
 * In a worker: measurements of all workers together, as whoever asks reaches any of them. Counters are sums, so the
 * answer is refused when one of them is missing.
 */
export function exposeClusterMetrics(own: Metrics): Exposed {
  const send = (message: Message): void => void process.send?.(message, undefined, undefined, lost);
  const waiting = new Map<number, (told: Extract<Message, { kind: 'toldMetrics' }>) => void>();
  let questions = 0;
  process.on('message', (message: Message) => {
    if (message.kind === 'tellMetrics') {
      void own.values().then((values) => send({ ...message, kind: 'toldMetrics', values }));
    }
    if (message.kind === 'toldMetrics') waiting.get(message.question)?.(message);
  });
  const ask = (question: number): Promise<readonly (readonly object[])[]> =>
    new Promise((resolve, reject) => {
      const told: (readonly object[])[] = [];
      const timer = setTimeout(
        () => reject(new AppError('overloaded', 'A worker does not tell what it measured')),
        TIMEOUT_MS,
      );
      waiting.set(question, ({ values, tellers }) => {
        told.push(values);
        if (told.length < tellers) return;
        clearTimeout(timer);
        resolve(told);
      });
      send({ kind: 'askMetrics', question });
    });
  return {
    contentType: own.contentType,
    metrics: async () => {
      const question = (questions += 1);
      try {
        const { AggregatorRegistry } = await import('prom-client');
        return await AggregatorRegistry.aggregate([...(await ask(question))]).metrics();
      } finally {
        waiting.delete(question);
      }
    },
  };
}

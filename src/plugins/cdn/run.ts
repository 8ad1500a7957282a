import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors/app-error.js';
import { repeat } from '../../mongo/coordination/repeat.js';
import type { Cache } from '../contract/cache.js';
import { isSuccess } from '../contract/http/circuit.js';
import { openSender } from '../contract/http/send.js';
import type { CachePurges } from '../contract/plugin-context.js';
import type { CommandResult, PluginContext } from '../contract/plugin.js';
import { adapters, type Adapter } from './adapters.js';
import { createDeliverer } from './deliver.js';

export interface Running {
  /** Sends a purge to each cache. @throws AppError application for those that refuse it */
  test(): Promise<CommandResult['rows']>;
  /** Purges everything; false: not all caches have acknowledged it yet. */
  purge(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Milliseconds between two runs. */
const intervals = { lease: 2000, deliver: 50, measure: 5000 };
const TIMEOUT_MS = 10_000;

/** Delivers the purges of all processes, if this one gets the lease. */
export async function run(
  { storage, log }: Pick<PluginContext, 'storage' | 'log'>,
  { caches, queue, replaceKilled, everything }: CachePurges,
): Promise<Running> {
  const { lease: openLease, observePurge, observePurgeLag } = storage.events;
  const lease = openLease('cdn');
  const stopping = new AbortController();
  // The operator declares the caches, many of them in a private network.
  const sender = openSender({ allowPrivate: true, timeoutMs: TIMEOUT_MS });
  const deliver = createDeliverer({
    purges: queue,
    everything,
    send: (request) => sender.send(request, stopping.signal),
    isActive: () => !stopping.signal.aborted && lease.isHeld(),
    observe: (outcome) => observePurge(isSuccess(outcome)),
    report: ({ name }, outcome) =>
      isSuccess(outcome)
        ? log.info(`Cache "${name}" accepts purges again`)
        : log.warn({ cache: name, ...outcome }, `Cache "${name}" does not accept purges; they are sent again`),
  });
  const report = (error: unknown): void => log.error({ err: error }, 'Purges: the database refuses a command');
  const measure = async (): Promise<void> => {
    const oldest = lease.isHeld() ? await queue.oldest() : undefined;
    observePurgeLag(oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.at.getTime()) / 1000);
  };
  /** A killed process may have written without a purge. */
  const keepUp = async (): Promise<void> => {
    if (await lease.acquire()) await replaceKilled(() => queue.add([everything]));
  };
  await queue.prune();
  await keepUp();
  const timers = [
    repeat(intervals.lease, keepUp, report),
    repeat(intervals.measure, measure, report),
    ...caches.map((cache) => repeat(intervals.deliver, () => deliver(cache), report)),
  ];
  const testOne = async (cache: Cache): Promise<Readonly<Record<string, unknown>>> => {
    const { request }: Adapter = adapters[cache.type];
    const outcome = await sender.send(request(cache, [randomBytes(9).toString('base64url')]));
    const { status, error, milliseconds } = outcome;
    if (!isSuccess(outcome)) throw new AppError('application', `${cache.name}: ${error ?? `status ${status}`}`);
    return { name: cache.name, type: cache.type, status, milliseconds };
  };
  return {
    test: () => Promise.all(caches.map(testOne)),
    purge: async () => {
      await queue.add([everything]);
      return queue.done(TIMEOUT_MS);
    },
    stop: async () => {
      stopping.abort();
      for (const end of timers) await end();
      sender.close();
      if (lease.isHeld()) await lease.release().catch(() => undefined);
    },
  };
}

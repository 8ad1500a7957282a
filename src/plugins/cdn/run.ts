import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors/app-error.js';
import { repeat } from '../../mongo/coordination/repeat.js';
import type { Cache } from '../contract/cache.js';
import { isSuccess, afterOutcome, allowed, closedCircuit, type Circuit } from '../contract/http/circuit.js';
import { openSender, type Outcome, type Sent } from '../contract/http/send.js';
import type { CachePurges } from '../contract/plugin-context.js';
import type { CommandResult, PluginContext } from '../contract/plugin.js';
import { adapters, type Adapter, purgesOf } from './adapters.js';
import { setTimeout as wait } from 'node:timers/promises';
import type { Purges, StoredPurge } from '../../mongo/events/purges.js';

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

interface DeliveryParts {
  readonly purges: Purges;
  /** The tag of every response. */
  readonly everything: string;
  readonly send: (request: Sent) => Promise<Outcome>;
  /** Whether it may go on: false when the process stops, or lost the lease. */
  readonly isActive: () => boolean;
  readonly observe: (outcome: Outcome) => void;
  /** Called when a cache begins to refuse purges, and when it accepts them again. */
  readonly report: (cache: Cache, outcome: Outcome) => void;
}

/**
 * Milliseconds between the moment when a purge is found and a look at all: writes at about one time are purged in one round. The second of
 * two rounds would also purge what was read again after the first, and has both writes.
 */
const BATCH_MS = 200;
/**
 * Milliseconds between the look and the request: responses that were read before the change and are on their way to the cache arrive before it.
 * They must not be older than a quarter of it when they are sent, see `QUICK_MS` in read-operation.ts.
 */
const ARRIVAL_MS = 200;
/** Purges of one round; if there are more, everything is purged in their place. */
const MAX_PURGES = 1000;

/** Sends the stored purges of caches, in order, and deletes those that the cache has accepted. */
function createDeliverer({ purges, everything, send, isActive, observe, report }: DeliveryParts) {
  /** By the name of the cache. */
  const circuits = new Map<string, Circuit>();
  const sendAll = async (cache: Cache, requests: readonly Sent[]): Promise<boolean> => {
    for (const request of requests) {
      const outcome = await send(request);
      // A request that the shutdown interrupted is sent again.
      if (!isActive() && outcome.status === undefined) return false;
      const before = circuits.get(cache.name) ?? closedCircuit;
      circuits.set(cache.name, afterOutcome(before, outcome, performance.now()));
      observe(outcome);
      const hasFailed = !isSuccess(outcome);
      if (hasFailed !== before.failures > 0) report(cache, outcome);
      if (hasFailed) return false;
    }
    return true;
  };
  /** One round for a cache. */
  return async (cache: Cache): Promise<void> => {
    if (!isActive() || allowed(circuits.get(cache.name) ?? closedCircuit, performance.now(), 1) === 0) return;
    if ((await purges.due(cache.name, 1)).length === 0) return;
    await wait(BATCH_MS);
    const due = await purges.due(cache.name, MAX_PURGES);
    await wait(ARRIVAL_MS);
    const isBehind = due.length === MAX_PURGES;
    const tags = isBehind ? [everything] : tagsOf(due);
    if (await sendAll(cache, purgesOf(cache, tags))) await purges.remove(due);
    // It is away for long: the purges would fill the database.
    else if (isBehind) await purges.replace(cache.name, everything);
  };
}

const tagsOf = (due: readonly StoredPurge[]): readonly string[] => [...new Set(due.flatMap(({ tags }) => tags))];

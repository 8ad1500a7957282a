import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors/app-error.js';
import { repeat } from '../../mongo/coordination/repeat.js';
import { isSuccess, afterOutcome, allowed, closedCircuit, type Circuit } from '../contract/http/circuit.js';
import { openSender } from '../contract/http/send.js';
import type { Cache, CachePurges } from '../contract/plugin-context.js';
import type { PluginContext } from '../contract/plugin.js';
import { adapters, purgesOf } from './adapters.js';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between two runs. */
const intervals = { lease: 2000, deliver: 50, measure: 5000 };
const TIMEOUT_MS = 10_000;
/**
 * Milliseconds between the moment when a purge is found and a look at all: writes at about one time are purged in one round. The second of
 * two rounds would also purge what was read again after the first, and has both writes.
 */
const BATCH_MS = 200;
/**
 * Milliseconds between the look and the request: responses that were read before the change and are on their way to the cache arrive before it.
 * They must not be older than a third of it when they are sent, see `quickRead` in choose-settings.ts.
 */
const ARRIVAL_MS = 300;
/** Purges of one round; if there are more, everything is purged in their place. */
const MAX_PURGES = 1000;

/** Delivers the purges of all processes, if this one gets the lease. */
export async function run(
  { storage, log }: Pick<PluginContext, 'storage' | 'log'>,
  { caches, queue, replaceKilled, everything }: CachePurges,
) {
  const lease = storage.events.lease('cdn');
  const stopping = new AbortController();
  // The operator declares the caches, many of them in a private network.
  const sender = openSender(true, TIMEOUT_MS);
  /** False when the process stops, or lost the lease. */
  const isActive = (): boolean => !stopping.signal.aborted && lease.isHeld();
  /** By the name of the cache. */
  const circuits = new Map<string, Circuit>();
  const sendAll = async (cache: Cache, tags: readonly string[]): Promise<boolean> => {
    for (const request of purgesOf(cache, tags)) {
      const outcome = await sender.send(request, stopping.signal);
      // A request that the shutdown interrupted is sent again.
      if (!isActive() && outcome.status === undefined) return false;
      const before = circuits.get(cache.name) ?? closedCircuit;
      circuits.set(cache.name, afterOutcome(before, outcome, performance.now()));
      const isAccepted = isSuccess(outcome);
      storage.events.observePurge(isAccepted);
      if (isAccepted && before.failures > 0) log.info(`Cache "${cache.name}" accepts purges again`);
      if (!isAccepted && before.failures === 0)
        log.warn(
          { cache: cache.name, ...outcome },
          `Cache "${cache.name}" does not accept purges; they are sent again`,
        );
      if (!isAccepted) return false;
    }
    return true;
  };
  /** One round for a cache: sends its stored purges, in order, and deletes those that it has accepted. */
  const deliver = async (cache: Cache): Promise<void> => {
    if (!isActive() || allowed(circuits.get(cache.name) ?? closedCircuit, performance.now(), 1) === 0) return;
    if ((await queue.due(cache.name, 1)).length === 0) return;
    await wait(BATCH_MS);
    const due = await queue.due(cache.name, MAX_PURGES);
    await wait(ARRIVAL_MS);
    const isBehind = due.length === MAX_PURGES;
    const tags = isBehind ? [everything] : [...new Set(due.flatMap((purge) => purge.tags))];
    if (await sendAll(cache, tags)) await queue.remove(due);
    // It is away for long: the purges would fill the database.
    else if (isBehind) await queue.replace(cache.name, everything);
  };
  const report = (error: unknown): void => log.error({ err: error }, 'Purges: the database refuses a command');
  const measure = async (): Promise<void> => {
    const oldest = lease.isHeld() ? await queue.oldest() : undefined;
    storage.events.observePurgeLag(oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.at.getTime()) / 1000);
  };
  /** A killed process may have written without a purge. */
  const keepUp = async (): Promise<void> => {
    if (await lease.acquire()) await replaceKilled(async () => void (await queue.add([everything])));
  };
  await queue.prune();
  await keepUp();
  const timers = [
    repeat(intervals.lease, keepUp, report),
    repeat(intervals.measure, measure, report),
    ...caches.map((cache) => repeat(intervals.deliver, () => deliver(cache), report)),
  ];
  const testOne = async (cache: Cache): Promise<Readonly<Record<string, unknown>>> => {
    const { request } = adapters[cache.type];
    const outcome = await sender.send(request(cache, [randomBytes(9).toString('base64url')]));
    const { status, error, milliseconds } = outcome;
    if (!isSuccess(outcome)) throw new AppError('application', `${cache.name}: ${error ?? `status ${status}`}`);
    return { name: cache.name, type: cache.type, status, milliseconds };
  };
  return {
    /** Sends a purge to each cache. @throws AppError application for those that refuse it */
    test: () => Promise.all(caches.map(testOne)),
    /** Purges everything; false: not all caches have acknowledged it yet. */
    purge: async (): Promise<boolean> => {
      return queue.awaited.done(await queue.add([everything]), TIMEOUT_MS);
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      for (const end of timers) await end();
      sender.close();
      if (lease.isHeld()) await lease.release().catch(() => undefined);
    },
  };
}

export type Running = Awaited<ReturnType<typeof run>>;

import { setTimeout as wait } from 'node:timers/promises';
import lodash from 'lodash';
import type { Logger } from '../../errors/logger.js';
import { reasonOf } from '../../errors/reason-of.js';
import type { Database } from '../../mongo/connection/database.js';
import { openLease } from '../../mongo/coordination/locks.js';
import { repeat } from '../../mongo/coordination/repeat.js';
import { replaceKilled } from '../../mongo/coordination/serving.js';
import { afterOutcome, allowed, closedCircuit, type Circuit } from '../../plugins/contract/http/circuit.js';
import type { Metrics } from '../operations/metrics.js';
import type { CachePurges, PurgedCache } from './open-caches.js';

/** Milliseconds between two runs. */
const intervals = { lease: 2000, deliver: 50, measure: 5000 };
const TIMEOUT_MS = 10_000;
/**
 * Milliseconds between the moment when a purge is found and a look at all: writes at about one time are purged in one
 * round. The second of two rounds would also purge what was read again after the first, and has both writes.
 */
const BATCH_MS = 200;
/**
 * Milliseconds between the look and the request: responses that were read before the change and are on their way to the
 * cache arrive before it. They must not be older than a third of it when they are sent, see `quickRead` in
 * choose-settings.ts.
 */
const ARRIVAL_MS = 300;
/** Purges of one round; if there are more, everything is purged in their place. */
const MAX_PURGES = 1000;

/** Delivers the purges of all processes, if this one gets the lease, until it is stopped. */
export async function deliverPurges(
  { caches, queue, everything }: CachePurges,
  { db, exclusive }: Pick<Database, 'db' | 'exclusive'>,
  { observePurge, observePurgeLag }: Pick<Metrics, 'observePurge' | 'observePurgeLag'>,
  log: Logger,
): Promise<() => Promise<void>> {
  const lease = openLease(db, 'cdn', exclusive);
  const stopping = new AbortController();
  /** False when the process stops, or lost the lease. */
  const isActive = (): boolean => !stopping.signal.aborted && lease.isHeld();
  /** By the name of the cache. */
  const circuits = new Map<string, Circuit>();
  const circuitOf = ({ name }: PurgedCache): Circuit => circuits.get(name) ?? closedCircuit;
  const note = (cache: PurgedCache, failure: { readonly reason: string } | undefined): void => {
    const { name } = cache;
    const { failures } = circuitOf(cache);
    circuits.set(name, afterOutcome(circuitOf(cache), failure === undefined, performance.now()));
    observePurge(failure === undefined);
    if (failure === undefined && failures > 0) log.info(`Cache "${name}" accepts purges again`);
    if (failure !== undefined && failures === 0)
      log.warn({ cache: name, error: failure.reason }, `Cache "${name}" does not accept purges; they are sent again`);
  };
  const sendAll = async (cache: PurgedCache, tags: readonly string[]): Promise<boolean> => {
    for (const part of lodash.chunk(tags, cache.maxTags)) {
      try {
        await cache.purge(part, AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]));
      } catch (error) {
        // What the shutdown interrupted is sent again.
        if (isActive()) note(cache, { reason: reasonOf(error) });
        return false;
      }
      note(cache, undefined);
    }
    return true;
  };
  /** One round for a cache: sends its stored purges, in order, and deletes those that it has accepted. */
  const deliver = async (cache: PurgedCache): Promise<void> => {
    if (!isActive() || allowed(circuitOf(cache), performance.now(), 1) === 0) return;
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
    observePurgeLag(oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.at.getTime()) / 1000);
  };
  /** A killed process may have written without a purge. */
  const keepUp = async (): Promise<void> => {
    if (await lease.acquire()) await replaceKilled(db, async () => void (await queue.add([everything])));
  };
  await queue.prune();
  await keepUp();
  const timers = [
    repeat(intervals.lease, keepUp, report),
    repeat(intervals.measure, measure, report),
    ...caches.map((cache) => repeat(intervals.deliver, () => deliver(cache), report)),
  ];
  return async () => {
    stopping.abort();
    for (const end of timers) await end();
    if (lease.isHeld()) await lease.release().catch(() => undefined);
  };
}

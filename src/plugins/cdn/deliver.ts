import { setTimeout as wait } from 'node:timers/promises';
import type { Purges, StoredPurge } from '../../mongo/events/purges.js';
import type { Cache } from '../contract/cache.js';
import { afterOutcome, allowed, closedCircuit, isSuccess, type Circuit } from '../contract/http/circuit.js';
import type { Outcome, Sent } from '../contract/http/send.js';
import { purgesOf } from './adapters.js';

export interface DeliveryParts {
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
 * Milliseconds between the moment when a purge is found and its request: responses that were read before the change and are on their
 * way to the cache arrive before it. They must not be older than a quarter of it when they are sent, see `QUICK_MS` in read-operation.ts.
 */
const BATCH_MS = 200;
/** Purges of one round; if there are more, everything is purged in their place. */
const MAX_PURGES = 1000;

/** Sends the stored purges of caches, in order, and deletes those that the cache has accepted. */
export function createDeliverer({ purges, everything, send, isActive, observe, report }: DeliveryParts) {
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
    const due = await purges.due(cache.name, MAX_PURGES);
    if (due.length === 0) return;
    await wait(BATCH_MS);
    const isBehind = due.length === MAX_PURGES;
    const tags = isBehind ? [everything] : tagsOf(due);
    if (await sendAll(cache, purgesOf(cache, tags))) await purges.remove(due);
    // It is away for long: the purges would fill the database.
    else if (isBehind) await purges.replace(cache.name, everything);
  };
}

const tagsOf = (due: readonly StoredPurge[]): readonly string[] => [...new Set(due.flatMap(({ tags }) => tags))];

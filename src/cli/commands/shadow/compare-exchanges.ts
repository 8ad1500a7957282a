import { isRecord } from '../../../config/record.js';
import { gatherCauses, type Cause } from '../compare/causes.js';
import { findDifferences } from '../compare/find-differences.js';
import { isGraphql, isRead, nameOf } from '../compare/requests.js';
import { createCreations } from './creations.js';
import { answerOf, mirror } from './mirror.js';
import type { Exchange, ProxyOptions, Side } from './proxy.js';
import { createSequence } from './sequence.js';
import { tolerateMirrored } from './tolerance.js';

/** What the comparison has found so far. */
export interface ShadowReport {
  readonly requests: number;
  readonly equal: number;
  readonly different: number;
  /** Reads that differ, but during which something was written: each side may have answered before or after the write. */
  readonly unclear: number;
  /** Requests that were not compared, by reason. */
  readonly dropped: Readonly<Record<Reason, number>>;
  /** Writes that only one side has: from then on the sides differ. */
  readonly lostWrites: number;
  readonly causes: readonly Cause[];
}

/** Why a request is not compared. */
type Reason = 'memory' | 'broken off' | 'unanswered' | 'write skipped';

export interface Comparing {
  readonly onRequest: ProxyOptions['onRequest'];
  report(): ShadowReport;
  /** Resolves once nothing waits to be compared. */
  settled(): Promise<void>;
}

/** Requests that the other side gets at once. */
const CONCURRENCY = 16;

/** Sends each request of a client to the other side as well, in the order of the answers, and compares. */
export function compareExchanges(urls: Readonly<Record<Side, string>>, mirrorsWrites: boolean): Comparing {
  const causes = gatherCauses();
  const counts = { requests: 0, equal: 0, different: 0, unclear: 0, lostWrites: 0 };
  const dropped: Record<Reason, number> = { memory: 0, 'broken off': 0, unanswered: 0, 'write skipped': 0 };
  const sequence = createSequence(CONCURRENCY);
  const creations = createCreations<Job>();
  /** Writes that have begun, and those that are under way. */
  const writes = { begun: 0, running: 0 };

  const drop = (reason: Reason, isWrite: boolean): void => {
    dropped[reason] += 1;
    if (isWrite && reason !== 'write skipped') counts.lostWrites += 1;
  };
  const compare = async ({ exchange, isWrite, isUnclear }: Job): Promise<void> => {
    const { body, answer, side } = exchange;
    const [sent, received] = [body.bytes, answer.bytes];
    try {
      if (sent === undefined || (received === undefined && !isWrite)) return drop('memory', isWrite);
      const other: Side = side === 'reference' ? 'ours' : 'reference';
      const [first, second] = await Promise.all([
        received && answerOf(exchange, received),
        mirror(exchange, urls[other], sent),
      ]);
      if (first === undefined) return drop('memory', false);
      const [reference, ours] = side === 'reference' ? [first, second] : [second, first];
      const differences = findDifferences(reference, ours, tolerateMirrored);
      if (differences.length === 0) counts.equal += 1;
      else if (isUnclear) counts.unclear += 1;
      else {
        counts.different += 1;
        const { method, path } = exchange;
        causes.add(nameOf({ method, path, ...(isGraphql(path) && { body: sent.toString() }) }), differences);
      }
    } catch {
      drop('unanswered', isWrite);
    } finally {
      for (const recording of [body, answer]) recording.release();
    }
  };
  const take = (exchange: Exchange, isUnclear: boolean): void => {
    const { method, path, body, status } = exchange;
    const isWrite = !isRead({ method, path, body: isGraphql(path) ? body.bytes?.toString() : undefined });
    const job = { exchange, isWrite, isUnclear: isUnclear && !isWrite };
    if (!isWrite) return sequence.add('read', () => compare(job));
    // Reads that are under way may have seen it.
    writes.begun += 1;
    if (!mirrorsWrites) {
      for (const recording of [body, exchange.answer]) recording.release();
      return drop('write skipped', true);
    }
    if (method !== 'POST' || status >= 300) return sequence.add('write', () => compare(job));
    creations.answered(path, idOf(exchange), job);
    sequence.add('write', async () => {
      const next = await creations.next(path);
      if (next !== undefined) await compare(next);
    });
  };

  return {
    onRequest: (method, path) => {
      counts.requests += 1;
      const isWriting = !isRead({ method, path }) && !isGraphql(path);
      const end = method === 'POST' ? creations.begin(path) : undefined;
      if (isWriting) {
        writes.begun += 1;
        writes.running += 1;
      }
      const before = writes.begun;
      const isDuringWrite = writes.running > 0;
      return (exchange) => {
        if (isWriting) writes.running -= 1;
        if (exchange === undefined) drop('broken off', isWriting);
        else take(exchange, isDuringWrite || writes.begun !== before);
        end?.();
      };
    },
    report: () => ({ ...counts, dropped: { ...dropped }, causes: causes.list() }),
    settled: sequence.settled,
  };
}

interface Job {
  readonly exchange: Exchange;
  readonly isWrite: boolean;
  readonly isUnclear: boolean;
}

/** The id of the entry that was created; the last of all if the answer has none. */
async function idOf(exchange: Exchange): Promise<number> {
  try {
    const { body } = await answerOf(exchange, exchange.answer.bytes ?? Buffer.alloc(0));
    const answer: unknown = JSON.parse(body);
    const entry = isRecord(answer) && isRecord(answer['data']) ? answer['data'] : answer;
    return isRecord(entry) && typeof entry['id'] === 'number' ? entry['id'] : Infinity;
  } catch {
    return Infinity;
  }
}

import { isRecord } from '../../../config/record.js';
import { gatherCauses, type Cause } from '../compare/causes.js';
import { findDifferences } from '../compare/find-differences.js';
import { isGraphql, isRead, nameOf } from '../compare/requests.js';
import { createCreations } from './creations.js';
import { receivedAnswer, mirror } from './mirror.js';
import type { Exchange, Side } from './proxy.js';
import { createSequence } from './sequence.js';
import { tolerateMirrored } from './tolerance.js';

export interface ShadowReport {
  readonly requests: number;
  readonly equal: number;
  readonly different: number;
  /**
   * Reads that differ, but during which something was written: each side may have answered before or after the write.
   */
  readonly unclear: number;
  /** Requests that were not compared, by reason. */
  readonly dropped: Readonly<Record<Reason, number>>;
  /** Writes that only one side has: from then on the sides differ. */
  readonly lostWrites: number;
  readonly causes: readonly Cause[];
}

type Reason = 'memory' | 'broken off' | 'unanswered' | 'write skipped';

export interface ComparisonOptions {
  readonly urls: Readonly<Record<Side, string>>;
  readonly mirrorsWrites: boolean;
}

/** Requests that the other side gets at once. */
const CONCURRENCY = 16;

/**
 * Sends each request of a client to the other side as well, in the order of the answers, and compares.
 * @param release called with the number of bytes of an exchange that has been compared or dropped
 */
export function openComparison({ urls, mirrorsWrites }: ComparisonOptions, release: (bytes: number) => void) {
  const causes = gatherCauses();
  const counts = { requests: 0, equal: 0, different: 0, unclear: 0, lostWrites: 0 };
  const dropped: Record<Reason, number> = { memory: 0, 'broken off': 0, unanswered: 0, 'write skipped': 0 };
  const sequence = createSequence(CONCURRENCY);
  const creations = createCreations<Job>();
  /** The longest time that a write has waited for those before it. */
  let waitedMs = 0;
  /** Writes that have begun, and those that are under way. */
  const writes = { begun: 0, running: 0 };

  const drop = (reason: Reason, isWrite: boolean): void => {
    dropped[reason] += 1;
    if (isWrite && reason !== 'write skipped') counts.lostWrites += 1;
  };
  const compare = async ({ exchange, isWrite, isUnclear, since }: Job): Promise<void> => {
    if (isWrite) waitedMs = Math.max(waitedMs, performance.now() - since);
    const { method, path, headers, body: sent, answer: received, side } = exchange;
    const { authorization } = headers;
    try {
      if (sent === undefined || (received === undefined && !isWrite)) return drop('memory', isWrite);
      const other: Side = side === 'reference' ? 'ours' : 'reference';
      const mirrored = await mirror(exchange, urls[other], sent);
      if (received === undefined) return drop('memory', false);
      const answer = receivedAnswer(exchange, received);
      const [reference, ours] = side === 'reference' ? [answer, mirrored] : [mirrored, answer];
      const differences = findDifferences(reference, ours, tolerateMirrored(waitedMs));
      if (differences.length === 0) counts.equal += 1;
      else if (isUnclear) counts.unclear += 1;
      else {
        counts.different += 1;
        causes.add(
          nameOf({ method, path, authorization, ...(isGraphql(path) && { body: Buffer.from(sent).toString() }) }),
          differences,
        );
      }
    } catch {
      drop('unanswered', isWrite);
    } finally {
      release(sizeOf(exchange));
    }
  };
  const take = (exchange: Exchange, isUnclear: boolean): void => {
    const { method, path, body, status } = exchange;
    const isWrite = !isRead({ method, path, body: isGraphql(path) && body ? Buffer.from(body).toString() : undefined });
    const job = { exchange, isWrite, isUnclear: isUnclear && !isWrite, since: performance.now() };
    if (!isWrite) return sequence.add('read', () => compare(job));
    // Reads that are under way may have seen it.
    writes.begun += 1;
    if (!mirrorsWrites) {
      release(sizeOf(exchange));
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
    /** A request arrives. Returns the function that takes its exchange, as in `ProxyOptions`. */
    begin: (method: string, path: string): ((exchange: Exchange | undefined) => void) => {
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
    report: (): ShadowReport => ({ ...counts, dropped: { ...dropped }, causes: causes.list() }),
    /** Resolves once nothing waits to be compared. */
    settled: sequence.settled,
  };
}

const sizeOf = ({ body, answer }: Exchange): number => (body?.length ?? 0) + (answer?.length ?? 0);

interface Job {
  readonly exchange: Exchange;
  readonly isWrite: boolean;
  readonly isUnclear: boolean;
  /** The time of the answer to the client. */
  readonly since: number;
}

/** The id of the entry that was created; the last of all if the answer has none. */
function idOf(exchange: Exchange): number {
  try {
    const { body } = receivedAnswer(exchange, exchange.answer ?? new Uint8Array());
    const answer: unknown = JSON.parse(body);
    const entry = isRecord(answer) && isRecord(answer['data']) ? answer['data'] : answer;
    return isRecord(entry) && typeof entry['id'] === 'number' ? entry['id'] : Infinity;
  } catch {
    return Infinity;
  }
}

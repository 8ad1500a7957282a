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
  /** Reads that differ, but during which something was written: each side may have answered before or after the write. */
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

/** Sends each request of a client to the other side as well, in the order of the answers, and compares. */
export class Comparison {
  readonly #options: ComparisonOptions;
  readonly #release: (bytes: number) => void;
  readonly #causes = gatherCauses();
  readonly #counts = { requests: 0, equal: 0, different: 0, unclear: 0, lostWrites: 0 };
  readonly #dropped: Record<Reason, number> = { memory: 0, 'broken off': 0, unanswered: 0, 'write skipped': 0 };
  readonly #sequence = createSequence(CONCURRENCY);
  readonly #creations = createCreations<Job>();
  /** The longest time that a write has waited for those before it. */
  #waitedMs = 0;
  /** Writes that have begun, and those that are under way. */
  readonly #writes = { begun: 0, running: 0 };

  /** @param release called with the number of bytes of an exchange that has been compared or dropped */
  constructor(options: ComparisonOptions, release: (bytes: number) => void) {
    this.#options = options;
    this.#release = release;
  }

  /** A request arrives. Returns the function that takes its exchange, as in `ProxyOptions`. */
  begin(method: string, path: string): (exchange: Exchange | undefined) => void {
    const writes = this.#writes;
    this.#counts.requests += 1;
    const isWriting = !isRead({ method, path }) && !isGraphql(path);
    const end = method === 'POST' ? this.#creations.begin(path) : undefined;
    if (isWriting) {
      writes.begun += 1;
      writes.running += 1;
    }
    const before = writes.begun;
    const isDuringWrite = writes.running > 0;
    return (exchange) => {
      if (isWriting) writes.running -= 1;
      if (exchange === undefined) this.#drop('broken off', isWriting);
      else this.#take(exchange, isDuringWrite || writes.begun !== before);
      end?.();
    };
  }

  report(): ShadowReport {
    return { ...this.#counts, dropped: { ...this.#dropped }, causes: this.#causes.list() };
  }

  /** Resolves once nothing waits to be compared. */
  settled(): Promise<void> {
    return this.#sequence.settled();
  }

  #take(exchange: Exchange, isUnclear: boolean): void {
    const { method, path, body, status } = exchange;
    const isWrite = !isRead({ method, path, body: isGraphql(path) && body ? Buffer.from(body).toString() : undefined });
    const job = { exchange, isWrite, isUnclear: isUnclear && !isWrite, since: performance.now() };
    if (!isWrite) return this.#sequence.add('read', () => this.#compare(job));
    // Reads that are under way may have seen it.
    this.#writes.begun += 1;
    if (!this.#options.mirrorsWrites) {
      this.#release(sizeOf(exchange));
      return this.#drop('write skipped', true);
    }
    if (method !== 'POST' || status >= 300) return this.#sequence.add('write', () => this.#compare(job));
    this.#creations.answered(path, idOf(exchange), job);
    this.#sequence.add('write', async () => {
      const next = await this.#creations.next(path);
      if (next !== undefined) await this.#compare(next);
    });
  }

  async #compare({ exchange, isWrite, isUnclear, since }: Job): Promise<void> {
    if (isWrite) this.#waitedMs = Math.max(this.#waitedMs, performance.now() - since);
    const { method, path, headers, body: sent, answer: received, side } = exchange;
    const { authorization } = headers;
    try {
      if (sent === undefined || (received === undefined && !isWrite)) return this.#drop('memory', isWrite);
      const other: Side = side === 'reference' ? 'ours' : 'reference';
      const mirrored = await mirror(exchange, this.#options.urls[other], sent);
      if (received === undefined) return this.#drop('memory', false);
      const answer = receivedAnswer(exchange, received);
      const [reference, ours] = side === 'reference' ? [answer, mirrored] : [mirrored, answer];
      const differences = findDifferences(reference, ours, tolerateMirrored(this.#waitedMs));
      if (differences.length === 0) this.#counts.equal += 1;
      else if (isUnclear) this.#counts.unclear += 1;
      else {
        this.#counts.different += 1;
        this.#causes.add(
          nameOf({ method, path, authorization, ...(isGraphql(path) && { body: Buffer.from(sent).toString() }) }),
          differences,
        );
      }
    } catch {
      this.#drop('unanswered', isWrite);
    } finally {
      this.#release(sizeOf(exchange));
    }
  }

  #drop(reason: Reason, isWrite: boolean): void {
    this.#dropped[reason] += 1;
    if (isWrite && reason !== 'write skipped') this.#counts.lostWrites += 1;
  }
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

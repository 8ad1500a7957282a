import pLimit from 'p-limit';
import { groupBy } from '../../config/group-by.js';
import type { EventLog } from '../../mongo/events/event-log.js';
import type { LoggedEvent } from '../../mongo/events/logged-events.js';
import type { Delivery, WebhookRecords } from '../../mongo/events/webhook-records.js';
import { afterOutcome, allowed, closedCircuit, isSuccess, type Circuit } from '../contract/http/circuit.js';
import type { Outcome, OutgoingRequest } from '../contract/http/send.js';
import { headersOf, type Webhook } from './webhook.js';

export interface DeliveryParts {
  readonly log: Pick<EventLog, 'bounds' | 'horizon' | 'read'>;
  readonly records: Pick<WebhookRecords, 'position' | 'advance' | 'waiting' | 'save'>;
  readonly send: (request: OutgoingRequest) => Promise<Outcome>;
  readonly defaultHeaders: Readonly<Record<string, string>>;
  /** What the webhook receives of a write, in its form. */
  readonly expand: (webhook: Webhook, event: LoggedEvent) => Promise<readonly Delivery[]>;
  /** Whether it may go on: false when the process stops, or lost the lease. */
  readonly isActive: () => boolean;
  readonly observe: (outcome: Outcome, tries: number) => void;
  /** Reports that a receiver fails from now on, or is reached again. */
  readonly reportChange: (webhook: Webhook, outcome: Outcome) => void;
  /** Reports that the log deleted up to so many events before they were sent. */
  readonly reportLost: (webhook: Webhook, events: number) => void;
}

/** Maximum events per round, pending deliveries per webhook, and concurrent deliveries. */
const BATCH = 100;
const MAX_WAITING = 1000;
const CONCURRENCY = 5;

/** Sends events of the log to webhooks, in order for each entry. Deliveries not stored as done are sent again. */
export class Deliverer {
  readonly #parts: DeliveryParts;
  /** By URL. */
  readonly #circuits = new Map<string, Circuit>();
  /** Webhooks without deliveries that wait. */
  readonly #idle = new Set<string>();
  readonly #positions = new Map<string, number>();

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** How far each webhook is. */
  get positions(): ReadonlyMap<string, number> {
    return this.#positions;
  }

  /** A command may have added deliveries. */
  recheck(): void {
    this.#idle.clear();
  }

  /** Another process may have sent deliveries in the meantime. */
  reset(): void {
    this.#idle.clear();
    this.#positions.clear();
  }

  /** One round: due deliveries, then new events. Returns true if there may be more to do immediately. */
  async deliver(webhook: Webhook): Promise<boolean> {
    const { key } = webhook;
    const { log, records } = this.#parts;
    const concurrency = this.#allowed(webhook);
    if (concurrency === 0) return false;
    const waiting = this.#idle.has(key) ? [] : await records.waiting(key, MAX_WAITING);
    const from = this.#positions.get(key) ?? (await records.position(key, await log.horizon()));
    const isFull = waiting.length >= MAX_WAITING;
    const { events, upTo } = isFull ? { events: [], upTo: from } : await this.#readNew(webhook, from);
    const added = await this.#expand(webhook, events);
    const before = new Set(waiting);
    const queues = queuesOf(waiting, added);
    const results = await pLimit(concurrency).map(queues, (queue) => this.#sendInOrder(webhook, queue));
    const changed = results.flat().filter((result) => !before.has(result));
    await records.save(changed);
    if (results.flat().some(({ state }) => state === 'waiting')) this.#idle.delete(key);
    else this.#idle.add(key);
    if (upTo > from) await records.advance(key, upTo);
    this.#positions.set(key, upTo);
    return events.length === BATCH || changed.some(({ state }) => state === 'delivered');
  }

  #circuitOf({ url }: Webhook): Circuit {
    return this.#circuits.get(url) ?? closedCircuit;
  }

  #allowed(webhook: Webhook): number {
    return allowed(this.#circuitOf(webhook), performance.now(), CONCURRENCY);
  }

  /** The next events, and the position up to which there are no others. */
  async #readNew(webhook: Webhook, from: number): Promise<{ events: readonly LoggedEvent[]; upTo: number }> {
    const { log, reportLost } = this.#parts;
    const horizon = await log.horizon();
    if (horizon <= from) return { events: [], upTo: from };
    const events = await log.read(from, horizon, BATCH);
    // Checked after the read, so that a concurrent deletion is noticed.
    const { pruned } = await log.bounds();
    const lost = pruned - from - events.filter(({ position }) => position <= pruned).length;
    if (lost > 0) reportLost(webhook, lost);
    return { events, upTo: events.at(-1)?.position ?? Math.max(from, pruned) };
  }

  async #expand(webhook: Webhook, events: readonly LoggedEvent[]): Promise<readonly Delivery[]> {
    const deliveries: Delivery[] = [];
    for (const event of events) deliveries.push(...(await this.#parts.expand(webhook, event)));
    return deliveries;
  }

  /** Sends the deliveries of one entry, until one has to wait. */
  async #sendInOrder(webhook: Webhook, deliveries: readonly Delivery[]): Promise<readonly Delivery[]> {
    const results: Delivery[] = [];
    for (const [index, delivery] of deliveries.entries()) {
      const isDue = delivery.next.getTime() <= Date.now();
      const mayGoOn = isDue && this.#parts.isActive() && this.#allowed(webhook) > 0;
      const result = mayGoOn ? await this.#attempt(webhook, delivery) : delivery;
      results.push(result);
      if (result.state === 'waiting') return [...results, ...deliveries.slice(index + 1)];
    }
    return results;
  }

  async #attempt(webhook: Webhook, delivery: Delivery): Promise<Delivery> {
    const { send, defaultHeaders, isActive, observe, reportChange } = this.#parts;
    const headers = headersOf(webhook, delivery, defaultHeaders, new Date());
    const outcome = await send({ url: webhook.url, headers, body: delivery.body });
    // A request that the shutdown interrupted does not count as an attempt.
    if (!isActive() && outcome.status === undefined) return delivery;
    const before = this.#circuitOf(webhook);
    this.#circuits.set(webhook.url, afterOutcome(before, isSuccess(outcome), performance.now()));
    observe(outcome, delivery.tries);
    if (isSuccess(outcome) !== (before.failures === 0)) reportChange(webhook, outcome);
    return afterTry(delivery, outcome, new Date(), Math.random());
  }
}

/** Deliveries by entry, in order. Events that are read again after a crash may already have pending deliveries. */
function queuesOf(waiting: readonly Delivery[], added: readonly Delivery[]): readonly (readonly Delivery[])[] {
  const stored = new Set(waiting.map(({ _id }) => _id));
  const all = [...waiting, ...added.filter(({ _id }) => !stored.has(_id))];
  const inOrder = all.toSorted((a, b) => a.n - b.n || a.i - b.i);
  return [...groupBy(inOrder, ({ key }) => key).values()];
}

/** Milliseconds: the first delay, the maximum delay, and the time after which a delivery fails permanently. */
export const retries = { first: 1000, max: 3_600_000, total: 86_400_000 } as const;

/** A delivery after an attempt. @param random 0 to 1: deliveries that failed together are retried at different times */
export function afterTry(
  delivery: Delivery,
  { status, error, milliseconds }: Outcome,
  now: Date,
  random: number,
): Delivery {
  const { status: _status, error: _error, ...rest } = delivery;
  const tries = delivery.tries + 1;
  const outcome = {
    ...rest,
    tries,
    milliseconds,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
  };
  if (status !== undefined && isSuccess({ status })) return { ...outcome, state: 'delivered', next: now };
  const pause = Math.min(retries.first * 2 ** Math.min(tries - 1, 20), retries.max) * (0.5 + random);
  const next = new Date(now.getTime() + pause);
  const isOver = next.getTime() - delivery.at.getTime() > retries.total;
  return { ...outcome, state: isOver ? 'failed' : 'waiting', next };
}

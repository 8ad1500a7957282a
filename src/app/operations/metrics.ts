import { setTimeout as wait } from 'node:timers/promises';
import type { TransactionCounts } from '../../mongo/transactions/transactions.js';
import { collectDefaultMetrics, Counter, type Aggregator, Gauge, Histogram, Registry } from 'prom-client';

/** Milliseconds in which the delay of the event loop is measured a few times. */
const FIRST_MEASUREMENTS_MS = 50;

/** The metrics for Prometheus. */
export interface Metrics {
  readonly contentType: string;
  metrics(): Promise<string>;
  /** The metrics as data, see `exposeClusterMetrics`. */
  values(): Promise<readonly object[]>;
  /** A response: its route template and duration in milliseconds. */
  observeRequest(method: string, route: string, status: number, time: number): void;
  /** A login with a wrong name or password. */
  observeFailedLogin(): void;
  /** A try to deliver to a webhook. */
  observeDelivery(isDelivered: boolean, isRetry: boolean): void;
  /** Events that no webhook has received yet, by the webhook that is furthest behind. */
  observeEventLag(events: number): void;
  /** A purge that was sent to a cache. */
  observePurge(isAccepted: boolean): void;
  /** Seconds since the oldest change that a cache has not purged. */
  observePurgeLag(seconds: number): void;
  observeCommand(command: { readonly name: string; readonly ok: boolean; readonly time: number }): void;
}

/** Values that are read when the metrics are requested. */
export interface Gauged {
  readonly admission: { readonly running: number; readonly waiting: number };
  readonly busyConnections: () => number;
  readonly transactions: TransactionCounts;
  readonly openFeeds: () => number;
  /** Refusals by rate limit. */
  readonly refusals: () => ReadonlyMap<string, number>;
  readonly isDatabaseUp: () => boolean;
}

/** Seconds, from a read of one entry to the time limit of a read. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The process (event loop, memory, garbage collection) is measured from the first request of the metrics on. */
export function openMetrics(gauged: Gauged): Metrics {
  const { admission, busyConnections, transactions, openFeeds, refusals, isDatabaseUp } = gauged;
  const register = new Registry();
  const durations = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers: [register] });
  const requests = durations('http_request_duration_seconds', 'Responses by method, route template and status', [
    'method',
    'route',
    'status',
  ]);
  const commands = durations('mongodb_command_duration_seconds', 'Database commands', ['command', 'outcome']);
  const gauge = (name: string, help: string, read: () => number, aggregator: Aggregator = 'sum'): Gauge =>
    new Gauge({
      name,
      help,
      aggregator,
      registers: [register],
      collect() {
        this.set(read());
      },
    });
  gauge('http_requests_running', 'Requests in progress', () => admission.running);
  gauge('http_requests_waiting', 'Queued requests', () => admission.waiting);
  gauge('change_feeds_open', 'Open change feeds', openFeeds);
  gauge('mongodb_connections_busy', 'Database connections with a command in progress', busyConnections);
  // The worst of several processes counts.
  gauge('mongodb_up', 'Whether the database accepts writes: 1 or 0', () => Number(isDatabaseUp()), 'min');
  const counter = (name: string, help: string, read: () => number): Counter =>
    new Counter({
      name,
      help,
      registers: [register],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counter(
    'transaction_waits_total',
    'Writes that waited for an entry that another write had locked',
    () => transactions.waits,
  );
  counter('transaction_aborts_total', 'Transactions that were undone', () => transactions.aborts);
  counter(
    'transaction_recoveries_total',
    'Transactions of dead processes that were undone',
    () => transactions.recoveries,
  );
  const limited = new Counter({
    name: 'rate_limit_refusals_total',
    help: 'Requests refused with 429, by limit',
    labelNames: ['limit'],
    collect() {
      this.reset();
      for (const [limit, times] of refusals()) this.inc({ limit }, times);
    },
    registers: [],
  });
  register.registerMetric(limited);
  const failedLogins = new Counter({
    name: 'failed_logins_total',
    help: 'Logins with a wrong name or password',
    registers: [register],
  });
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Tries to deliver events to webhooks, by their outcome; retry: it was tried before',
    labelNames: ['outcome', 'retry'],
    registers: [register],
  });
  let lag = 0;
  gauge('webhook_lag_events', 'Events that the webhook that is furthest behind has not received', () => lag, 'max');
  const purges = new Counter({
    name: 'cdn_purges_total',
    help: 'Purges sent to caches of `config/cdn.json`, by their outcome',
    labelNames: ['outcome'],
    registers: [register],
  });
  let purgeLag = 0;
  gauge('cdn_purge_lag_seconds', 'Age of the oldest change that a cache has not purged', () => purgeLag, 'max');
  let collecting: Promise<void> | undefined;
  /** From the first request on: without measurements of the event loop its figures would not be numbers. */
  const withProcess = async (): Promise<Registry> => {
    if (collecting === undefined) collectDefaultMetrics({ register });
    await (collecting ??= wait(FIRST_MEASUREMENTS_MS));
    return register;
  };
  return {
    contentType: register.contentType,
    metrics: async () => (await withProcess()).metrics(),
    values: async () => (await withProcess()).getMetricsAsJSON(),
    observeRequest: (method, route, status, time) =>
      requests.observe({ method: methods.has(method) ? method : 'other', route, status }, time / 1000),
    observeFailedLogin: () => failedLogins.inc(),
    observeDelivery: (isDelivered, isRetry) =>
      deliveries.inc({ outcome: isDelivered ? 'delivered' : 'failed', retry: String(isRetry) }),
    observeEventLag: (events) => {
      lag = events;
    },
    observePurge: (isAccepted) => purges.inc({ outcome: isAccepted ? 'accepted' : 'failed' }),
    observePurgeLag: (seconds) => {
      purgeLag = seconds;
    },
    observeCommand: ({ name, ok, time }) =>
      commands.observe({ command: name, outcome: ok ? 'done' : 'failed' }, time / 1000),
  };
}

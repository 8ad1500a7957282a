import { setTimeout as wait } from 'node:timers/promises';
import { readVersion } from '../../config/version.js';
import type { ObservedCommand } from '../../mongo/observe/observe-commands.js';
import type { TransactionCounts } from '../../mongo/transactions/settle.js';
import {
  collectDefaultMetrics,
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from 'prom-client';

/**
 * Milliseconds after which the delay of the event loop is measured again; `collectDefaultMetrics` does that every ten.
 */
const MEASURED_AGAIN_MS = 12;

/** Values that are read when the metrics are requested. */
interface Gauged {
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

/**
 * The metrics for Prometheus. The process (event loop, memory, garbage collection) is measured from the first request
 * of the metrics on.
 */
export function openMetrics(gauged: Gauged) {
  const register = new Registry();
  const named: Naming = (name, help) => ({ name, help, registers: [register] });
  const requests = new Histogram({
    ...named('http_request_duration_seconds', 'Responses by method, route template and status'),
    labelNames: ['method', 'route', 'status'],
    buckets,
  });
  const commands = new Histogram({
    ...named('mongodb_command_duration_seconds', 'Database commands'),
    labelNames: ['command', 'outcome'],
    buckets,
  });
  addGauged(gauged, named);
  new Gauge({
    ...named('content_service_info', 'Always 1; its labels are the versions of the service and of Node'),
    labelNames: ['version', 'node'],
    aggregator: 'first',
  }).set({ version: readVersion(), node: process.versions.node }, 1);
  const failedLogins = new Counter(named('failed_logins_total', 'Logins with a wrong name or password'));
  const deliveries = new Counter({
    ...named(
      'webhook_deliveries_total',
      'Tries to deliver events to webhooks, by their outcome; retry: it was tried before',
    ),
    labelNames: ['outcome', 'retry'],
  });
  const lag = new Gauge({
    ...named('webhook_lag_events', 'Events that the webhook that is furthest behind has not received'),
    aggregator: 'max',
  });
  const purges = new Counter({
    ...named('cdn_purges_total', 'Purges sent to caches of `config/cdn.json`, by their outcome'),
    labelNames: ['outcome'],
  });
  const purgeLag = new Gauge({
    ...named('cdn_purge_lag_seconds', 'Age of the oldest change that a cache has not purged'),
    aggregator: 'max',
  });
  const withProcess = measureProcess(register);
  return {
    contentType: register.contentType,
    metrics: async (): Promise<string> => (await withProcess()).metrics(),
    /** The metrics as data, see `exposeClusterMetrics`. */
    values: async (): Promise<readonly object[]> => (await withProcess()).getMetricsAsJSON(),
    /** A response: its route template and duration in milliseconds. */
    observeRequest: (method: string, route: string, status: number, time: number): void =>
      requests.observe({ method: methods.has(method) ? method : 'other', route, status }, time / 1000),
    observeFailedLogin: (): void => failedLogins.inc(),
    observeDelivery: (isDelivered: boolean, isRetry: boolean): void =>
      deliveries.inc({ outcome: isDelivered ? 'delivered' : 'failed', retry: String(isRetry) }),
    observeEventLag: (events: number): void => lag.set(events),
    observePurge: (isAccepted: boolean): void => purges.inc({ outcome: isAccepted ? 'accepted' : 'failed' }),
    observePurgeLag: (seconds: number): void => purgeLag.set(seconds),
    observeCommand: ({ name, ok, time }: ObservedCommand): void =>
      commands.observe({ command: name, outcome: ok ? 'done' : 'failed' }, time / 1000),
  };
}

export type Metrics = ReturnType<typeof openMetrics>;

type Naming = (name: string, help: string) => { name: string; help: string; registers: Registry[] };

function addGauged(gauged: Gauged, named: Naming): void {
  const { admission, busyConnections, transactions, openFeeds, refusals, isDatabaseUp } = gauged;
  addGauge(named('http_requests_running', 'Requests in progress'), () => admission.running);
  addGauge(named('http_requests_waiting', 'Queued requests'), () => admission.waiting);
  addGauge(named('change_feeds_open', 'Open change feeds'), openFeeds);
  addGauge(named('mongodb_connections_busy', 'Database connections with a command in progress'), busyConnections);
  // The worst of several processes counts.
  const up = named('mongodb_up', 'Whether the database accepts writes: 1 or 0');
  addGauge({ ...up, aggregator: 'min' }, () => Number(isDatabaseUp()));
  const waits = named('transaction_waits_total', 'Writes that waited for an entry that another write had locked');
  addCounter(waits, (counter) => counter.inc(transactions.waits));
  addCounter(named('transaction_aborts_total', 'Transactions that were undone'), (counter) =>
    counter.inc(transactions.aborts),
  );
  const recoveries = named('transaction_recoveries_total', 'Transactions of dead processes that were undone');
  addCounter(recoveries, (counter) => counter.inc(transactions.recoveries));
  const limited = named('rate_limit_refusals_total', 'Requests refused with 429, by limit');
  addCounter({ ...limited, labelNames: ['limit'] }, (counter) => {
    for (const [limit, times] of refusals()) counter.inc({ limit }, times);
  });
}

/** Adds a value that is read when the metrics are requested. */
const addGauge = (options: Omit<GaugeConfiguration<string>, 'collect'>, read: () => number): Gauge =>
  new Gauge({
    ...options,
    collect() {
      this.set(read());
    },
  });

/** Adds a counter whose count is kept elsewhere. */
const addCounter = (
  options: Omit<CounterConfiguration<string>, 'collect'>,
  read: (counter: Counter) => void,
): Counter =>
  new Counter({
    ...options,
    collect() {
      this.reset();
      read(this);
    },
  });

/**
 * Measures the process from the first request on. What prom-client says of the delays of the event loop covers the time
 * since the last request, and without measurements they are no numbers: so each request waits for a few, and for the
 * request before it.
 */
function measureProcess(register: Registry): () => Promise<Registry> {
  let measured: Promise<void> | undefined;
  return async () => {
    if (measured === undefined) collectDefaultMetrics({ register });
    measured = (measured ?? Promise.resolve()).then(measureDelays);
    await measured;
    return register;
  };
}

/** Waits several times: one wait may end in the turn of the event loop in which the first delay was measured. */
async function measureDelays(): Promise<void> {
  for (let waits = 0; waits < 3; waits += 1) await wait(MEASURED_AGAIN_MS);
}

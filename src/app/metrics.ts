import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What an operator may measure, for Prometheus. */
export interface Metrics {
  readonly contentType: string;
  metrics(): Promise<string>;
  /** The same as data, see `shareMetrics`. */
  values(): Promise<readonly object[]>;
  /** An answer: the template of its route, and milliseconds. */
  observeRequest(method: string, route: string, status: number, time: number): void;
  observeCommand(command: { readonly name: string; readonly ok: boolean; readonly time: number }): void;
}

/** What is looked at when somebody asks. */
export interface Gauged {
  readonly admission: { readonly running: number; readonly waiting: number };
  readonly busyConnections: () => number;
}

/** Seconds: from a read of one entry to the longest time that a read may take. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The process itself (event loop, memory, collections) is measured from the first question on. */
export function openMetrics({ admission, busyConnections }: Gauged): Metrics {
  const register = new Registry();
  const durations = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers: [register] });
  const requests = durations('http_request_duration_seconds', 'Answers, by method, template of the route, and status', [
    'method',
    'route',
    'status',
  ]);
  const commands = durations('mongodb_command_duration_seconds', 'Commands to the database', ['command', 'outcome']);
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read());
      },
    });
  gauge('http_requests_running', 'Requests that work', () => admission.running);
  gauge('http_requests_waiting', 'Requests that wait for their turn', () => admission.waiting);
  gauge('mongodb_connections_busy', 'Connections to the database with a command under way', busyConnections);
  let process = false;
  const withProcess = (): Registry => {
    if (!process) collectDefaultMetrics({ register });
    process = true;
    return register;
  };
  return {
    contentType: register.contentType,
    metrics: () => withProcess().metrics(),
    values: () => withProcess().getMetricsAsJSON(),
    observeRequest: (method, route, status, time) =>
      requests.observe({ method: known.has(method) ? method : 'other', route, status }, time / 1000),
    observeCommand: ({ name, ok, time }) =>
      commands.observe({ command: name, outcome: ok ? 'done' : 'failed' }, time / 1000),
  };
}

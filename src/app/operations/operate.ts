import { answersWithin } from '../../config/answers-within.js';
import type { Config } from '../../config/config.js';
import type { Logger } from '../../errors/logger.js';
import { logAvailability } from './log-availability.js';
import { openMetrics, type Metrics } from './metrics.js';
import type { Database } from '../../mongo/connection/database.js';
import { watchAvailability } from '../../mongo/observe/availability.js';
import type { TransactionCounts } from '../../mongo/transactions/settle.js';
import { countBusyConnections, observeCommands } from '../../mongo/observe/observe-commands.js';
import { networkOf, type RateLimits } from '../../mongo/coordination/rate-limits.js';
import { createAdmission, createSlots } from '../../rest/middleware/admission.js';
import { requestIdOf } from '../../rest/request-id.js';
import type { Exposed } from '../../rest/middleware/operator-routes.js';
import type { BuiltInPlugin } from '../../plugins/contract/built-in.js';
import { createBodies } from '../../plugins/contract/http/receive-bodies.js';
import { createTtlCache } from '../../plugins/contract/ttl-cache.js';
import { notedReason, notesOf, type ResponseNotes } from '../../plugins/contract/response-notes.js';
import type { RestOptions } from '../../rest/router.js';

/** Concurrent uploads per concurrent request. */
const FORMS = 4;

/** The limits of concurrent requests and of their bodies. */
type Admissions = Pick<RestOptions, 'admission' | 'slots' | 'bodies'>;

export function createAdmissions({ concurrency, queueLimit, queueTimeoutMs, body }: Config['limits']): Admissions {
  const limits = { queueLimit, queueTimeoutMs };
  const forms = concurrency * FORMS;
  const admission = createAdmission({ ...limits, concurrency });
  return {
    admission,
    slots: createSlots(admission, createAdmission({ ...limits, concurrency: forms })),
    bodies: createBodies({ body, forms }),
  };
}

/** The parts of the service that operations observe. */
interface Operated {
  readonly database: Database;
  readonly rateLimits: RateLimits;
  readonly transactions: TransactionCounts;
  readonly feeds: { readonly count: number } | undefined;
  readonly admissions: Admissions;
}

export interface OperateOptions {
  /** The content of `/metrics` instead of this process's own metrics. */
  readonly expose?: ((own: Metrics) => Exposed) | undefined;
  /** Called when the database is lost or back, instead of logging. */
  readonly reportAvailability?: ((isUp: boolean) => void) | undefined;
}

/** Operations: limits, metrics, logs of requests and slow queries, and shutdown. */
export function operate(
  config: Config,
  { database, rateLimits, transactions, feeds, admissions }: Operated,
  log: Logger,
  { expose = (own) => own, reportAvailability = logAvailability(log) }: OperateOptions = {},
) {
  const { http } = config;
  const availability = watchAvailability(database.client, database.db, reportAvailability);
  const metrics = openMetrics({
    admission: admissions.admission,
    busyConnections: countBusyConnections(database.client),
    transactions,
    openFeeds: () => feeds?.count ?? 0,
    refusals: rateLimits.refusals,
    isDatabaseUp: availability.isUp,
  });
  observeCommands(database.client, {
    observe: metrics.observeCommand,
    slow: config.log.slowQuery,
    tellSlow: (command) => log.info(command, 'Slow query'),
  });
  const requests = http.rateLimit && rateLimits.open({ name: 'requests', ...http.rateLimit });
  let draining = false;
  return {
    http,
    ...admissions,
    countRequest: requests && ((address: string) => requests.count(networkOf(address))),
    isReady: async (): Promise<boolean> => !draining && (await availability.isReachable()),
    exposed: expose(metrics),
    metrics,
    watch: createWatch(config, metrics, log),
    /** Reports from now on that the service is stopping. */
    drain: (): void => {
      draining = true;
    },
    /** Stops watching the database, which is closed. */
    end: availability.end,
  };
}

export type Operations = ReturnType<typeof operate>;

type Watch = RestOptions['watch'];
type Request = Parameters<Watch>[0];
type Response = Parameters<Watch>[1];

/** Measures each response, and logs it. */
const createWatch =
  (config: Config, metrics: Metrics, log: Logger): Watch =>
  (request, response, route, time) => {
    // An exception in a listener would end the process.
    try {
      metrics.observeRequest(request.method, route, response.statusCode, time);
      if (config.environment === 'development') explainRefusal(request, response, log);
      if (config.log.requests) logRequest(request, response, route, time, log);
    } catch (error) {
      log.error({ err: error, id: requestIdOf(response) }, 'A request could not be measured');
    }
  };

/** Tells a developer why a request was refused, where the response does not. */
function explainRefusal(request: Request, response: Response, log: Logger): void {
  const { headers } = request;
  const { statusCode: status } = response;
  const reason = notedReason(response);
  if (reason !== undefined) log.info({ id: requestIdOf(response) }, `${status}: ${reason}`);
  if (status === 400 && headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    log.info(
      { id: requestIdOf(response) },
      '400: the body came as a form; for JSON send Content-Type: application/json',
    );
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== ownOrigin(request) && !response.hasHeader('Access-Control-Allow-Origin'))
    log.info(
      { id: requestIdOf(response) },
      `${request.method} ${request.path}: browsers keep the answer from pages of ${origin}, which may not read it; see CORS_ORIGINS`,
    );
  if (status !== 403) return;
  const { lacks, caller, role }: Partial<ResponseNotes> = notesOf(response) ?? {};
  if (lacks === undefined) return;
  const holder = caller === 'token' ? 'token type' : 'role';
  log.info({ id: requestIdOf(response) }, `403: the ${holder} ${role} lacks the permission ${lacks}`);
}

/** That of the pages of the service itself, such as the editor's, which read all answers. */
const ownOrigin = ({ protocol, headers }: Request): string => `${protocol}://${headers.host}`;

function logRequest(
  { method, originalUrl, ip }: Request,
  response: Response,
  route: string,
  time: number,
  log: Logger,
): void {
  const { lacks: _lacks, ...caller }: Partial<ResponseNotes> = notesOf(response) ?? {};
  // The path only: a query string can contain secrets.
  const [path] = originalUrl.split('?', 1);
  const milliseconds = Math.round(time * 10) / 10;
  const status = response.statusCode;
  log.info({ id: requestIdOf(response), method, path, route, status, milliseconds, address: ip, ...caller }, 'Request');
}

/** Milliseconds within which a healthy dependency responds. */
const CHECK_TIMEOUT_MS = 1000;

/** The names of the dependencies that do not respond. Each is checked at most once a second. */
export function createFindDegraded(plugins: readonly BuiltInPlugin[]): () => Promise<readonly string[]> {
  const checks = new Map(plugins.flatMap(({ dependencies = {} }) => Object.entries(dependencies)));
  const answers = createTtlCache(Math.max(1, checks.size), async (name: string) =>
    answersWithin(CHECK_TIMEOUT_MS, Promise.resolve(checks.get(name)?.())),
  );
  return async () => {
    const names = [...checks.keys()];
    const answering = await Promise.all(names.map((name) => answers.get(name)));
    return names.filter((_, index) => answering[index] !== true);
  };
}

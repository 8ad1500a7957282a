import type { Config } from '../config/config.js';
import { openMetrics, type Metrics } from './metrics.js';
import type { Database } from '../mongo/database.js';
import { createReachable } from '../mongo/is-reachable.js';
import { countBusyConnections, observeCommands } from '../mongo/observe-commands.js';
import type { RateLimits } from '../mongo/rate-limits.js';
import { createAdmission, type Admission } from '../rest/edge/admission.js';
import { idOf } from '../rest/edge/request-id.js';
import type { Exposed } from '../rest/edge/metrics-route.js';
import type { RestOptions } from '../rest/router.js';

/** What operators see and steer: limits, measurements, logs of requests and of slow queries, the end of the service. */
export interface Operations extends Pick<
  RestOptions,
  'http' | 'admission' | 'formAdmission' | 'countRequest' | 'isReady' | 'isDraining' | 'exposed' | 'watch'
> {
  /** Says from now on that the service stops. */
  drain(): void;
}

/** The part of a logger that takes details. */
export interface DetailLog {
  info(details: object, message: string): void;
}

/** Requests with files that are taken in at once, for each that may work otherwise. */
const FORMS = 4;

/** What `/metrics` tells, given this process's own measurements. */
export type Expose = (own: Metrics) => Exposed;

/** @param expose what `/metrics` tells in place of this process's own measurements */
export function operate(
  config: Config,
  database: Database,
  rateLimits: RateLimits,
  log: DetailLog,
  expose: Expose = (own) => own,
): Operations {
  const { http, limits } = config;
  const admissionOf = (atOnce: number): Admission =>
    createAdmission({ atOnce, waiting: limits.waiting, longestWait: limits.longestWait });
  const admission = admissionOf(limits.atOnce);
  const metrics = openMetrics({ admission, busyConnections: countBusyConnections(database.client) });
  observeCommands(database.client, {
    observe: metrics.observeCommand,
    slow: config.log.slowQuery,
    tellSlow: (command) => log.info(command, 'Slow query'),
  });
  const requests = http.rateLimit && rateLimits.open({ name: 'requests', ...http.rateLimit });
  const isReachable = createReachable(database.db);
  let draining = false;
  return {
    http,
    admission,
    formAdmission: admissionOf(limits.atOnce * FORMS),
    countRequest: requests && ((address) => requests.count(address)),
    isReady: async () => !draining && (await isReachable()),
    isDraining: () => draining,
    exposed: expose(metrics),
    watch: ({ method, originalUrl }, response, route, time) => {
      const { statusCode: status } = response;
      metrics.observeRequest(method, route, status, time);
      if (!config.log.requests) return;
      // The path alone: a query string may hold secrets.
      const [path] = originalUrl.split('?', 1);
      log.info({ id: idOf(response), method, path, route, status, time: Math.round(time * 10) / 10 }, 'Request');
    },
    drain: () => {
      draining = true;
    },
  };
}

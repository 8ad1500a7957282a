import type { Logger } from '../../errors/logger.js';

/** Milliseconds: repeated losses within this time are logged once. */
const QUIET_MS = 30_000;

/**
 * Logs when the database is lost and when it is back, one line each. If it is lost again soon after, the line is
 * delayed, and omitted if it is back by then.
 */
export function logAvailability(log: Pick<Logger, 'info' | 'warn'>, quiet = QUIET_MS): (isUp: boolean) => void {
  let isReportedUp = true;
  let since = 0;
  let last = -Infinity;
  let delayedLine: NodeJS.Timeout | undefined;
  const logLost = (): void => {
    delayedLine = undefined;
    isReportedUp = false;
    last = Date.now();
    log.warn({}, 'The database is unavailable: requests that need it get 503');
  };
  return (isUp) => {
    clearTimeout(delayedLine);
    delayedLine = undefined;
    if (!isUp) {
      since = Date.now();
      const pause = last + quiet - since;
      if (pause > 0) delayedLine = setTimeout(logLost, pause).unref();
      else logLost();
    } else if (!isReportedUp) {
      isReportedUp = true;
      log.info({ milliseconds: Date.now() - since }, 'The database is available again');
    }
  };
}

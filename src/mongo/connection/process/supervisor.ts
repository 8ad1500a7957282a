import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../../errors/logger.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { lastComplaint } from './explain-failure.js';
import type { ProcessEnd, RunningServer } from './start-server.js';

/**
 * Milliseconds: the delays between attempts double from the first to the longest; a period without failures resets
 * them.
 */
const waits = { first: 100, max: 10_000, calm: 30_000 };

/**
 * Starts a server, and restarts it whenever it exits. Returns a function that stops it.
 * @throws the error of the first `start`
 */
export async function supervise(start: () => Promise<RunningServer>, log: Logger): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let server: RunningServer | undefined = await start();

  const startAgain = async (): Promise<RunningServer | undefined> => {
    try {
      return await start();
    } catch (error) {
      log.error(`The database process does not start: ${reasonOf(error)}`);
      return undefined;
    }
  };
  const watch = async (): Promise<void> => {
    let pause = 0;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      const end = await server?.ended;
      if (stopping.signal.aborted) break;
      if (end) log.error(describeEnd(end));
      if (performance.now() - since > waits.calm) pause = 0;
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => {});
      pause = Math.min(pause * 2 || waits.first, waits.max);
      if (!stopping.signal.aborted) server = await startAgain();
    }
    await server?.stop();
  };
  const watching = watch();

  return async () => {
    stopping.abort();
    await server?.stop();
    await watching;
  };
}

function describeEnd(end: ProcessEnd): string {
  const complaint = lastComplaint(end);
  const last = complaint === undefined ? '' : `; its last error: ${complaint}`;
  return `The database process ended (${end.signal ?? end.code}) and is restarted${last}`;
}

import { setImmediate as afterPoll } from 'node:timers/promises';

/** Turns of the event loop that a run waits at most for further requests. */
const MAX_TURNS = 8;

/**
 * Coalesces concurrent requests: while a run is in progress, new requests are collected for the next. A request is
 * never served by a run that started before it. A run starts after the first turn of the event loop that brings no
 * further request: without others to wait for, that costs microseconds; under load, requests that arrive shortly after
 * each other share a run instead of needing the next one.
 */
export function coalesce<Request, Result>(
  run: (requests: readonly Request[]) => Promise<readonly Result[]>,
): (request: Request) => Promise<Result> {
  let waiting: { requests: Request[]; results: Promise<readonly Result[]> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return async (request) => {
    if (waiting === undefined) {
      const requests: Request[] = [];
      const start = async (): Promise<readonly Result[]> => {
        for (let turn = 0, length = 0; turn < MAX_TURNS && length < requests.length; turn += 1) {
          length = requests.length;
          await afterPoll();
        }
        waiting = undefined;
        return run(requests);
      };
      waiting = { requests, results: last.then(start, start) };
      last = waiting.results;
    }
    const { requests, results } = waiting;
    const index = requests.push(request) - 1;
    return (await results)[index] as Result;
  };
}

/**
 * Runs a read, or waits for one with the same key that is running. If a read fails, those who wait for it read for
 * themselves: its client may have gone away, and the read with it.
 */
export function createSingleFlight<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const reads = new Map<string, Promise<T>>();
  return async (key, read) => {
    const running = reads.get(key);
    if (running !== undefined) return running.catch(read);
    const own = read();
    reads.set(key, own);
    try {
      return await own;
    } finally {
      reads.delete(key);
    }
  };
}

import { setImmediate as afterPoll } from 'node:timers/promises';

/**
 * Coalesces concurrent requests: while a run is in progress, new requests are collected for the next.
 * A request is never served by a run that started before it. A run starts when the event loop has handled what arrived together
 * with its first request, because these would be the next run.
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
        await afterPoll();
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

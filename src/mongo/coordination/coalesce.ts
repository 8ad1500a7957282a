/**
 * Coalesces concurrent requests: while a run is in progress, new requests are collected for the next.
 * A request is never served by a run that started before it.
 */
export function coalesce<Request, Result>(
  run: (requests: readonly Request[]) => Promise<readonly Result[]>,
): (request: Request) => Promise<Result> {
  let waiting: { requests: Request[]; results: Promise<readonly Result[]> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return async (request) => {
    if (waiting === undefined) {
      const requests: Request[] = [];
      const start = (): Promise<readonly Result[]> => {
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

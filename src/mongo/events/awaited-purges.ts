import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { ObjectId } from 'mongodb';

/** Milliseconds between two looks at whether purges are done. */
const POLL_MS = 25;

/** A response, as far as its end matters here. */
export interface Ending {
  readonly once: (event: 'close', listener: () => void) => unknown;
  readonly off: (event: 'close', listener: () => void) => unknown;
}

interface Waiting {
  readonly ids: readonly ObjectId[];
  readonly end: (isDone: boolean) => void;
}

/**
 * The purges that requests wait for: those that they have stored themselves. One poll serves all that wait.
 * @param findStored returns those of these purges that no cache has accepted yet
 */
export function createAwaitedPurges(findStored: (ids: readonly ObjectId[]) => Promise<readonly ObjectId[]>) {
  const noting = new AsyncLocalStorage<ObjectId[]>();
  const waiting = new Set<Waiting>();
  let requests = 0;
  let isPolling = false;

  const poll = async (): Promise<void> => {
    isPolling = true;
    while (waiting.size > 0) {
      // Who comes during the look is not part of its result.
      const asked = [...waiting];
      const byId = new Map(asked.flatMap(({ ids }) => ids.map((id) => [String(id), id] as const)));
      // While the database is away, they wait on.
      const found = await findStored([...byId.values()]).catch(() => [...byId.values()]);
      const stored = new Set(found.map(String));
      for (const { ids, end } of asked) if (!ids.some((id) => stored.has(String(id)))) end(true);
      await pause(POLL_MS);
    }
    isPolling = false;
  };

  return {
    /** Runs the work of a request that will wait: the purges that it stores are noted. */
    run: <T>(response: Ending, work: () => T): T => {
      requests += 1;
      response.once('close', () => {
        requests -= 1;
        // It slows down each promise of the process.
        if (requests === 0) noting.disable();
      });
      return noting.run([], work);
    },
    /** Notes purges that the request which runs has stored. */
    note: (ids: readonly ObjectId[]): void => void noting.getStore()?.push(...ids),
    /** The purges that the request which runs has stored. */
    noted: (): readonly ObjectId[] => noting.getStore() ?? [],
    /**
     * Waits until caches have accepted these purges; false: that took longer than these milliseconds, or the client has
     * left.
     * @param response of the request that waits, if there is one
     */
    done: (ids: readonly ObjectId[], timeout: number, response?: Ending): Promise<boolean> =>
      new Promise((resolve) => {
        const end = (isDone: boolean): void => {
          waiting.delete(own);
          clearTimeout(timer);
          response?.off('close', leave);
          resolve(isDone);
        };
        const own = { ids, end };
        const leave = (): void => end(false);
        const timer = setTimeout(leave, timeout);
        response?.once('close', leave);
        waiting.add(own);
        if (!isPolling) void poll();
      }),
  };
}

export type AwaitedPurges = Omit<ReturnType<typeof createAwaitedPurges>, 'note'>;

import { useEffect, useState } from 'react';
import type { Entry } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import { readMatching, readStillMatching, type Matching } from './matching-entries.js';

interface Read {
  /** Undefined: they are still being read. */
  readonly entries: readonly Entry[] | undefined;
  readonly count: number;
  readonly error?: unknown;
}

/**
 * Reads all entries of a list, however many pages it has, as they are when the component is shown.
 * @param ids reads only these, of one page
 */
export function useMatching(matching: Matching, ids?: ReadonlySet<number>): Read {
  const { api } = useSession();
  const [read, setRead] = useState<Read>({ entries: undefined, count: 0 });
  useEffect(() => {
    let isGone = false;
    const set = (next: Read): void => {
      if (!isGone) setRead(next);
    };
    const reading =
      ids === undefined
        ? readMatching(
            api,
            matching,
            (count) => set({ entries: undefined, count }),
            () => isGone,
          )
        : readStillMatching(api, matching, [...ids]);
    reading.then(
      (entries) => set({ entries, count: entries.length }),
      (error: unknown) => set({ entries: undefined, count: 0, error }),
    );
    return () => {
      isGone = true;
    };
  }, []);
  return read;
}

import pLimit, { type LimitFunction } from 'p-limit';

/** The requests to the API that each caller makes at a time: its others wait. */
export function createCallLimit(atOnce: number) {
  const byCaller = new Map<string, { readonly limit: LimitFunction; count: number }>();
  return async <T>(caller: string, work: () => Promise<T>): Promise<T> => {
    const own = byCaller.get(caller) ?? { limit: pLimit(atOnce), count: 0 };
    byCaller.set(caller, own);
    own.count += 1;
    try {
      return await own.limit(work);
    } finally {
      own.count -= 1;
      if (own.count === 0) byCaller.delete(caller);
    }
  };
}

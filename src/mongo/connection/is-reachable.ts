import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';

/** Milliseconds in which a database that can be used answers. */
const PING_TIMEOUT_MS = 1000;

/** Does the database answer? Concurrent calls share one ping. */
export function createReachable(db: Db): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    const answered = db.command({ ping: 1, maxTimeMS: PING_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
    const late = new AbortController();
    try {
      // The driver waits for a database that hangs, whatever its options are.
      return await Promise.race([answered, wait(PING_TIMEOUT_MS, false, { signal: late.signal })]);
    } finally {
      late.abort();
      asking = undefined;
    }
  };
  return () => (asking ??= ask());
}

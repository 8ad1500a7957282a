import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';

/** Milliseconds within which a healthy database responds. */
const PING_TIMEOUT_MS = 1000;

/** Whether the database responds. Concurrent calls share one ping. */
export function createReachable(db: Db): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    const answered = db.command({ ping: 1, maxTimeMS: PING_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
    const late = new AbortController();
    try {
      // The driver waits for a hanging database regardless of its options.
      return await Promise.race([answered, wait(PING_TIMEOUT_MS, false, { signal: late.signal })]);
    } finally {
      late.abort();
      asking = undefined;
    }
  };
  return () => (asking ??= ask());
}

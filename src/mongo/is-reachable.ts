import type { Db } from 'mongodb';

/** Milliseconds in which a database that can be used answers. */
const SOON = 1000;

/** Does the database answer? Who asks at the same moment shares the answer. */
export function createReachable(db: Db): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    try {
      await db.command({ ping: 1, maxTimeMS: SOON }, { timeoutMS: SOON });
      return true;
    } catch {
      return false;
    } finally {
      asking = undefined;
    }
  };
  return () => (asking ??= ask());
}

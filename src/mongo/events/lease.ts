import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { duplicateOf, translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';

/** The exclusive right of one process to run a continuous job. */
export interface Lease {
  /** Acquires or renews the lease; false: another process has it. Call it at least every 5 seconds. */
  acquire(): Promise<boolean>;
  /** Whether the last renewal is so recent that no other process can have the lease. */
  isHeld(): boolean;
  /** Releases the lease, so that another process can acquire it immediately. */
  release(): Promise<void>;
}

interface Claim {
  readonly _id: string;
  readonly by: string;
  readonly at: Date;
}

/** Milliseconds without a renewal after which another process may acquire it, and after which the holder stops. */
const [EXPIRY_MS, STOP_MS] = [30_000, 20_000];

/**
 * A lease in the `_claims` collection, beside the locks.
 * @param exclusive no other process uses the database: the former holder of the lease is dead
 */
export function openLease(db: Db, key: string, exclusive: boolean): Lease {
  const expiry = exclusive ? 0 : EXPIRY_MS;
  const claims = db.collection<Claim>('_claims');
  const by = randomUUID();
  let renewed = -Infinity;
  return {
    acquire: () =>
      translated(async () => {
        const started = performance.now();
        const filter = { _id: key, $or: [{ by }, { at: { $lte: new Date(Date.now() - expiry) } }] };
        try {
          await claims.updateOne(filter, { $set: { by, at: new Date() } }, { ...systemCommandOptions, upsert: true });
        } catch (error) {
          if (duplicateOf(error) === undefined) throw error;
          renewed = -Infinity;
          return false;
        }
        renewed = started;
        return true;
      }),
    isHeld: () => performance.now() - renewed < STOP_MS,
    release: () =>
      translated(async () => {
        renewed = -Infinity;
        await claims.deleteOne({ _id: key, by }, systemCommandOptions);
      }),
  };
}

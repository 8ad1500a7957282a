import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { takeClaim, type HeldClaim } from '../coordination/locks.js';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';

/** Milliseconds without a renewal after which another process may acquire it, and after which the holder stops. */
const [EXPIRY_MS, STOP_MS] = [30_000, 20_000];

/**
 * A lease in the `_claims` collection, beside the locks.
 * @param exclusive no other process uses the database: the former holder of the lease is dead
 */
export function openLease(db: Db, key: string, exclusive: boolean) {
  const expiry = exclusive ? 0 : EXPIRY_MS;
  const by = randomUUID();
  let renewed = -Infinity;
  return {
    /** Acquires or renews the lease; false: another process has it. Call it at least every 5 seconds. */
    acquire: (): Promise<boolean> =>
      translated(async () => {
        const started = performance.now();
        const isTaken = await takeClaim(db, key, by, expiry);
        renewed = isTaken ? started : -Infinity;
        return isTaken;
      }),
    /** Whether the last renewal is so recent that no other process can have the lease. */
    isHeld: (): boolean => performance.now() - renewed < STOP_MS,
    /** Releases the lease, so that another process can acquire it immediately. */
    release: (): Promise<void> =>
      translated(async () => {
        renewed = -Infinity;
        await db.collection<HeldClaim>('_claims').deleteOne({ _id: key, by }, systemCommandOptions);
      }),
  };
}

/** The exclusive right of one process to run a continuous job. */
export type Lease = ReturnType<typeof openLease>;

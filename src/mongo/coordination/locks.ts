import type { Db } from 'mongodb';
import { holdLock } from './hold-lock.js';
import { systemCommandOptions } from '../read/system-command-options.js';
import { duplicateOf, translated } from '../errors.js';

/** Things that may happen only once, whichever process does them. */
export interface Locks {
  /** True for the first that asks for this key, false for all others; for at least a day. */
  claim(key: string): Promise<boolean>;
  /** Lets another have it: what was to be done failed. */
  release(key: string): Promise<void>;
  /** Does work while no other process holds the key; see `holdLock`. */
  hold<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Keeps a string under a key, for the first that takes it before it expires. */
  put(key: string, text: string, lifetime: number): Promise<void>;
  /** The text that is kept, for the first that asks; undefined once it was taken or has expired. */
  take(key: string): Promise<string | undefined>;
}

interface Claim {
  readonly _id: string;
  readonly at: Date;
  readonly text?: string;
  readonly expiresAt?: Date;
}

/** Milliseconds after which a claim is forgotten. */
const KEPT = 86_400_000;

/** Claims in the `_claims` collection. They are few, so those that are old are looked for with every new one. */
export function openLocks(db: Db): Locks {
  const collection = db.collection<Claim>('_claims');
  return {
    claim: (key) =>
      translated(async () => {
        try {
          await collection.insertOne({ _id: key, at: new Date() }, systemCommandOptions);
        } catch (error) {
          if (duplicateOf(error) !== undefined) return false;
          throw error;
        }
        await collection.deleteMany({ at: { $lt: new Date(Date.now() - KEPT) } }, systemCommandOptions);
        return true;
      }),
    release: (key) =>
      translated(async () => {
        await collection.deleteOne({ _id: key }, systemCommandOptions);
      }),
    hold: (key, work) => holdLock(db, key, work),
    put: (key, text, lifetime) =>
      translated(async () => {
        const at = new Date();
        const expiresAt = new Date(at.getTime() + lifetime);
        await collection.insertOne({ _id: key, at, text, expiresAt }, systemCommandOptions);
        await collection.deleteMany({ expiresAt: { $lt: at } }, systemCommandOptions);
      }),
    take: (key) =>
      translated(async () => {
        const filter = { _id: key, expiresAt: { $gt: new Date() } };
        return (await collection.findOneAndDelete(filter, systemCommandOptions))?.text;
      }),
  };
}

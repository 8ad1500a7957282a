import type { Db } from 'mongodb';
import { ownCommand } from './own-command.js';
import { duplicateOf, translated } from './translate-error.js';

/** Things that may happen only once, whichever process does them. */
export interface Claims {
  /** True for the first that asks for this key, false for all others; for at least a day. */
  claim(key: string): Promise<boolean>;
  /** Lets another have it: what was to be done failed. */
  release(key: string): Promise<void>;
}

interface Claim {
  readonly _id: string;
  readonly at: Date;
}

/** Milliseconds after which a claim is forgotten. */
const KEPT = 86_400_000;

/** Claims in the `_claims` collection. They are few, so those that are old are looked for with every new one. */
export function openClaims(db: Db): Claims {
  const collection = db.collection<Claim>('_claims');
  return {
    claim: (key) =>
      translated(async () => {
        try {
          await collection.insertOne({ _id: key, at: new Date() }, ownCommand);
        } catch (error) {
          if (duplicateOf(error) !== undefined) return false;
          throw error;
        }
        await collection.deleteMany({ at: { $lt: new Date(Date.now() - KEPT) } }, ownCommand);
        return true;
      }),
    release: (key) =>
      translated(async () => {
        await collection.deleteOne({ _id: key }, ownCommand);
      }),
  };
}

import { isRecord, type Data } from '../../../config/record.js';

/** What is stored of the second factor of a user; nothing of it leaves the service. */
export interface Factor {
  /** Sealed. */
  readonly secret: string;
  /** The hashes of the recovery codes that are left. */
  readonly recovery: readonly string[];
}

/** What a user has stored; undefined: they log in with a password alone. */
export function factorOf(user: Data): Factor | undefined {
  const { secondFactor } = user;
  return isRecord(secondFactor) ? (secondFactor as unknown as Factor) : undefined;
}

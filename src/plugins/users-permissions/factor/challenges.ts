import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Locks } from '../../../mongo/coordination/locks.js';

/** What a passkey is asked for: to be the first factor of a user, to be one more, or to prove who somebody is. */
export type ChallengePurpose = 'set up' | 'add' | 'prove';

/** Milliseconds in which a passkey answers. */
export const CHALLENGE_LIFETIME = 5 * 60_000;
/** Bytes: of a random number, of the end of the lifetime, and of the signature. */
const [NONCE, TIME, SIGNATURE] = [16, 6, 32];
const LENGTH = NONCE + TIME + SIGNATURE;

/**
 * Texts that passkeys sign. The service signs them itself, for one user and one purpose, and stores only those that
 * came back: who asks for many fills nothing.
 * @param secret the secret of web tokens
 */
export function createChallenges(secret: string, locks: Pick<Locks, 'claim'>) {
  const key = createHmac('sha256', secret).update('challenges of passkeys').digest();
  const sign = (purpose: ChallengePurpose, user: number, head: Buffer): Buffer =>
    createHmac('sha256', key).update(`${purpose} ${user} `).update(head).digest();
  return {
    issue: (purpose: ChallengePurpose, user: number): Buffer => {
      const head = Buffer.alloc(NONCE + TIME);
      randomBytes(NONCE).copy(head);
      head.writeUIntBE(Date.now() + CHALLENGE_LIFETIME, NONCE, TIME);
      return Buffer.concat([head, sign(purpose, user, head)]);
    },
    /** Whether it was issued for this, and is in its time. @param challenge base64url, as browsers send it back */
    isValid: (purpose: ChallengePurpose, user: number, challenge: string): boolean => {
      const bytes = Buffer.from(challenge, 'base64url');
      if (bytes.length !== LENGTH) return false;
      const head = bytes.subarray(0, NONCE + TIME);
      const isSigned = timingSafeEqual(bytes.subarray(NONCE + TIME), sign(purpose, user, head));
      return isSigned && head.readUIntBE(NONCE, TIME) > Date.now();
    },
    /** True for the first who uses it, in whatever process. */
    use: (challenge: string): Promise<boolean> =>
      locks.claim(`challenge ${Buffer.from(challenge, 'base64url').toString('base64url', 0, NONCE)}`),
  };
}

export type Challenges = ReturnType<typeof createChallenges>;

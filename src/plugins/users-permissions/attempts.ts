import { createHash } from 'node:crypto';
import type { RateLimiter, RateLimits } from '../../mongo/rate-limits.js';
import type { Settings } from './settings.js';

/** What can be tried too often. */
export type Attempt = 'login' | 'register' | 'forgot-password' | 'reset-password' | 'confirmation' | 'change-password';

/** Counts attempts, per address and, where one is named, per account. */
export interface Attempts {
  /**
   * Counts an attempt, before it is known how it ends. Gives a function to call when it was right: then it does not count.
   * @throws AppError tooManyRequests
   */
  begin(what: Attempt, address: string, account?: string): Promise<() => Promise<void>>;
}

const unlimited: Attempts = { begin: async () => async () => undefined };

export function countAttempts(rateLimits: RateLimits, limit: Settings['rateLimit']): Attempts {
  if (limit === undefined) return unlimited;
  const { attempts: most, within } = limit;
  const limiter: RateLimiter = rateLimits.open({ name: 'users-permissions', most, within });
  return {
    begin: async (what, address, account) => {
      const keys = [`${what} from ${address}`, ...(account === undefined ? [] : [`${what} of ${digest(account)}`])];
      for (const key of keys) await limiter.count(key);
      return async () => {
        for (const key of keys) await limiter.forgive(key);
      };
    },
  };
}

/** What people type may be long, and is nobody's business in the database. */
const digest = (account: string): string => createHash('sha256').update(account.toLowerCase()).digest('base64url');

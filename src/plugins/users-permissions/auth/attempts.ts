import { createHash } from 'node:crypto';
import { networkOf, type RateLimiter, type RateLimits } from '../../../mongo/coordination/rate-limits.js';
import type { Forgive } from '../../contract/plugin.js';
import type { Settings } from '../settings.js';

/** The attempts that are limited. */
export type Attempt =
  | 'login'
  | 'connect'
  | 'second-factor'
  | 'register'
  | 'forgot-password'
  | 'reset-password'
  | 'confirmation'
  | 'change-password'
  | 'invitation'
  | 'first-user';

/** Counts attempts before their outcome is known: addresses before the request is examined, which takes time, too. */
export interface Attempts {
  /** By the client's address. @throws AppError tooManyRequests */
  countAddress(attempt: Attempt, address: string): Promise<Forgive>;
  /**
   * By account: with a low limit per address, and a higher one for all addresses together, otherwise anyone
   * could lock a user out. Addresses from which the user logged in before are exempt from the latter.
   * @throws AppError tooManyRequests
   */
  countAccount(attempt: Attempt, address: string, account: string): Promise<Forgive>;
  /** Mails to an account, for all clients together. @throws AppError tooManyRequests */
  countMail(attempt: Attempt, account: string): Promise<void>;
}

const nothing: Forgive = async () => undefined;
const unlimited: Attempts = {
  countAddress: async () => nothing,
  countAccount: async () => nothing,
  countMail: async () => undefined,
};

/**
 * The limits of one account for all addresses together, in multiples of the attempts and the window of the
 * settings: continued attempts have to wait longer.
 */
const stages = [
  { attempts: 10, time: 1 },
  { attempts: 20, time: 12 },
  { attempts: 50, time: 288 },
] as const;

/** Seconds for which an address is the user's; also the longest window, because timers are limited to 24 days. */
const LONGEST_WINDOW = 20 * 86_400;

export function countAttempts(rateLimits: Pick<RateLimits, 'open'>, limit: Settings['rateLimit']): Attempts {
  if (limit === undefined) return unlimited;
  const { attempts: max, within } = limit;
  const strict = rateLimits.open({ name: 'users-permissions', max, within });
  const patient = stages.map(({ attempts, time }) =>
    rateLimits.open({
      name: `users-permissions-${time}`,
      max: max * attempts,
      within: Math.min(within * time, LONGEST_WINDOW),
    }),
  );
  const trustedPairs = rateLimits.open({
    name: 'users-permissions-known',
    max: Number.MAX_SAFE_INTEGER,
    within: LONGEST_WINDOW,
  });
  return {
    countAddress: (attempt, address) => countAll([[strict, `${attempt} from ${networkOf(address)}`]]),
    countAccount: async (attempt, address, account) => {
      const [accountKey, pair] = [digest(account), digest(`${account} ${networkOf(address)}`)];
      const isTrusted = await trustedPairs.has(pair);
      const all = isTrusted ? [] : patient.map((limiter) => [limiter, `${attempt} of ${accountKey}`] as const);
      const succeeded = await countAll([[strict, `${attempt} of ${pair}`], ...all]);
      return async () => {
        await succeeded();
        if (!isTrusted) await trustedPairs.count(pair);
      };
    },
    countMail: async (attempt, account) => {
      await strict.count(`${attempt} of ${digest(account.toLowerCase())}`);
    },
  };
}

async function countAll(counted: readonly (readonly [RateLimiter, string])[]): Promise<Forgive> {
  for (const [limiter, key] of counted) await limiter.count(key);
  return async () => {
    for (const [limiter, key] of counted) await limiter.forgive(key);
  };
}

/** User input can be long, and should not be readable in the database. */
const digest = (account: string): string => createHash('sha256').update(account).digest('base64url');

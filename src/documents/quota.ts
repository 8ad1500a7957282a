import { AppError } from '../errors/app-error.js';
import { networkOf } from '../mongo/coordination/rate-limits.js';
import type { Caller } from './caller.js';

/** How much there is, and how much of it one caller can have. */
export interface QuotaLimits {
  readonly all: number;
  readonly perCaller: number;
}

/** Distinguishes callers in limits: the network of one without credentials, since there may be many of these. */
export const callerKey = ({ kind, identity, user, credentials }: Caller, address: string): string =>
  kind === 'public' ? `address ${networkOf(address)}` : `${kind} ${identity ?? user ?? String(credentials?.['id'])}`;

/** What one holder has of it. */
export interface Holding {
  /**
   * Holds this much from now on.
   * @throws AppError overloaded, tooManyRequests if it would be more, and nothing is left
   */
  set(number: number): void;
  /** Gives all of it back. */
  close(): void;
}

/** Seconds after which a caller that has too much may try again. */
const RETRY_SECONDS = 5;

/**
 * The quota of what callers hold in this process: connections that stay open, or bytes in memory.
 * @param refusal the message if nothing is left
 */
export function createQuota({ all, perCaller }: QuotaLimits, refusal: string) {
  const byCaller = new Map<string, number>();
  let count = 0;
  const open = (caller: string): Holding => {
    let held = 0;
    const set = (number: number): void => {
      const own = (byCaller.get(caller) ?? 0) + number - held;
      const total = count + number - held;
      if (number > held && total > all) throw new AppError('overloaded', refusal);
      if (number > held && own > perCaller) throw new AppError('tooManyRequests', RETRY_SECONDS);
      held = number;
      count = total;
      if (own === 0) byCaller.delete(caller);
      else byCaller.set(caller, own);
    };
    return { set, close: () => set(0) };
  };
  return {
    /** What a caller will hold for one purpose: nothing at first. */
    open,
    /** Takes one. Returns what gives it back. @throws AppError overloaded, tooManyRequests */
    take: (caller: string): (() => void) => {
      const holding = open(caller);
      holding.set(1);
      return holding.close;
    },
    get count() {
      return count;
    },
  };
}

export type Quota = ReturnType<typeof createQuota>;

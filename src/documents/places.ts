import { AppError } from '../errors/app-error.js';
import { networkOf } from '../mongo/coordination/rate-limits.js';
import type { Caller } from './caller.js';

/** How many places there are, and how many of them one caller can have. */
export interface PlaceLimits {
  readonly all: number;
  readonly perCaller: number;
}

/** Distinguishes callers in limits: the network of one without credentials, since there may be many of these. */
export const callerKey = ({ kind, identity, user, credentials }: Caller, address: string): string =>
  kind === 'public' ? `address ${networkOf(address)}` : `${kind} ${identity ?? user ?? String(credentials?.['id'])}`;

/** The places of one holder. */
export interface Holding {
  /**
   * Holds this number of places from now on.
   * @throws AppError overloaded, tooManyRequests if it would be more, and they are taken
   */
  set(number: number): void;
  /** Gives all of them back. */
  close(): void;
}

/** Seconds after which a caller with too many places may try again. */
const RETRY_SECONDS = 5;

/**
 * The places for what callers hold in this process: connections that stay open, or bytes in memory.
 * @param refusal the message if all places are taken
 */
export function createPlaces({ all, perCaller }: PlaceLimits, refusal: string) {
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
    /** The places that a caller will hold for one purpose: none at first. */
    open,
    /** Takes one place. Returns what gives it back. @throws AppError overloaded, tooManyRequests */
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

export type Places = ReturnType<typeof createPlaces>;

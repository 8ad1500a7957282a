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

/** Seconds after which a caller with too many places may try again. */
const RETRY_SECONDS = 5;

/** The places for what callers hold open in this process. @param refusal the message if all places are taken */
export function createPlaces({ all, perCaller }: PlaceLimits, refusal: string) {
  const byCaller = new Map<string, number>();
  let count = 0;
  return {
    /** Takes a place. Returns what gives it back. @throws AppError overloaded, tooManyRequests */
    take: (caller: string): (() => void) => {
      const ownCount = byCaller.get(caller) ?? 0;
      if (count >= all) throw new AppError('overloaded', refusal);
      if (ownCount >= perCaller) throw new AppError('tooManyRequests', RETRY_SECONDS);
      count += 1;
      byCaller.set(caller, ownCount + 1);
      return () => {
        count -= 1;
        const left = (byCaller.get(caller) ?? 1) - 1;
        if (left === 0) byCaller.delete(caller);
        else byCaller.set(caller, left);
      };
    },
    get count() {
      return count;
    },
  };
}

export type Places = ReturnType<typeof createPlaces>;

import { AppError } from '../../errors/app-error.js';

/** The places for what callers hold open in this process. */
export interface Places {
  /**
   * Takes a place. Returns what gives it back.
   * @throws AppError overloaded, tooManyRequests
   */
  take(caller: string): () => void;
  /** How many are taken. */
  readonly count: number;
}

/** How many places there are, and how many of them one caller can have. */
export interface PlaceLimits {
  readonly all: number;
  readonly perCaller: number;
}

/** Seconds after which a caller with too many places may try again. */
const RETRY_SECONDS = 5;

/** @param refusal the message if all places are taken */
export function createPlaces({ all, perCaller }: PlaceLimits, refusal: string): Places {
  const byCaller = new Map<string, number>();
  let count = 0;
  return {
    take: (caller) => {
      const held = byCaller.get(caller) ?? 0;
      if (count >= all) throw new AppError('overloaded', refusal);
      if (held >= perCaller) throw new AppError('tooManyRequests', RETRY_SECONDS);
      count += 1;
      byCaller.set(caller, held + 1);
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

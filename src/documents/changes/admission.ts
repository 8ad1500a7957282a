import { AppError } from '../../errors/app-error.js';

/** Counts what callers hold open in this process. */
export interface Admission {
  /**
   * Returns what gives the place back.
   * @throws AppError overloaded, tooManyRequests
   */
  enter(caller: string): () => void;
  readonly count: number;
}

/** How many places there are, and how many of them one caller can have. */
export interface Places {
  readonly all: number;
  readonly perCaller: number;
}

/** Seconds after which a caller with too many places may try again. */
const RETRY_SECONDS = 5;

/** @param refusal the message if all places are taken */
export function createAdmission({ all, perCaller }: Places, refusal: string): Admission {
  const byCaller = new Map<string, number>();
  let count = 0;
  return {
    enter: (caller) => {
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

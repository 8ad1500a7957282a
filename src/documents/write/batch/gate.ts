import { AppError } from '../../../errors/app-error.js';
import type { Store } from '../../../mongo/store.js';
import type { ApplyOptions } from '../../../mongo/write/entry-writes.js';
import type { WriteResult } from '../../../mongo/write/apply-writes.js';
import type { Write } from '../../../query/mutation.js';

/** The writes of one operation. */
export interface Submitted {
  readonly writes: readonly Write[];
  readonly options: ApplyOptions;
}

/** Holds the writes of an operation until it is clear what happens to the batch. */
export interface Gate {
  /** The operation is checked and ready. */
  readonly reached: Promise<Submitted>;
  readonly apply: Store['apply'];
  /** Its writes were done: what it writes from now on is applied immediately. */
  done(result: WriteResult): void;
  /** Its writes were not done: with an error, or as if there were no such entry. */
  refuse(error?: unknown): void;
}

const notFound: WriteResult = { matched: 0, response: undefined, missing: new Map() };

export function openGate(apply: Store['apply']): Gate {
  const reached = deferred<Submitted>();
  const outcome = deferred<WriteResult>();
  let state: 'open' | 'waiting' | 'done' | 'refused' = 'open';
  return {
    reached: reached.promise,
    apply: async (writes, options = {}) => {
      if (state === 'done') return apply(writes, options);
      // Its condition holds again, after others have changed the entry.
      if (state === 'refused') throw new AppError('conflict', 'Other requests change the entry at the same time');
      const [primary] = writes;
      // It is tried again with all its writes.
      const isAttempt = primary?.kind === 'update' && primary.alone === true;
      if (state !== 'open' || isAttempt) return notFound;
      state = 'waiting';
      reached.resolve({ writes, options });
      return outcome.promise;
    },
    done: (result) => {
      state = 'done';
      outcome.resolve(result);
    },
    refuse: (error) => {
      state = 'refused';
      if (error === undefined) outcome.resolve(notFound);
      else outcome.reject(error);
    },
  };
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

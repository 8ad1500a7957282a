import { responseTooLong } from '../../mongo/read-budget.js';

/** What the answer to one request may still take. */
export interface ResponseBudget {
  /** Bytes; below zero when it is exceeded. */
  readonly left: number;
  /** @throws AppError tooCostly if fewer bytes are left */
  spend(bytes: number): void;
}

/** @param limit bytes of the whole answer */
export function createResponseBudget(limit: number): ResponseBudget {
  let left = limit;
  return {
    get left() {
      return left;
    },
    spend: (bytes) => {
      left -= bytes;
      if (left < 0) throw responseTooLong(limit);
    },
  };
}

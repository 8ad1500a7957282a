import { groupBy } from '../../../config/group-by.js';
import type { LoggedKey } from '../../../mongo/transactions/transaction.js';
import type { Counters } from '../../../mongo/write/counters.js';
import type { Operation } from './operation.js';

/** The ids of the entries that a batch creates. If it is refused, they stay unused. */
export interface ReservedIds {
  readonly keys: readonly LoggedKey[];
  /** Gives the new entry of an operation its id. */
  countersOf(operation: Operation): Counters;
}

/** Reserves the ids of all entries of a type with one command. @throws AppError unavailable */
export async function reserveIds(counters: Counters, operations: readonly Operation[]): Promise<ReservedIds> {
  const keys = new Map<Operation, LoggedKey>();
  const creations = operations.filter(({ kind }) => kind === 'create');
  for (const [{ uid, collectionName: collection }, own] of groupBy(creations, ({ type }) => type)) {
    const { id } = await counters.reserve(uid, { ids: own.length, ranks: 0 });
    for (const [index, operation] of own.entries()) keys.set(operation, { collection, id: id + index, uid });
  }
  return {
    keys: [...keys.values()],
    countersOf: (operation) => {
      const key = keys.get(operation);
      if (key === undefined) return counters;
      const { uid: own, id } = key;
      return {
        ...counters,
        reserve: async (uid, count) => {
          if (uid !== own || count.ids === 0) return counters.reserve(uid, count);
          return count.ranks === 0 ? { id, rank: 0 } : { ...(await counters.reserve(uid, { ...count, ids: 0 })), id };
        },
        release: async () => undefined,
      };
    },
  };
}

import { groupBy } from '../../../config/group-by.js';
import type { LoggedKey } from '../../../mongo/transactions/entry-change.js';
import type { Counters, Reserved } from '../../../mongo/write/counters.js';
import type { Operation } from './operation.js';

/** Reserves the ids of all entries of a type with one command. @throws AppError unavailable */
export async function reserveIds(counters: Counters, operations: readonly Operation[]) {
  const keys = new Map<Operation, LoggedKey>();
  const creations = operations.filter(({ kind }) => kind === 'create');
  for (const [{ uid, collectionName: collection }, own] of groupBy(creations, ({ type }) => type)) {
    const { id } = await counters.reserve(uid, { ids: own.length, ranks: 0 });
    for (const [index, operation] of own.entries()) keys.set(operation, { collection, id: id + index, uid });
  }
  return {
    keys: [...keys.values()],
    /**
     * For each of these operations, which are executed together: gives its new entry its id, and all new links one rank, so that their order is
     * that of the ids.
     */
    countersOf: (together: readonly Operation[]): readonly Counters[] => {
      let rank: Promise<Reserved> | undefined;
      return together.map((operation) => {
        const key = keys.get(operation);
        if (key === undefined) return counters;
        return {
          ...counters,
          reserve: async (uid, count) => {
            if (uid !== key.uid || count.ids === 0) return counters.reserve(uid, count);
            if (count.ranks > 0) rank ??= counters.reserve(uid, { ids: 0, ranks: 1 });
            return { rank: 0, ...(await rank), id: key.id };
          },
          release: async () => undefined,
        };
      });
    },
  };
}

/** The ids of the entries that a batch creates. If it is refused, they stay unused. */
export type ReservedIds = Awaited<ReturnType<typeof reserveIds>>;

import { groupBy } from '../../../config/group-by.js';
import type { LoggedKey } from '../../../mongo/transactions/apply-changes.js';
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
     * For each of these operations, which are executed together: gives its new entry its id, and its new links a rank, so that their order is
     * that of the operations. One that is executed alone may also reserve ranks for links of other entries.
     */
    countersOf: (together: readonly Operation[]): readonly Counters[] => {
      let ranks: Promise<Reserved> | undefined;
      return together.map((operation, place) => {
        const { uid: own } = operation.type;
        const id = keys.get(operation)?.id;
        return {
          ...counters,
          reserve: async (uid, count) => {
            const isOfEntry = uid === own && (together.length > 1 || (id !== undefined && count.ids > 0));
            if (!isOfEntry) return counters.reserve(uid, count);
            if (count.ranks > 0) ranks ??= counters.reserve(uid, { ids: 0, ranks: together.length });
            return { id: id ?? 0, rank: ranks === undefined ? 0 : (await ranks).rank + place };
          },
          release: async () => undefined,
        };
      });
    },
  };
}

/** The ids of the entries that a batch creates. If it is refused, they stay unused. */
export type ReservedIds = Awaited<ReturnType<typeof reserveIds>>;

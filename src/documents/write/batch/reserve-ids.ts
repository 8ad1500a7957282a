import { groupBy } from '../../../config/group-by.js';
import type { ContentType } from '../../../content-types/model/types.js';
import type { LoggedKey } from '../../../mongo/transactions/transaction.js';
import type { Counters } from '../../../mongo/write/counters.js';

/** The ids of the entries that a batch creates. */
export interface ReservedIds {
  readonly keys: readonly LoggedKey[];
  /** Gives new entries these ids, in their order. */
  readonly counters: Counters;
  /** Releases those that no entry has got, unless a later one was allocated. */
  release(): Promise<void>;
}

/** Reserves ids for entries of these types with one command for each type. @throws AppError unavailable */
export async function reserveIds(counters: Counters, types: readonly ContentType[]): Promise<ReservedIds> {
  const left = new Map<string, number[]>();
  const keys: LoggedKey[] = [];
  for (const [{ uid, collectionName: collection }, { length }] of groupBy(types, (type) => type)) {
    const { id: first } = await counters.reserve(uid, { ids: length, ranks: 0 });
    const ids = Array.from({ length }, (_, index) => first + index);
    left.set(uid, ids);
    keys.push(...ids.map((id) => ({ collection, id, uid })));
  }
  return {
    keys,
    counters: {
      ...counters,
      reserve: async (uid, count) => {
        const id = count.ids === 1 ? left.get(uid)?.shift() : undefined;
        if (id === undefined) return counters.reserve(uid, count);
        return count.ranks === 0 ? { id, rank: 0 } : { ...(await counters.reserve(uid, { ...count, ids: 0 })), id };
      },
      release: async (uid, id) => void left.get(uid)?.unshift(id),
    },
    release: async () => {
      for (const [uid, ids] of left) await counters.release(uid, ids.at(-1) ?? 0, ids.length);
    },
  };
}

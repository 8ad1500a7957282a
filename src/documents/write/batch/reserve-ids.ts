import type { Counters, Reserved } from '../../../mongo/write/counters.js';

/**
 * The counters of a batch: the ids of all its new entries of a type are reserved with one command. They are not returned, because an entry that is
 * undone may have been seen.
 * @param creations how many entries the batch creates, by type
 */
export function reserveAhead(counters: Counters, creations: ReadonlyMap<string, number>): Counters {
  const blocks = new Map<string, { next: number; left: number }>();
  return {
    ...counters,
    release: () => Promise.resolve(),
    reserve: async (uid, count): Promise<Reserved> => {
      if (count.ids !== 1 || count.ranks > 0) return counters.reserve(uid, count);
      const block = blocks.get(uid) ?? { next: 0, left: 0 };
      blocks.set(uid, block);
      if (block.left === 0) {
        block.left = creations.get(uid) ?? 1;
        block.next = (await counters.reserve(uid, { ids: block.left, ranks: 0 })).id;
      }
      block.left -= 1;
      block.next += 1;
      return { id: block.next - 1, rank: 0 };
    },
  };
}

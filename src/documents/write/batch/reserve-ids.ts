import type { Counters } from '../../../mongo/write/counters.js';

/** Ranks that are reserved at once: those of one batch follow each other, so that the lists of two batches at the same time are in the same order. */
const RANKS = 1000;

/**
 * The counters of a batch: the ids of all its new entries of a type, and their ranks, are reserved with one command. They are not returned, because an
 * entry that is undone may have been seen.
 * @param creations how many entries the batch creates, by type
 */
export function reserveAhead(counters: Counters, creations: ReadonlyMap<string, number>): Counters {
  const ids = openBlocks(async (uid, min) => {
    const count = Math.max(creations.get(uid) ?? 0, min);
    return { count, first: (await counters.reserve(uid, { ids: count, ranks: 0 })).id };
  });
  const ranks = openBlocks(async (uid, min) => {
    const count = Math.max(RANKS, min);
    return { count, first: (await counters.reserve(uid, { ids: 0, ranks: count })).rank };
  });
  return {
    ...counters,
    release: () => Promise.resolve(),
    reserve: async (uid, count) => ({ id: await ids(uid, count.ids), rank: await ranks(uid, count.ranks) }),
  };
}

type Reserve = (uid: string, min: number) => Promise<{ readonly first: number; readonly count: number }>;

/** Consecutive numbers out of blocks, by content type; of none 0. */
function openBlocks(reserve: Reserve): (uid: string, count: number) => Promise<number> {
  const blocks = new Map<string, { next: number; end: number }>();
  return async (uid, count) => {
    if (count === 0) return 0;
    let block = blocks.get(uid);
    if (block === undefined || block.end - block.next < count) {
      const reserved = await reserve(uid, count);
      block = { next: reserved.first, end: reserved.first + reserved.count };
      blocks.set(uid, block);
    }
    const { next } = block;
    block.next += count;
    return next;
  };
}

/** Consecutive ids that no entry has ever had, below the last allocated one: code has claimed one above them. */
export interface FreeIds {
  readonly from: number;
  readonly to: number;
}

/** Which ids of a type are allocated: all up to the last one but these. */
export interface Allocated {
  readonly last: number;
  readonly free: readonly FreeIds[];
}

/** So many ranges are remembered: the ids of others count as allocated. */
const MAX_RANGES = 100;

const rangeOf = (from: number, to: number): readonly FreeIds[] => (from <= to ? [{ from, to }] : []);

/** Allocates an id; undefined: it was allocated before. */
export function claimId({ last, free }: Allocated, id: number): Allocated | undefined {
  if (id > last) return { last: id, free: [...free, ...rangeOf(last + 1, id - 1)].slice(-MAX_RANGES) };
  const range = free.find(({ from, to }) => from <= id && id <= to);
  if (range === undefined) return undefined;
  const rest = [...rangeOf(range.from, id - 1), ...rangeOf(id + 1, range.to)];
  return { last, free: free.flatMap((one) => (one === range ? rest : [one])).slice(-MAX_RANGES) };
}

/** The change of a stored counter that gives an id back, under which nothing was stored. */
export const unclaim = (id: number) => ({ $push: { free: { $each: [{ from: id, to: id }], $slice: -MAX_RANGES } } });

import type { Collection, Filter } from 'mongodb';
import { systemCommandOptions } from '../read/time-limits.js';

/** How many records are kept, and for how long. */
export interface Retention {
  readonly number: number;
  readonly milliseconds: number;
}

interface Positioned {
  readonly n?: number;
  readonly at: Date;
}

/** The last position to delete: everything beyond the maximum number, and everything that is too old. */
export async function lastToDelete<R extends Positioned>(
  collection: Collection<R>,
  { number, milliseconds }: Retention,
): Promise<number> {
  const positioned = { n: { $gt: 0 } } as Filter<R>;
  const last = await collection.find(positioned, systemCommandOptions).sort({ n: -1 }).skip(number).limit(1).next();
  const expired = new Date(Date.now() - milliseconds);
  let until = last?.n ?? 0;
  for (;;) {
    const batch = await collection
      .find({ n: { $gt: until } } as Filter<R>, { ...systemCommandOptions, projection: { n: 1, at: 1 } })
      .sort({ n: 1 })
      .limit(1000)
      .toArray();
    const old = batch.filter(({ at }) => at < expired);
    until = old.at(-1)?.n ?? until;
    if (old.length < 1000) return until;
  }
}

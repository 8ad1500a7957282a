import type { Db } from 'mongodb';
import { systemCommandOptions } from '../read/time-limits.js';
import { coalesce } from '../coordination/coalesce.js';
import { translated } from '../errors.js';

/** A number per component, by uid. */
export type ByComponent = ReadonlyMap<string, number>;

/** Reserved ids: the first per component, and how many. */
export interface ReservedIds {
  readonly first: ByComponent;
  readonly counts: ByComponent;
}

/** The stored counter. */
export interface Counter {
  readonly _id: string;
  readonly last?: Readonly<Record<string, number>>;
}

const counter = { _id: 'components' } as const;
const BLOCK = 1000;

/** A dot in the name of a field would be a path separator. */
const nameOf = (uid: string): string => uid.replace('.', '/');
const uidOf = (name: string): string => name.replace('/', '.');
const fieldsOf = (numbers: Iterable<readonly [string, number]>): Record<string, number> =>
  Object.fromEntries([...numbers].map(([uid, number]) => [`last.${nameOf(uid)}`, number]));

/**
 * Ids of components. Each component has its own sequence, because it has its own table in Strapi; one document has all
 * counters, so that one command suffices for all components of a write.
 */
export function openComponentIds(db: Db) {
  const collection = db.collection<Counter>('_counters');
  const blocks = new Map<string, { readonly next: number; readonly end: number }>();

  const extend = async (sizes: ByComponent): Promise<void> => {
    const update = { $inc: fieldsOf(sizes) };
    const options = { ...systemCommandOptions, upsert: true, returnDocument: 'after' } as const;
    const raised = await translated(() => collection.findOneAndUpdate(counter, update, options));
    for (const [uid, size] of sizes) {
      const end = (raised?.last?.[nameOf(uid)] ?? size) + 1;
      const { next, end: former } = blocks.get(uid) ?? none;
      // The rest of the previous block is used if no other process reserved ids in between.
      blocks.set(uid, { next: former === end - size ? next : end - size, end });
    }
  };

  const take = coalesce<ByComponent, ByComponent>(async (requests) => {
    const sizes = [...sum(requests)].flatMap(([uid, count]) => {
      const { next, end } = blocks.get(uid) ?? none;
      return next + count > end ? [[uid, Math.max(BLOCK, count)] as const] : [];
    });
    if (sizes.length > 0) await extend(new Map(sizes));
    return requests.map((counts) => {
      const first = [...counts].map(([uid, count]) => {
        const { next, end } = blocks.get(uid) ?? none;
        blocks.set(uid, { next: next + count, end });
        return [uid, next] as const;
      });
      return new Map(first);
    });
  });

  return {
    /**
     * Reserves ids per component, and returns the first of each. They are allocated in blocks, so there can be gaps.
     */
    reserve: (counts: ByComponent): Promise<ByComponent> =>
      counts.size === 0 ? Promise.resolve(counts) : take(counts),
    /** Releases unused ids per component, unless a later one was allocated. */
    release: ({ first, counts }: ReservedIds): void => {
      for (const [uid, next] of first) {
        const block = blocks.get(uid);
        if (block?.next === next + (counts.get(uid) ?? 0)) blocks.set(uid, { ...block, next });
      }
    },
    /** Makes sure that the next ids are above these. */
    raise: async (last: ByComponent): Promise<void> => {
      blocks.clear();
      if (last.size > 0)
        await collection.updateOne(counter, { $max: fieldsOf(last) }, { ...systemCommandOptions, upsert: true });
    },
  };
}

export type ComponentIds = ReturnType<typeof openComponentIds>;

const none = { next: 1, end: 1 };

function sum(counts: readonly ByComponent[]): ByComponent {
  const total = new Map<string, number>();
  for (const [uid, count] of counts.flatMap((byUid) => [...byUid])) total.set(uid, (total.get(uid) ?? 0) + count);
  return total;
}

/** The last allocated ids of a counter, by uid. */
export const lastIdsIn = ({ last = {} }: Counter): readonly (readonly [string, number])[] =>
  Object.entries(last).map(([name, id]) => [uidOf(name), id]);

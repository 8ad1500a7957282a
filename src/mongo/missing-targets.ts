import type { Db, Document } from 'mongodb';
import type { ContentType } from '../content-types/types.js';

/** Ids that a write leads to, by their type. */
export type Targets = ReadonlyMap<ContentType, ReadonlySet<number>>;

/** Which of these entries are not there. One command, however many types. */
export async function findMissing(db: Db, targets: Targets): Promise<ReadonlyMap<ContentType, readonly number[]>> {
  const asked = [...targets].filter(([, ids]) => ids.size > 0);
  const [first, ...rest] = asked.map(([type, ids]) => ({ from: type.collectionName, stages: present(type, ids) }));
  if (first === undefined) return new Map();
  const others = rest.map(({ from, stages }) => ({ $unionWith: { coll: from, pipeline: [...stages] } }));
  const found = await db
    .collection(first.from)
    .aggregate<{ ids: number[]; type: string }>([...first.stages, ...others])
    .toArray();
  const known = new Map(found.map(({ type, ids }) => [type, new Set(ids)]));
  return new Map(
    asked.flatMap(([type, ids]) => {
      const missing = [...ids].filter((id) => known.get(type.uid)?.has(id) !== true);
      return missing.length > 0 ? [[type, missing] as const] : [];
    }),
  );
}

const present = ({ uid }: ContentType, ids: ReadonlySet<number>): readonly Document[] => [
  { $match: { _id: { $in: [...ids] } } },
  { $group: { _id: null, ids: { $push: '$_id' } } },
  { $project: { _id: 0, ids: 1, type: { $literal: uid } } },
];

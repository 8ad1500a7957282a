import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { readBatch } from './read-batch.js';
import { coalesce } from '../coordination/coalesce.js';

/** The target ids of a write, by type. */
export type Targets = ReadonlyMap<ContentType, ReadonlySet<number>>;

/** The missing entries among these. One command with a time limit for all types. */
export async function findMissing(db: Db, targets: Targets, timeout: number): Promise<Missing> {
  return without(targets, await findPresent(db, targets, timeout));
}

/** The same for concurrent writes, which share one command. */
export function createMissingTargetsReader(db: Db, timeout: number): (targets: Targets) => Promise<Missing> {
  const share = coalesce<Targets, Targets>(async (requests) => {
    const present = await findPresent(db, unite(requests), timeout);
    return requests.map(() => present);
  });
  return async (targets) => {
    const hasIds = [...targets.values()].some((ids) => ids.size > 0);
    return hasIds ? without(targets, await share(targets)) : new Map();
  };
}

/** The ids of entries that do not exist, by their type. */
export type Missing = ReadonlyMap<ContentType, readonly number[]>;

function unite(all: readonly Targets[]): Targets {
  const united = new Map<ContentType, Set<number>>();
  for (const [type, ids] of all.flatMap((targets) => [...targets])) {
    const ofType = united.get(type) ?? new Set();
    for (const id of ids) ofType.add(id);
    united.set(type, ofType);
  }
  return united;
}

const without = (targets: Targets, present: Targets): Missing =>
  new Map(
    [...targets].flatMap(([type, ids]) => {
      const missing = [...ids].filter((id) => present.get(type)?.has(id) !== true);
      return missing.length > 0 ? [[type, missing] as const] : [];
    }),
  );

async function findPresent(db: Db, targets: Targets, timeout: number): Promise<Targets> {
  const requested = [...targets].filter(([, ids]) => ids.size > 0);
  const [first, ...rest] = requested.map(([type, ids]) => ({ from: type.collectionName, stages: present(type, ids) }));
  if (first === undefined) return new Map();
  const others = rest.map(({ from, stages }) => ({ $unionWith: { coll: from, pipeline: [...stages] } }));
  const command = { aggregate: first.from, pipeline: [...first.stages, ...others] };
  const found = await readBatch<{ ids: number[]; type: string }>(db, command, timeout);
  const byType = new Map(found.map(({ type, ids }) => [type, new Set(ids)]));
  return new Map(requested.map(([type]) => [type, byType.get(type.uid) ?? new Set()]));
}

const present = ({ uid }: ContentType, ids: ReadonlySet<number>): readonly Document[] => [
  { $match: { _id: { $in: [...ids] } } },
  { $group: { _id: null, ids: { $push: '$_id' } } },
  { $project: { _id: 0, ids: 1, type: { $literal: uid } } },
];

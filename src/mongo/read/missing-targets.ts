import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { readBatch } from './read-batch.js';
import { PENDING } from '../compile/write/marks.js';
import { coalesce } from '../coordination/coalesce.js';

/** The target ids of a write, by type. */
export type Targets = ReadonlyMap<ContentType, ReadonlySet<number>>;

/** The missing entries among these. One command with a time limit for all types. */
export async function findMissing(db: Db, targets: Targets, timeout: number): Promise<Missing> {
  return without(targets, await findPresent(db, targets, timeout)).missing;
}

/** Like `findMissing`, but concurrent calls share one command. Also reads which links were replaced. */
export function createTargetReader(db: Db, timeout: number): (targets: Targets) => Promise<FoundTargets> {
  const share = coalesce<Targets, Present>(async (requests) => {
    const present = await findPresent(db, unite(requests), timeout);
    return requests.map(() => present);
  });
  return async (targets) => {
    const hasIds = [...targets.values()].some((ids) => ids.size > 0);
    return hasIds ? without(targets, await share(targets)) : { missing: new Map(), sets: new Map(), pending: [] };
  };
}

/** The ids of entries that do not exist, by their type. */
export type Missing = ReadonlyMap<ContentType, readonly number[]>;

/** By relation that another side stores: the rank at which its links were replaced. */
type Sets = Readonly<Record<string, number>>;

/** Entries that a write refers to. */
export interface FoundTargets {
  readonly missing: Missing;
  /** Only of existing entries with such ranks. */
  readonly sets: ReadonlyMap<ContentType, ReadonlyMap<number, Sets>>;
  /** The numbers of batches that have written some of them, and are not decided yet; see `PENDING`. */
  readonly pending: readonly number[];
}

type Present = ReadonlyMap<
  ContentType,
  { readonly ids: ReadonlySet<number>; readonly sets: ReadonlyMap<number, Sets>; readonly pending: readonly Pending[] }
>;

/** The targets of several writes. */
export function unite(all: readonly Targets[]): Targets {
  const united = new Map<ContentType, Set<number>>();
  for (const [type, ids] of all.flatMap((targets) => [...targets])) {
    const ofType = united.get(type) ?? new Set();
    for (const id of ids) ofType.add(id);
    united.set(type, ofType);
  }
  return united;
}

function without(targets: Targets, present: Present): FoundTargets {
  const missing = [...targets].flatMap(([type, ids]) => {
    const absent = [...ids].filter((id) => present.get(type)?.ids.has(id) !== true);
    return absent.length > 0 ? [[type, absent] as const] : [];
  });
  const pending = [...targets].flatMap(([type, ids]) =>
    (present.get(type)?.pending ?? []).flatMap(({ id, batch }) => (ids.has(id) ? [batch] : [])),
  );
  return { missing: new Map(missing), sets: new Map([...present].map(([type, { sets }]) => [type, sets])), pending };
}

async function findPresent(db: Db, targets: Targets, timeout: number): Promise<Present> {
  const requested = [...targets].filter(([, ids]) => ids.size > 0);
  const [first, ...rest] = requested.map(([type, ids]) => ({ from: type.collectionName, stages: present(type, ids) }));
  if (first === undefined) return new Map();
  const others = rest.map(({ from, stages }) => ({ $unionWith: { coll: from, pipeline: [...stages] } }));
  const command = { aggregate: first.from, pipeline: [...first.stages, ...others] };
  const rows = await readBatch<PresentTargets>(db, command, timeout);
  const byType = new Map(rows.map((row) => [row._id, row]));
  return new Map(
    requested.map(([type]) => {
      const { ids = [], sets = [], pending = [] } = byType.get(type.uid) ?? {};
      return [type, { ids: new Set(ids), sets: new Map(sets.map(({ id, of }) => [id, of])), pending }];
    }),
  );
}

interface PresentTargets {
  /** The type. */
  readonly _id: string;
  readonly ids: readonly number[];
  readonly sets: readonly { readonly id: number; readonly of: Sets }[];
  readonly pending: readonly Pending[];
}

interface Pending {
  readonly id: number;
  readonly batch: number;
}

const present = ({ uid }: ContentType, ids: ReadonlySet<number>): readonly Document[] => [
  { $match: { _id: { $in: [...ids] } } },
  {
    $group: {
      _id: { $literal: uid },
      ids: { $push: '$_id' },
      sets: { $push: { $cond: ['$_set', { id: '$_id', of: '$_set' }, '$$REMOVE'] } },
      pending: { $push: { $cond: [`$${PENDING}`, { id: '$_id', batch: `$${PENDING}` }, '$$REMOVE'] } },
    },
  },
];

import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { uniteIds } from '../../query/change.js';
import { readBatch } from './read-batch.js';
import { coalesce } from '../coordination/coalesce.js';
import { LOCK, type EntryKey } from '../transactions/format.js';
import type { Transactions } from '../transactions/transactions.js';

/** The target ids of a write, by type. */
export type Targets = ReadonlyMap<ContentType, ReadonlySet<number>>;

/**
 * Finds the missing entries among these, and those that are about to appear. One command with a time limit for all
 * types, which concurrent calls share.
 * @param removedIn the ids of the entries in a collection that the caller's transaction removes, which are missing;
 * default: none
 */
export function createTargetReader(
  db: Db,
  timeout: number,
  removedIn: (collection: string) => readonly number[] = () => [],
): (targets: Targets) => Promise<FoundTargets> {
  const share = coalesce<Targets, Present>(async (requests) => {
    const present = await findPresent(db, uniteIds(requests), timeout);
    return requests.map(() => present);
  });
  return async (targets) => {
    const hasIds = [...targets.values()].some((ids) => ids.size > 0);
    return hasIds ? without(targets, await share(targets), removedIn) : { missing: new Map(), unsettled: [] };
  };
}

/** The ids of entries that do not exist, by their type. */
export type Missing = ReadonlyMap<ContentType, readonly number[]>;

/** Entries that a write refers to. */
export interface FoundTargets {
  readonly missing: Missing;
  /** Those that a transaction has created and that is not settled yet. */
  readonly unsettled: readonly Unsettled[];
}

interface Unsettled extends EntryKey, PresentLock {
  readonly type: ContentType;
}

/** By the uid of the type. */
type Present = ReadonlyMap<string, { readonly ids: ReadonlySet<number>; readonly locks: readonly PresentLock[] }>;

/**
 * The missing entries among these. Those that others create are waited for.
 * @throws Locked if a wait takes too long; AppError unavailable
 */
export async function findMissingTargets(
  transactions: Pick<Transactions, 'current' | 'awaitUnlocked'>,
  find: () => Promise<FoundTargets>,
): Promise<Missing> {
  const own = transactions.current()?.id;
  let found = await find();
  const others = found.unsettled.filter(({ by }) => by !== own);
  if (others.length > 0) {
    await transactions.awaitUnlocked(others);
    found = await find();
  }
  return found.missing;
}

function without(
  targets: Targets,
  present: Present,
  removedIn: (collection: string) => readonly number[],
): FoundTargets {
  const missing = [...targets].flatMap(([type, ids]) => {
    const removed = removedIn(type.collectionName);
    const absent = [...ids].filter((id) => present.get(type.uid)?.ids.has(id) !== true || removed.includes(id));
    return absent.length > 0 ? [[type, absent] as const] : [];
  });
  const unsettled = [...targets].flatMap(([type, ids]) =>
    (present.get(type.uid)?.locks ?? []).flatMap((lock) =>
      ids.has(lock.id) ? [{ type, collection: type.collectionName, ...lock }] : [],
    ),
  );
  return { missing: new Map(missing), unsettled };
}

async function findPresent(db: Db, targets: Targets, timeout: number): Promise<Present> {
  const [first, ...rest] = [...targets].flatMap(([type, ids]) =>
    ids.size > 0 ? [{ from: type.collectionName, stages: present(type, ids) }] : [],
  );
  if (first === undefined) return new Map();
  const others = rest.map(({ from, stages }) => ({ $unionWith: { coll: from, pipeline: [...stages] } }));
  const command = { aggregate: first.from, pipeline: [...first.stages, ...others] };
  const rows = await readBatch<PresentTargets>(db, command, timeout);
  return new Map(rows.map(({ _id, ids, locks }) => [_id, { ids: new Set(ids), locks }]));
}

interface PresentTargets {
  /** The type. */
  readonly _id: string;
  readonly ids: readonly number[];
  readonly locks: readonly PresentLock[];
}

interface PresentLock {
  readonly id: number;
  readonly by: string;
}

const present = ({ uid }: ContentType, ids: ReadonlySet<number>): readonly Document[] => [
  { $match: { _id: { $in: [...ids] } } },
  {
    $group: {
      _id: { $literal: uid },
      ids: { $push: '$_id' },
      locks: {
        $push: {
          $cond: [`$${LOCK}.isNew`, { id: '$_id', by: `$${LOCK}.by` }, '$$REMOVE'],
        },
      },
    },
  },
];

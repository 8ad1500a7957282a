import type { Db } from 'mongodb';
import type { ContentType, RelationAttribute } from '../../content-types/model/types.js';
import type { Filter, Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { Changes } from '../../query/mutation.js';
import type { Precondition } from '../compile/write/preconditions.js';
import { previewPlan, type StoringWrite } from '../compile/write/preview.js';
import { translated } from '../errors.js';
import type { EventLog } from '../events/event-log.js';
import { findDecided } from './batch/decisions.js';
import { findFailedPrecondition } from './failed-precondition.js';
import type { Intents } from './intents.js';
import { readCondition, readMatching, type Conditions } from '../read/conditions.js';
import type { FindEntry } from '../read/entry-loader.js';
import { executeRead } from '../read/execute-read.js';
import type { FoundTargets, Targets } from '../read/missing-targets.js';
import { readRanks, type RankedEntries, type RankedSide } from '../read/read-ranks.js';
import { readSnapshot, type Snapshot } from '../read/snapshot.js';
import { findTakenKeys } from '../read/taken-keys.js';

/** The reads that decide about a write, or explain its refusal. */
export interface WriteChecks {
  /** The entry of a query as the write would store it; undefined if the write would not find it. */
  preview(write: StoringWrite, query: Query, options: Conditions): Promise<LazyEntry | undefined>;
  /** What is stored of an entry; undefined if it does not exist. @throws AppError invalidValue for an entry that is too large */
  snapshot(type: ContentType, id: number): Promise<Snapshot | undefined>;
  /** Those of these targets that do not exist. */
  missing(targets: Targets): Promise<ReadonlyMap<ContentType, readonly number[]>>;
  /** The preconditions of a change that the entry does not meet; undefined when no entry matches `only`. */
  findFailedPrecondition(
    type: ContentType,
    id: number,
    changes: Changes,
    only?: Filter,
  ): Promise<Precondition | undefined>;
  /** Those of the unique keys of components that other entries have. */
  takenKeys(type: ContentType, keys: readonly string[], except: number | undefined): Promise<ReadonlySet<string>>;
  /** The entries that refer to a target in this relation, in the order of the inverse side. */
  ranks(type: ContentType, attribute: RelationAttribute, side: RankedSide): Promise<RankedEntries>;
  /** Those of these events on a type whose entry matched a filter before the write. */
  matchingBefore(
    type: ContentType,
    filter: Filter | undefined,
    positions: readonly number[],
  ): Promise<ReadonlySet<number>>;
}

interface CheckParts {
  readonly db: Db;
  /** The time limit of a command in milliseconds. */
  readonly timeout: number;
  readonly findEntry: FindEntry;
  readonly findTargets: (targets: Targets) => Promise<FoundTargets>;
  readonly intents: Intents;
  readonly events: EventLog;
}

export const createWriteChecks = (parts: CheckParts): WriteChecks => {
  const { db, timeout, findEntry, findTargets, intents, events } = parts;
  return {
    preview: (write, query, conditions) =>
      translated(async () => {
        const plan = previewPlan(write, query, await readCondition(db, write.type, conditions, timeout));
        return (await executeRead(db, plan, { timeout, findEntry })).entries[0];
      }),
    snapshot: (type, id) => translated(() => readSnapshot(db, type, id, timeout)),
    missing: (targets) => translated(() => findDecided(intents, () => findTargets(targets))),
    findFailedPrecondition: (type, id, changes, only) =>
      translated(async () => {
        const condition = await readCondition(db, type, { only }, timeout);
        return findFailedPrecondition(db, type, { id, condition }, changes, timeout);
      }),
    takenKeys: (type, keys, except) => translated(() => findTakenKeys(db, type, keys, except, timeout)),
    ranks: (type, attribute, side) => readRanks(db, type, attribute, side, timeout),
    matchingBefore: async (type, filter, positions) =>
      events.matchingBefore(
        positions,
        await translated(() => readMatching(db, type, filter, timeout)),
        type.dialect.collation,
      ),
  };
};

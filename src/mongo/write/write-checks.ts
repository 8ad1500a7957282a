import type { Db } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import type { Filter, Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { PrimaryWrite } from '../../query/mutation.js';
import { translated } from '../errors.js';
import type { EventLog } from '../events/event-log.js';
import { readMatching } from '../read/conditions.js';
import type { FindEntry } from '../read/entry-loader.js';
import { findSettled, type FoundTargets, type Targets } from '../read/missing-targets.js';
import { findTakenKeys } from '../read/taken-keys.js';
import type { Transactions } from '../transactions/transactions.js';
import { previewEntry } from './preview-entry.js';

/** The reads that decide about a write, or explain its refusal. */
export interface WriteChecks {
  /** The entry of a query as the write would store it; undefined if the write would not find it. @throws AppError as `changeEntry` */
  preview(
    write: PrimaryWrite & { readonly kind: 'insert' | 'update' },
    query: Query,
    only: Filter | undefined,
  ): Promise<LazyEntry | undefined>;
  /** Those of these targets that do not exist. */
  missing(targets: Targets): Promise<ReadonlyMap<ContentType, readonly number[]>>;
  /** Those of the unique keys of components that other entries have. */
  takenKeys(type: ContentType, keys: readonly string[], except: number | undefined): Promise<ReadonlySet<string>>;
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
  readonly transactions: Transactions;
  readonly events: EventLog;
}

export const createWriteChecks = (parts: CheckParts): WriteChecks => {
  const { db, timeout, findEntry, findTargets, transactions, events } = parts;
  return {
    preview: (write, query, only) =>
      translated(async () => {
        const condition = only && (await readMatching(db, write.type, only, timeout));
        return previewEntry(db, write, query, condition, { timeout, findEntry });
      }),
    missing: (targets) => translated(() => findSettled(transactions, () => findTargets(targets))),
    takenKeys: (type, keys, except) => translated(() => findTakenKeys(db, type, keys, except, timeout)),
    matchingBefore: async (type, filter, positions) =>
      events.matchingBefore(
        positions,
        await translated(() => readMatching(db, type, filter, timeout)),
        type.dialect.collation,
      ),
  };
};

import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import type { Filter, Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { PrimaryWrite } from '../../query/mutation.js';
import { translated } from '../errors.js';
import type { EventLog } from '../events/event-log.js';
import type { FindEntry } from '../read/entry-loader.js';
import { findMissingTargets, type FoundTargets, type Targets } from '../read/missing-targets.js';
import type { Transactions } from '../transactions/transactions.js';
import { compareTexts } from '../stored/compare-texts.js';
import { compileQuery } from '../compile/read/compile-query.js';
import { executeRead, readMatching } from '../read/execute-read.js';
import { editOf } from '../stored/entry-edit.js';
import { changeEntry } from './change-entry.js';
import { entriesOf, unlocked } from '../transactions/format.js';

interface CheckParts {
  readonly db: Db;
  /** The time limit of a command in milliseconds. */
  readonly timeout: number;
  readonly findEntry: FindEntry;
  readonly findTargets: (targets: Targets) => Promise<FoundTargets>;
  readonly transactions: Transactions;
  readonly events: EventLog;
}

/** The reads that decide about a write, or explain its refusal. */
export const createWriteChecks = ({ db, timeout, findEntry, findTargets, transactions, events }: CheckParts) => ({
  /**
   * The entry of a query as the write would store it; undefined if the write would not find it.
   * @throws AppError as `changeEntry`
   */
  preview: (
    write: PrimaryWrite & { readonly kind: 'insert' | 'update' },
    query: Query,
    only: Filter | undefined,
  ): Promise<LazyEntry | undefined> =>
    translated(async () => {
      const document = write.kind === 'insert' ? write.document : await updatedDocument(db, write, only, timeout);
      if (document === undefined) return undefined;
      const plan = compileQuery(query);
      const { main } = plan;
      // The database reads the document as if it were stored. A facet returns one document, also for an empty
      // collection.
      const source = [{ $facet: { any: [{ $limit: 1 }] } }, { $replaceWith: { $literal: document } }, ...main.source];
      const read = await executeRead(
        db,
        { ...plan, main: { ...main, id: undefined, copies: undefined, source } },
        { timeout, findEntry },
      );
      return read.entries[0];
    }),
  /** Those of these targets that do not exist. */
  missing: (targets: Targets): Promise<ReadonlyMap<ContentType, readonly number[]>> =>
    translated(() => findMissingTargets(transactions, () => findTargets(targets))),
  /**
   * Those of the unique keys of components that other entries have.
   * @param options.isUnlocked of those that no transaction has locked
   */
  takenKeys: (
    type: ContentType,
    keys: readonly string[],
    { except, isUnlocked }: { readonly except: number | undefined; readonly isUnlocked: boolean },
  ): Promise<ReadonlySet<string>> =>
    translated(async () => {
      if (keys.length === 0) return new Set();
      const { collectionName, dialect } = type;
      const { collation } = dialect;
      const filter = { '_unique.k': { $in: [...keys] }, _id: { $ne: except ?? 0 }, ...(isUnlocked && unlocked) };
      const usedKeys: readonly unknown[] = await entriesOf(db, collectionName).distinct('_unique.k', filter, {
        maxTimeMS: timeout,
      });
      const isUsed = (key: string): boolean =>
        usedKeys.some(
          (value) => value === key || (collation !== undefined && compareTexts(String(value), key, collation) === 0),
        );
      return new Set(keys.filter(isUsed));
    }),
  /** Those of these events on a type whose entry matched a filter before the write. */
  matchingBefore: async (
    type: ContentType,
    filter: Filter | undefined,
    positions: readonly number[],
  ): Promise<ReadonlySet<number>> =>
    events.matchingBefore(
      positions,
      await translated(() => readMatching(db, type, filter, timeout)),
      type.dialect.collation,
    ),
});

export type WriteChecks = ReturnType<typeof createWriteChecks>;

/** An entry as an update would store it; undefined if it is not found. @throws AppError as `changeEntry` */
async function updatedDocument(
  db: Db,
  { type, id, changes }: PrimaryWrite & { readonly kind: 'update' },
  only: Filter | undefined,
  timeout: number,
): Promise<Document | undefined> {
  const condition = (only && (await readMatching(db, type, only, timeout))) ?? {};
  const options = { maxTimeMS: timeout, promoteValues: false, readPreference: 'primary' } as const;
  const stored: Document | null = await entriesOf(db, type.collectionName).findOne(
    { $and: [{ _id: id }, condition] },
    options,
  );
  if (stored === null) return undefined;
  const edit = editOf(stored);
  changeEntry(edit, type, changes);
  return edit.document();
}

import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import type { Filter, Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { PrimaryWrite } from '../../query/mutation.js';
import { translated } from '../errors.js';
import type { EventLog } from '../events/event-log.js';
import type { FindEntry } from '../read/entry-loader.js';
import { findSettled, type FoundTargets, type Targets } from '../read/missing-targets.js';
import type { Transactions } from '../transactions/transactions.js';
import { compareTexts } from '../stored/compare-texts.js';
import { compileQuery } from '../compile/read/compile-query.js';
import { executeRead, readMatching, type ReadOptions } from '../read/execute-read.js';
import { openDraft } from '../stored/draft.js';
import { insertedDocument } from '../stored/inserted-document.js';
import { changeEntry } from './change-entry.js';
import { entriesOf } from '../transactions/format.js';

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
export const createWriteChecks = (parts: CheckParts) => {
  const { db, timeout, findEntry, findTargets, transactions, events } = parts;
  return {
    /** The entry of a query as the write would store it; undefined if the write would not find it. @throws AppError as `changeEntry` */
    preview: (
      write: PrimaryWrite & { readonly kind: 'insert' | 'update' },
      query: Query,
      only: Filter | undefined,
    ): Promise<LazyEntry | undefined> =>
      translated(async () => {
        const condition = only && (await readMatching(db, write.type, only, timeout));
        return previewEntry(db, write, query, condition, { timeout, findEntry });
      }),
    /** Those of these targets that do not exist. */
    missing: (targets: Targets): Promise<ReadonlyMap<ContentType, readonly number[]>> =>
      translated(() => findSettled(transactions, () => findTargets(targets))),
    /** Those of the unique keys of components that other entries have. */
    takenKeys: (type: ContentType, keys: readonly string[], except: number | undefined): Promise<ReadonlySet<string>> =>
      translated(() => findTakenKeys(db, type, keys, except, timeout)),
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
  };
};

export type WriteChecks = ReturnType<typeof createWriteChecks>;

/** Those of the unique keys of components that other entries have. One command of `timeout` at most. */
async function findTakenKeys(
  db: Db,
  { collectionName, dialect: { collation } }: ContentType,
  keys: readonly string[],
  except: number | undefined,
  timeout: number,
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const filter = { '_unique.k': { $in: [...keys] }, _id: { $ne: except ?? 0 } };
  const collection = db.collection<{ _id: number }>(collectionName);
  const held: readonly unknown[] = await collection.distinct('_unique.k', filter, { maxTimeMS: timeout });
  const isHeld = (key: string): boolean =>
    held.some(
      (value) => value === key || (collation !== undefined && compareTexts(String(value), key, collation) === 0),
    );
  return new Set(keys.filter(isHeld));
}

/**
 * The entry of a query as a write would store it; undefined if the write would not find it. The database reads the computed document as if it were stored.
 * @throws AppError as `changeEntry`
 */
async function previewEntry(
  db: Db,
  write: PrimaryWrite & { readonly kind: 'insert' | 'update' },
  query: Query,
  condition: Document | undefined,
  options: ReadOptions,
): Promise<LazyEntry | undefined> {
  const document =
    write.kind === 'insert' ? insertedDocument(write.id, write.changes) : await changed(db, write, condition, options);
  if (document === undefined) return undefined;
  const plan = compileQuery(query);
  const { main } = plan;
  // A facet returns one document, also for an empty collection.
  const source = [{ $facet: { any: [{ $limit: 1 }] } }, { $replaceWith: { $literal: document } }, ...main.source];
  return (await executeRead(db, { ...plan, main: { ...main, id: undefined, source } }, options)).entries[0];
}

async function changed(
  db: Db,
  { type, id, changes }: PrimaryWrite & { readonly kind: 'update' },
  condition: Document = {},
  { timeout: maxTimeMS }: ReadOptions,
): Promise<Document | undefined> {
  const options = { maxTimeMS, promoteValues: false, readPreference: 'primary' } as const;
  const stored = await entriesOf(db, type.collectionName).findOne({ $and: [{ _id: id }, condition] }, options);
  if (stored === null) return undefined;
  const draft = openDraft(stored);
  changeEntry(draft, type, changes);
  return draft.document();
}

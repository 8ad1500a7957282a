import type { Db } from 'mongodb';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import { storedTypes } from '../../content-types/model/stored-types.js';
import type { Filter } from '../../query/ast.js';
import { changeOf, changesOf } from '../../query/change.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { DependentWrite, EntryName, NewDocument, PrimaryWrite, ReferenceRemoval } from '../../query/mutation.js';
import { followingWrite, isRefusal, translated } from '../errors.js';
import type { EventLog } from '../events/event-log.js';
import type { Schedules } from '../events/schedules.js';
import { ensureIndexes } from '../indexes/indexes.js';
import type { StoredDocument } from '../maintenance/extended-json-lines.js';
import { readMatching } from '../read/execute-read.js';
import type { Missing } from '../read/missing-targets.js';
import { prepareCollections } from '../stored/dialect.js';
import type { Reviews } from '../reviews.js';
import { REVIEW } from '../stored/review.js';
import { SCHEDULE } from '../stored/schedule.js';
import { COPIED } from '../stored/working-copy.js';
import { entriesOf, type EntryKey } from '../transactions/format.js';
import type { Counters } from './counters.js';
import { executeWrites, type Executed, type WriteOptions } from './execute-writes.js';
import { restoreFromTrash, type RestoredEntry, type Restoration } from './restore-from-trash.js';
import { appendDocuments, replaceDocuments, type Replaced } from './replace-documents.js';
import { removeMany, updateMany, type Removal, type Removed, type SameChange } from './write-many.js';
import { valuesAtPath, whenDecided } from './undecided-values.js';
import { copyKey, mergesCopy } from './write-copies.js';
import { changesOne, keyOf, removalStep, writeOne, type WriteParts } from './write-one.js';

export interface ApplyOptions extends Omit<WriteOptions, 'condition' | 'copyCondition'> {
  /** The primary write changes or removes only an entry that matches it. */
  readonly only?: Filter | undefined;
  /** The primary write uses only a working copy that matches it. */
  readonly onlyCopy?: Filter | undefined;
}

export interface WriteResult {
  /** How many entries the primary write found. */
  readonly matched: number;
  /** The entry of the response query; undefined if none was read. */
  readonly response: LazyEntry | undefined;
  /** Values that other localizations share were not written to them: they wait in the copy of a draft. */
  readonly isHeld?: boolean;
  /** The targets that do not exist any more. */
  readonly missing: Missing;
}

interface WriteServices extends WriteParts {
  readonly counters: Counters;
  readonly events: EventLog;
  readonly schedules: Schedules;
  readonly reviews: Reviews;
  /** Invalidates what processes remember, although no entry has changed. */
  readonly renew: (types: readonly ContentType[]) => Promise<void>;
  /** Whether no other process uses the database. */
  readonly exclusive: boolean;
}

/** The writes of entries, and the completion of those that a crash interrupted. */
export type EntryWrites = ReturnType<typeof openEntryWrites>;

export function openEntryWrites(parts: WriteServices) {
  const { db, transactions, versions, timeout, counters, events, schedules, reviews, receipts, renew, exclusive } =
    parts;
  return {
    /** The transactions of this process: writes of code that runs inside of one are part of it. */
    transactions,
    /** @throws AppError unavailable, conflict; the driver's error for a refused write, see `duplicateOf` */
    apply: (
      writes: readonly [PrimaryWrite, ...DependentWrite[]],
      { only, onlyCopy, ...options }: ApplyOptions = {},
    ): Promise<WriteResult> =>
      translated(async () => {
        const [{ type }] = writes;
        const condition = only && (await readMatching(db, type, only, timeout));
        const copyCondition = onlyCopy && (await readMatching(db, type, onlyCopy, timeout));
        const apply = (): Promise<WriteResult> => applyWrites(parts, writes, { ...options, condition, copyCondition });
        const result = await whenDecided(parts, type, apply, {
          valuesAt: (path) => valuesIn(writes[0], path),
          source: sourceOf(writes[0]),
        });
        await followingWrite(() => counters.restore());
        return result;
      }),
    /** Removes references to entries that do not exist any more. @throws AppError unavailable */
    removeReferences: (references: readonly ReferenceRemoval[]): Promise<void> =>
      translated(() =>
        transactions.joinOrRepeat(async (transaction) => transaction.after(references.map(removalStep))),
      ),
    /**
     * Updates the given entries that match the filter, and returns their number.
     * @throws the driver's error, see `duplicateOf`; AppError conflict
     */
    updateMany: (type: ContentType, updates: readonly SameChange[], filter: Filter | undefined): Promise<number> =>
      translated(async () => {
        const matching = await readMatching(db, type, filter, timeout);
        // Some may be updated already.
        const update = (): Promise<number> => updateMany(parts, type, updates, matching);
        const valuesAt = (path: string): readonly unknown[] => updates.flatMap(({ values }) => values.get(path) ?? []);
        return whenDecided(parts, type, update, { valuesAt, isRepeatable: false });
      }),
    /**
     * Removes the given entries that match the filter, with the references to them.
     * @throws AppError unavailable; the driver's error
     */
    removeMany: (type: ContentType, removals: readonly Removal[], filter: Filter | undefined): Promise<Removed> =>
      translated(async () => removeMany(parts, type, removals, await readMatching(db, type, filter, timeout))),
    /**
     * See `restoreFromTrash`.
     * @throws AppError unavailable, conflict; the driver's error of a unique value, see `duplicateOf`
     */
    restore: (
      types: Registry['contentTypes'],
      name: EntryName,
      restoration: Restoration,
    ): Promise<RestoredEntry | undefined> =>
      translated(async () => {
        await transactions.finishInterrupted();
        const { trash } = name.type;
        const source = trash && { collection: trash.type.collectionName, id: name.id };
        return whenDecided(parts, name.type, () => restoreFromTrash(parts, types, name, restoration), { source });
      }),
    /**
     * Stores new entries in this order, up to the first one that has a unique value of another. Returns how many it has
     * stored.
     * @throws AppError unavailable
     */
    append: (type: ContentType, documents: readonly NewDocument[]): Promise<number> =>
      translated(async () => {
        const count = await appendDocuments(db, type.collectionName, documents, timeout);
        await versions.raise(changesOf([type]));
        return count;
      }),
    /** Stores documents of one type as they are, replacing existing ones with their ids. */
    replace: (type: ContentType, documents: readonly StoredDocument[]): Promise<readonly Replaced[]> =>
      translated(async () => {
        if (documents.some((document) => SCHEDULE in document)) await schedules.prepare(type);
        if (documents.some((document) => REVIEW in document)) await reviews.prepare(type);
        const receipt = receipts?.of(type, undefined, 'replace');
        const replaced = await replaceDocuments(db, type.collectionName, documents, timeout, receipt);
        const written = documents.flatMap(({ _id }, index) => (isStored(replaced[index]) ? [Number(_id)] : []));
        if (receipt !== undefined) await receipts?.storedIn(type.collectionName, written, receipt);
        await discardCopies(db, type, documents);
        if (replaced.some(isStored)) await versions.raise(changesOf([type]));
        return replaced;
      }),
    /**
     * Creates indexes and ends transactions interrupted by a crash. Returns the unique indexes that stored data
     * violates, with the reason.
     */
    prepare: async (registry: Registry): Promise<readonly string[]> => {
      const types = storedTypes(registry);
      await prepareCollections(db, registry);
      const refused = await Promise.all(types.map((type) => ensureIndexes(db, type)));
      if (receipts !== undefined) await receipts.prepare(types);
      await transactions.recover(exclusive);
      if (exclusive) await events.recover(registry, 0);
      await renew(types);
      return refused.flat();
    },
    /** Ends the transactions of dead processes. @param alone no other process writes. Returns their number. */
    sweep: (alone = false): Promise<number> =>
      translated(async () => {
        await versions.raise([]);
        return transactions.recover(alone);
      }),
  };
}

/** The stored values that a write gives its entry at a path. */
function valuesIn(write: PrimaryWrite, path: string): readonly unknown[] {
  if (write.kind === 'remove') return [];
  return valuesAtPath(
    (name) => (write.kind === 'insert' ? write.document[name] : write.changes.values.get(name)),
    path,
  );
}

/** The working copy that a write puts into its entry. */
const sourceOf = (write: PrimaryWrite): EntryKey | undefined =>
  mergesCopy(write) && write.type.copies !== undefined ? copyKey(write.type.copies, write.id) : undefined;

const isStored = (replaced: Replaced | undefined): boolean => replaced?.kind === 'new' || replaced?.kind === 'changed';

/** Deletes the copies of entries that were replaced by documents without one. */
async function discardCopies(db: Db, { copies }: ContentType, documents: readonly StoredDocument[]): Promise<void> {
  const ids = documents.flatMap((document) => (COPIED in document ? [] : [Number(document._id)]));
  if (copies === undefined || ids.length === 0) return;
  await entriesOf(db, copies.collectionName).deleteMany({ _id: { $in: ids } });
}

/** What receipts call a write that names no action of its own. */
const actionOf = { insert: 'create', update: 'update', remove: 'delete' } as const;

/**
 * Applies the writes of one operation: all of them happen, or none. The first one decides: if it finds no entry, there
 * are no others. A write of one entry is one command. Others run in a transaction: in that of the caller, or in one of
 * their own, which is repeated while others have locked the entries.
 * @throws the driver's error of a refused write, see `duplicateOf`; Locked; AppError as `changeEntry`
 */
async function applyWrites(
  parts: WriteParts,
  [unsigned, ...dependants]: readonly [PrimaryWrite, ...DependentWrite[]],
  options: WriteOptions,
): Promise<WriteResult> {
  const { transactions, versions, findMissing, receipts } = parts;
  const primary = { ...unsigned, receipt: receipts?.of(unsigned.type, unsigned.receipt, actionOf[unsigned.kind]) };
  const writes = [primary, ...dependants] as const;
  const { deferred = [], targets = new Map(), condition, independent = false, locked = false } = options;
  await transactions.finishInterrupted();
  const isAlone = writes.length === 1 && deferred.length === 0 && !locked && changesOne(primary);
  const writeTogether = async (): Promise<WriteResult> => {
    const { unlocked, ...executed } = await transactions.joinOrRepeat((transaction) => {
      const execute = (): Promise<Executed> => executeWrites(parts, transaction, writes, options);
      // A new entry that changes no other one needs no turn: several can be inserted together.
      // A write of an entry may lock its copy as well.
      const isIndependent = primary.kind === 'insert' || (independent && primary.type.copies === undefined);
      const needsTurn = !isAlone || !isIndependent;
      return needsTurn ? transaction.inTurn(execute) : execute();
    });
    return { ...executed, missing: await followingWrite(() => findMissing(unlocked)) };
  };
  if (!isAlone || transactions.current() !== undefined) return writeTogether();
  const changes = [changeOf(primary)];
  try {
    const matched = await writeOne(parts, primary, condition);
    // The entry may have a working copy.
    if (matched === 0 && primary.type.copies !== undefined) return await writeTogether();
    if (matched > 0 && primary.receipt !== undefined) receipts?.stored(keyOf(primary), primary.receipt);
    const [, missing] = await followingWrite(() => Promise.all([versions.raise(changes), findMissing(targets)]));
    return { matched, response: undefined, missing };
  } catch (error) {
    // It may have been applied nevertheless. The client need not wait for this.
    if (!isRefusal(error)) void versions.raise(changes).catch(() => undefined);
    throw error;
  }
}

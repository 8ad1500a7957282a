import type { ContentType, Registry } from '../../content-types/model/types.js';
import type { Filter } from '../../query/ast.js';
import { changesOf } from '../../query/change.js';
import type { DependentWrite, PrimaryWrite, ReferenceRemoval } from '../../query/mutation.js';
import { translated } from '../errors.js';
import type { EventLog } from '../events/event-log.js';
import { SCHEDULE, type Schedules } from '../events/schedules.js';
import { ensureIndexes } from '../indexes/indexes.js';
import type { StoredDocument } from '../maintenance/extended-json-lines.js';
import { prepareCollections } from '../stored/dialect.js';
import { readMatching } from '../read/execute-read.js';
import type { Transactions } from '../transactions/transactions.js';
import { applyWrites, type WriteResult } from './apply-writes.js';
import type { WriteOptions } from './execute-writes.js';
import type { Counters } from './counters.js';
import { removeMany, type Removal, type Removed } from './many/remove-many.js';
import { updateMany, type SameChange } from './many/update-many.js';
import { replaceDocuments, type Replaced } from './replace-documents.js';
import { removalStep, type WriteParts } from './write-one.js';

/** The writes of entries, and the completion of those that a crash interrupted. */
export interface EntryWrites {
  /** @throws AppError unavailable, conflict; the driver's error for a refused write, see `duplicateOf` */
  apply(writes: readonly [PrimaryWrite, ...DependentWrite[]], options?: ApplyOptions): Promise<WriteResult>;
  /** Removes references to entries that do not exist any more. @throws AppError unavailable */
  removeReferences(references: readonly ReferenceRemoval[]): Promise<void>;
  /** The transactions of this process: writes of code that runs inside of one are part of it. */
  readonly transactions: Transactions;
  /** Updates the given entries that match the filter, and returns their number. @throws the driver's error, see `duplicateOf` */
  updateMany(type: ContentType, updates: readonly SameChange[], filter: Filter | undefined): Promise<number>;
  /** Removes the given entries that match the filter, with the references to them. @throws AppError unavailable; the driver's error */
  removeMany(type: ContentType, removals: readonly Removal[], filter: Filter | undefined): Promise<Removed>;
  /** Stores documents of one type as they are, replacing existing ones with their ids. */
  replace(type: ContentType, documents: readonly StoredDocument[]): Promise<readonly Replaced[]>;
  /** Creates indexes and ends transactions interrupted by a crash. Returns the unique indexes that stored data violates, with the reason. */
  prepare(registry: Registry): Promise<readonly string[]>;
  /** Ends the transactions of dead processes. @param alone no other process writes. Returns their number. */
  sweep(alone?: boolean): Promise<number>;
}

export interface ApplyOptions extends Omit<WriteOptions, 'condition'> {
  /** The primary write changes or removes only an entry that matches it. */
  readonly only?: Filter | undefined;
}

interface WriteServices extends WriteParts {
  readonly counters: Counters;
  readonly events: EventLog;
  readonly schedules: Schedules;
  /** Invalidates what processes remember, although no entry has changed. */
  readonly renew: (types: readonly ContentType[]) => Promise<void>;
  /** Whether no other process uses the database. */
  readonly exclusive: boolean;
}

export function openEntryWrites(parts: WriteServices): EntryWrites {
  const { db, transactions, versions, timeout, counters, events, schedules, renew, exclusive } = parts;
  return {
    transactions,
    apply: (writes, { only, ...options } = {}) =>
      translated(async () => {
        const [{ type }] = writes;
        const condition = only && (await readMatching(db, type, only, timeout));
        const result = await applyWrites(parts, writes, { ...options, condition });
        await counters.restore();
        return result;
      }),
    removeReferences: (references) =>
      translated(async () => {
        await transactions.joinOrRepeat(async (transaction) => transaction.after(references.map(removalStep)));
      }),
    updateMany: (type, updates, filter) =>
      translated(async () => updateMany(parts, type, updates, await readMatching(db, type, filter, timeout))),
    removeMany: (type, removals, filter) =>
      translated(async () => removeMany(parts, type, removals, await readMatching(db, type, filter, timeout))),
    replace: (type, documents) =>
      translated(async () => {
        if (documents.some((document) => SCHEDULE in document)) await schedules.prepare(type);
        const replaced = await replaceDocuments(db, type.collectionName, documents, timeout);
        if (replaced.some(({ kind }) => kind === 'new' || kind === 'changed')) await versions.raise(changesOf([type]));
        return replaced;
      }),
    prepare: async (registry) => {
      const types = [...registry.contentTypes.values()];
      await prepareCollections(db, registry);
      const refused = await Promise.all(types.map((type) => ensureIndexes(db, type)));
      await transactions.recover(exclusive);
      if (exclusive) await events.recover(registry, 0);
      await renew(types);
      return refused.flat();
    },
    sweep: (alone = false) =>
      translated(async () => {
        await versions.raise([]);
        return transactions.recover(alone);
      }),
  };
}

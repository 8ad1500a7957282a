import type { ContentType, Registry } from '../../content-types/model/types.js';
import type { Filter } from '../../query/ast.js';
import { changesOf } from '../../query/change.js';
import type { Write } from '../../query/mutation.js';
import { translated } from '../errors.js';
import type { EventLog } from '../events/event-log.js';
import { SCHEDULE, type Schedules } from '../events/schedules.js';
import { ensureIndexes } from '../indexes/indexes.js';
import type { StoredDocument } from '../maintenance/extended-json-lines.js';
import { prepareCollections } from '../stored/dialect.js';
import { readCondition, readMatching, type Conditions } from '../read/conditions.js';
import { applyWrites, type WriteContext, type WriteOptions, type WriteResult } from './apply-writes.js';
import { applyBatch, type BatchKey, type BatchOutcome, type PlannedStep } from './batch/apply-batch.js';
import type { Counters } from './counters.js';
import { finishIntent, finishIntents } from './finish-intents.js';
import { removeMany, type Removal, type Removed } from './many/remove-many.js';
import { updateMany, type SameChange } from './many/update-many.js';
import { abandonedAfter, createPendingIntents } from './pending-intents.js';
import { replaceDocuments, replaceEntries, type Replaced, type WholeEntry } from './replace-entries.js';

/** The writes of entries, and the completion of those that a crash interrupted. */
export interface EntryWrites {
  /** @throws AppError unavailable; the driver's error for a refused primary write, see `duplicateOf` */
  apply(writes: readonly Write[], options?: ApplyOptions): Promise<WriteResult>;
  /** Applies all of these writes, or none; see `applyBatch`. */
  applyBatch(operations: readonly BatchOperation[], key?: BatchKey): Promise<BatchOutcome>;
  /** Updates the given entries that match the filter, and returns their number. @throws the driver's error, see `duplicateOf` */
  updateMany(type: ContentType, updates: readonly SameChange[], filter: Filter | undefined): Promise<number>;
  /** Removes the given entries that match the filter, with the references to them. @throws AppError unavailable; the driver's error */
  removeMany(type: ContentType, removals: readonly Removal[], filter: Filter | undefined): Promise<Removed>;
  /** Stores entries of one type, replacing existing entries with their ids; see `replaceEntries`. */
  replace(type: ContentType, entries: readonly WholeEntry[]): Promise<readonly Replaced[]>;
  /** Stores documents of one type as they are, replacing existing ones with their ids. */
  restore(type: ContentType, documents: readonly StoredDocument[]): Promise<readonly Replaced[]>;
  /** Creates indexes and completes writes interrupted by a crash. Returns the unique indexes that stored data violates, with the reason. */
  prepare(registry: Registry): Promise<readonly string[]>;
  /** Completes intents whose lease was not renewed for this many milliseconds; 0: no other process writes. Returns their number. */
  sweep(registry: Registry, olderThan?: number): Promise<number>;
}

/** The options of writes. */
export interface ApplyOptions extends Omit<WriteOptions, 'condition'>, Conditions {}

/** The writes of one entry in a batch. */
export interface BatchOperation extends Omit<PlannedStep, 'condition'>, Conditions {}

interface WriteServices extends Omit<WriteContext, 'pending'> {
  readonly counters: Counters;
  readonly events: EventLog;
  readonly schedules: Schedules;
  /** Whether no other process uses the database. */
  readonly exclusive: boolean;
}

export function openEntryWrites({ counters, events, schedules, exclusive, ...parts }: WriteServices): EntryWrites {
  const { db, intents, versions, timeout } = parts;
  const abandoned = abandonedAfter(timeout);
  const pending = createPendingIntents(
    // An intent that this process no longer owns was completed by another.
    async (intent, last) => ((await intents.keep(intent.id)) ? finishIntent(parts, intent, last) : 'finished'),
    abandoned,
  );
  const context: WriteContext = { ...parts, pending };
  const raising = (type: ContentType, replace: () => Promise<readonly Replaced[]>): Promise<readonly Replaced[]> =>
    translated(async () => {
      const replaced = await replace();
      if (replaced.some(({ kind }) => kind === 'new' || kind === 'changed')) await versions.raise(changesOf([type]));
      return replaced;
    });
  return {
    apply: (writes, { only, unchanged, ...options } = {}) =>
      translated(async () => {
        const [primary] = writes;
        const condition = primary && (await readCondition(db, primary.type, { only, unchanged }, timeout));
        const result = await applyWrites(context, writes, { ...options, condition });
        await counters.restore();
        return result;
      }),
    applyBatch: (operations, key) =>
      translated(async () => {
        const steps = operations.map(async (step) => {
          return { ...step, condition: await readCondition(db, step.primary.type, { only: step.only }, timeout) };
        });
        return applyBatch(context, await Promise.all(steps), counters, key);
      }),
    updateMany: (type, updates, filter) =>
      translated(async () => updateMany(context, type, updates, await readMatching(db, type, filter, timeout))),
    removeMany: (type, removals, filter) =>
      translated(async () => removeMany(context, type, removals, await readMatching(db, type, filter, timeout))),
    replace: (type, entries) => raising(type, () => replaceEntries(db, type, entries, timeout)),
    restore: async (type, documents) => {
      if (documents.some((document) => SCHEDULE in document)) await schedules.prepare(type);
      return raising(type, () => replaceDocuments(db, type.collectionName, documents, timeout));
    },
    prepare: async (registry) => {
      const types = [...registry.contentTypes.values()];
      await prepareCollections(db, registry);
      const refused = await Promise.all(types.map((type) => ensureIndexes(db, type)));
      await finishIntents(parts, registry, { olderThan: exclusive ? 0 : abandoned, alone: exclusive });
      if (exclusive) await events.recover(registry, 0);
      await versions.raise(changesOf(types));
      return refused.flat();
    },
    sweep: (registry, olderThan = abandoned) =>
      translated(async () => {
        await pending.settle();
        await versions.raise([]);
        return finishIntents(parts, registry, { olderThan, alone: olderThan === 0 });
      }),
  };
}

import { randomUUID } from 'node:crypto';
import type { Document } from 'mongodb';
import type { ContentType, RelationAttribute } from '../../../content-types/model/types.js';
import { AppError } from '../../../errors/app-error.js';
import { changesOf } from '../../../query/change.js';
import type { Write } from '../../../query/mutation.js';
import { isRefusal } from '../../errors.js';
import type { WriteContext } from '../apply-writes.js';
import { awaitEntries, decided } from '../batch/decisions.js';
import { executeTogether } from '../execute-write.js';
import type { Entry } from '../insert-batcher.js';
import type { Intent } from '../intents.js';

/** An entry to remove, and the writes that remove the references to it. */
export interface Removal {
  readonly id: number;
  readonly references: readonly Write[];
}

export interface Removed {
  readonly count: number;
  /** The entries that do not exist any more. */
  readonly ids: ReadonlySet<number>;
}

type RemovalContext = Omit<WriteContext, 'readResponse' | 'findTargets'>;

/** The intent of one entry is the same as if it were removed alone, so recovery needs no rules for several. */
type Recorded = Removal & { readonly intent: Intent };

/**
 * Removes those of the entries that match the filter when the command runs, and the references to them: the steps of `applyWrites`, each for
 * all entries at once.
 * @throws AppError unavailable; the driver's error
 */
export async function removeMany(
  context: RemovalContext,
  type: ContentType,
  removals: readonly Removal[],
  matching: Document,
): Promise<Removed> {
  const { intents, pending, versions } = context;
  await pending.settle();
  const recorded = removals.map((removal): Recorded => {
    const writes: readonly Write[] = [{ kind: 'remove', type, id: removal.id }, ...removal.references];
    return { ...removal, intent: { id: randomUUID(), writes } };
  });
  const changes = changesOf(recorded.flatMap(({ intent }) => intent.writes.map((write) => write.type)));
  await recordAll(context, recorded);
  try {
    const { count, removed } = await removeEntries(context, type, recorded, matching);
    await removeReferences(context, removed);
    await versions.raise(changes);
    await intents.settleAll(removed.map(({ intent }) => intent.id));
    return { count, ids: new Set(removed.map(({ id }) => id)) };
  } catch (error) {
    // The entries may have been removed nevertheless. The caller need not wait for this.
    void versions.raise(changes).catch(() => undefined);
    throw error;
  }
}

async function recordAll({ intents, pending }: RemovalContext, recorded: readonly Recorded[]): Promise<void> {
  await intents.recordAll(recorded.map(({ intent }) => intent)).catch((error: unknown) => {
    // Some records may exist despite the error; completing them later would remove the references to remaining entries.
    for (const { intent } of recorded) pending.withdraw(intent.id);
    throw error;
  });
}

async function removeEntries(
  context: RemovalContext,
  type: ContentType,
  recorded: readonly Recorded[],
  matching: Document,
): Promise<{ readonly count: number; readonly removed: readonly Recorded[] }> {
  const { db, timeout: maxTimeMS, intents } = context;
  const collection = db.collection<Entry>(type.collectionName);
  const ids = recorded.map(({ id }) => id);
  try {
    let count = 0;
    let left: readonly number[] = ids;
    while (left.length > 0) {
      const filter = { $and: [{ _id: { $in: [...left] } }, matching, decided] };
      const { deletedCount } = await collection.deleteMany(filter, { maxTimeMS });
      count += deletedCount;
      // They may match only because of what a batch has written, which may be undone.
      left = deletedCount === left.length ? [] : await awaitEntries(context, type, left, matching);
    }
    if (count === recorded.length) return { count, removed: recorded };
    const options = { projection: { _id: 1 }, maxTimeMS, readPreference: 'primary' } as const;
    const remaining = new Set((await collection.find({ _id: { $in: ids } }, options).toArray()).map(({ _id }) => _id));
    await intents.removeAll(recorded.flatMap(({ id, intent }) => (remaining.has(id) ? [intent.id] : [])));
    return { count, removed: recorded.filter(({ id }) => !remaining.has(id)) };
  } catch (error) {
    leaveToRecovery(context, recorded);
    throw error;
  }
}

/** A refused step is marked in all records, because recovery handles each entry by its own record. */
async function removeReferences(context: RemovalContext, removed: readonly Recorded[]): Promise<void> {
  const { intents, reportRefused } = context;
  try {
    // After a long interruption another process owns the records, and completes them.
    for (const { intent } of removed) if (!(await intents.keep(intent.id))) throw new AppError('unavailable');
    await executeTogether(context, joinUnlinks(removed.flatMap(({ references }) => references)));
  } catch (error) {
    if (!isRefusal(error)) {
      leaveToRecovery(context, removed);
      throw error;
    }
    for (const { intent } of removed) {
      await intents.fail(intent.id, error);
      reportRefused({ id: intent.id, tries: 1, error });
    }
    throw error;
  }
}

/** One write per relation removes the links to all entries. */
function joinUnlinks(writes: readonly Write[]): readonly Write[] {
  const unlinks = new Map<RelationAttribute, Write & { readonly kind: 'unlink' }>();
  for (const write of writes) {
    if (write.kind !== 'unlink') continue;
    const targets = unlinks.get(write.attribute)?.targets ?? [];
    unlinks.set(write.attribute, { ...write, targets: [...targets, ...write.targets] });
  }
  return [...unlinks.values(), ...writes.filter(({ kind }) => kind !== 'unlink')];
}

/** Other processes may complete them as well if this one does not. */
function leaveToRecovery({ intents, pending }: RemovalContext, recorded: readonly Recorded[]): void {
  for (const { intent } of recorded) {
    intents.release(intent.id);
    pending.add(intent);
  }
}

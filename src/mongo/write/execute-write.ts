import type { AnyBulkWriteOperation, Collection, Db, Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import type { Write } from '../../query/mutation.js';
import { compileRecoveryStep, compileWrite, type WriteCommand } from '../compile/write/write.js';
import { refusedInBulk } from './refused-in-bulk.js';
import type { Entry, Insert } from './insert-batcher.js';
import { DUPLICATE_KEY } from '../errors.js';

/** What writes are executed with. */
export interface WriteParts {
  readonly db: Db;
  readonly insert: Insert;
  /** Milliseconds that a command may take. */
  readonly timeout: number;
}

/**
 * Runs one write. Gives how many entries it found: 0 for an update or removal of an entry that is not there.
 * @throws the driver's error, see `duplicateOf`
 */
export const executeWrite = (parts: WriteParts, write: Write): Promise<number> =>
  executeCommands(parts, write, compileWrite(write));

/** Runs a later write of an intent that was left behind; what was written since stays. */
export const executeRecoveryStep = (parts: WriteParts, write: Write, since: Date): Promise<number> =>
  executeCommands(parts, write, compileRecoveryStep(write, since));

async function executeCommands(parts: WriteParts, { type }: Write, commands: readonly WriteCommand[]): Promise<number> {
  const collection = parts.db.collection<Entry>(type.collectionName);
  const [first, ...rest] = commands;
  if (first === undefined) return 0;
  return rest.length === 0
    ? executeCommand(collectionOf(parts.db, first) ?? collection, first, parts)
    : updateMany(collection, commands.map(operationOf), parts.timeout);
}

const collectionOf = (db: Db, command: WriteCommand): Collection<Entry> | undefined =>
  command.kind === 'merge' && command.from !== undefined ? db.collection(command.from) : undefined;

/** Updates that are sent together. */
const BATCH = 1000;

/**
 * Runs updates, each for itself: of one that is refused the others are done all the same.
 * @throws the error of those that were refused for another reason than a value that must be unique; see `executeUnlessTaken`
 */
async function updateMany(
  collection: Collection<Entry>,
  updates: readonly AnyBulkWriteOperation<Entry>[],
  maxTimeMS: number,
): Promise<number> {
  let found = 0;
  let refusal: unknown;
  for (let start = 0; start < updates.length; start += BATCH) {
    try {
      const batch = updates.slice(start, start + BATCH);
      found += (await collection.bulkWrite(batch, { ordered: false, maxTimeMS })).matchedCount;
    } catch (error) {
      const { refused, confirmed } = refusedInBulk(error);
      if (!confirmed) throw new AppError('unavailable');
      if ([...refused.values()].some(({ code }) => code !== DUPLICATE_KEY)) refusal = error;
    }
  }
  if (refusal !== undefined) throw refusal;
  return found;
}

function operationOf(command: WriteCommand): AnyBulkWriteOperation<Entry> {
  if (command.kind !== 'update') throw new Error(`${command.kind} stands alone`);
  const { filter, many } = command;
  const update = changeOf(command);
  return many ? { updateMany: { filter, update } } : { updateOne: { filter, update } };
}

const changeOf = ({ update }: WriteCommand & { kind: 'update' }): Document | Document[] =>
  Array.isArray(update) ? (update as Document[]) : update;

async function executeCommand(
  collection: Collection<Entry>,
  command: WriteCommand,
  { insert, timeout: maxTimeMS }: WriteParts,
): Promise<number> {
  switch (command.kind) {
    case 'insert': {
      await insert(collection.collectionName, command.document as Entry);
      return 1;
    }
    case 'update': {
      const { filter, many } = command;
      const change = changeOf(command);
      if (Object.keys(change).length === 0) return collection.countDocuments(filter, { maxTimeMS });
      const { matchedCount } = await (many
        ? collection.updateMany(filter, change, { maxTimeMS })
        : collection.updateOne(filter, change, { maxTimeMS }));
      return matchedCount;
    }
    case 'remove':
      return (await collection.deleteOne(command.filter, { maxTimeMS })).deletedCount;
    case 'merge':
      // Another member of a replica set might not have the links yet.
      await collection.aggregate([...command.pipeline], { maxTimeMS, readPreference: 'primary' }).toArray();
      return 0;
    default:
      return command satisfies never;
  }
}

/** What became of the entry that a write is about: the write was not done, nothing was done later, or something was. */
export type Progress = 'not done' | 'done' | 'written since';

/**
 * Was a write to one entry done? The entry tells when it was last written. A removal was done when it is gone: ids are
 * never given out twice.
 */
export async function progressOf(
  { db, timeout: maxTimeMS }: WriteParts,
  write: Write & { readonly kind: 'insert' | 'update' | 'remove' },
): Promise<Progress> {
  const collection = db.collection<Entry>(write.type.collectionName);
  const stored = await collection.findOne({ _id: write.id }, { projection: { updatedAt: 1 }, maxTimeMS });
  if (write.kind === 'remove') return stored === null ? 'done' : 'not done';
  if (stored === null) return 'not done';
  const [at, is] = [write.changes.values.get('updatedAt'), stored['updatedAt'] as unknown];
  if (!(at instanceof Date) || !(is instanceof Date)) return write.kind === 'insert' ? 'done' : 'not done';
  if (is > at) return 'written since';
  return write.kind === 'insert' || is.getTime() === at.getTime() ? 'done' : 'not done';
}

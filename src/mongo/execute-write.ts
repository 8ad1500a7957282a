import type { Collection, Db, Document } from 'mongodb';
import type { Write } from '../query/write.js';
import { compileLateStep, compileWrite, copyValues, type WriteCommand } from './compile/write.js';
import type { Entry, Insert } from './share-inserts.js';

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
export const executeLateStep = (parts: WriteParts, write: Write, since: Date): Promise<number> =>
  executeCommands(parts, write, compileLateStep(write, since));

/** Does an update with the values that another entry of its type has now. */
export const copyNow = (
  parts: WriteParts,
  from: { readonly id: number },
  write: Write & { kind: 'update' },
): Promise<number> => executeCommands(parts, write, [copyValues(write, from.id)]);

async function executeCommands(parts: WriteParts, { type }: Write, commands: readonly WriteCommand[]): Promise<number> {
  const collection = parts.db.collection<Entry>(type.collectionName);
  let found = 0;
  for (const command of commands) found += await executeCommand(collection, command, parts);
  return found;
}

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
      const { filter, update, many } = command;
      const change = Array.isArray(update) ? (update as Document[]) : (update as Document);
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

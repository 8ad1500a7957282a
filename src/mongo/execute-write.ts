import type { Collection, Db, Document } from 'mongodb';
import type { Write } from '../query/write.js';
import { compileWrite, type WriteCommand } from './compile/write.js';
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
export async function executeWrite(parts: WriteParts, write: Write): Promise<number> {
  const collection = parts.db.collection<Entry>(write.type.collectionName);
  let found = 0;
  for (const command of compileWrite(write)) {
    found += await executeCommand(collection, command, parts);
  }
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
    default:
      return command satisfies never;
  }
}

/**
 * Was this write done already, or something later? An entry tells when it was last written. Only inserts and updates
 * are asked: all else can be repeated without harm.
 */
export async function isDone({ db, timeout: maxTimeMS }: WriteParts, write: Write): Promise<boolean> {
  if (write.kind !== 'insert' && write.kind !== 'update') return false;
  const at = write.changes.values.get('updatedAt');
  if (write.kind === 'update' && !(at instanceof Date)) return false;
  const since = write.kind === 'update' ? { updatedAt: { $gte: at } } : {};
  const collection = db.collection<Entry>(write.type.collectionName);
  return (await collection.countDocuments({ _id: write.id, ...since }, { maxTimeMS })) > 0;
}

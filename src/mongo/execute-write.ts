import type { Collection, Db, Document } from 'mongodb';
import type { Write } from '../query/write.js';
import { compileWrite, type WriteCommand } from './compile/write.js';
import type { Entry, Insert } from './share-inserts.js';

/** What writes are executed with. */
export interface WriteParts {
  readonly db: Db;
  readonly insert: Insert;
}

/**
 * Runs one write. Gives how many entries it found: 0 for an update or removal of an entry that is not there.
 * An insert of an entry that is there already (a write that is repeated) counts as done.
 * @throws the driver's error, see `duplicateOf`
 */
export async function executeWrite({ db, insert }: WriteParts, write: Write, repeated = false): Promise<number> {
  const collection = db.collection<Entry>(write.type.collectionName);
  let found = 0;
  for (const command of compileWrite(write)) {
    found += await executeCommand(collection, command, insert, repeated);
  }
  return found;
}

async function executeCommand(
  collection: Collection<Entry>,
  command: WriteCommand,
  insert: Insert,
  repeated: boolean,
): Promise<number> {
  switch (command.kind) {
    case 'insert': {
      const entry = command.document as Entry;
      if (repeated && (await collection.countDocuments({ _id: entry._id })) > 0) return 1;
      await insert(collection.collectionName, entry);
      return 1;
    }
    case 'update': {
      const { filter, update, many } = command;
      const change = Array.isArray(update) ? (update as Document[]) : (update as Document);
      if (Object.keys(change).length === 0) return collection.countDocuments(filter);
      const { matchedCount } = await (many
        ? collection.updateMany(filter, change)
        : collection.updateOne(filter, change));
      return matchedCount;
    }
    case 'remove':
      return (await collection.deleteOne(command.filter)).deletedCount;
    default:
      return command satisfies never;
  }
}

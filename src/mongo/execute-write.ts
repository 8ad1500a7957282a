import type { Db, Document } from 'mongodb';
import type { Write } from '../query/write.js';
import { compileWrite, type WriteCommand } from './compile/write.js';

/**
 * Runs one write. Gives how many entries it found: 0 for an update or removal of an entry that is not there.
 * An insert of an entry that is there already (a write that is repeated) counts as done.
 * @throws the driver's error, see `duplicateOf`
 */
export async function executeWrite(db: Db, write: Write, repeated = false): Promise<number> {
  const collection = db.collection<Document & { _id: number }>(write.type.collectionName);
  let found = 0;
  for (const command of compileWrite(write)) {
    found += await executeCommand(collection, command, repeated);
  }
  return found;
}

type Entries = ReturnType<typeof Db.prototype.collection<Document & { _id: number }>>;

async function executeCommand(collection: Entries, command: WriteCommand, repeated: boolean): Promise<number> {
  switch (command.kind) {
    case 'insert': {
      const { _id } = command.document;
      if (repeated && (await collection.countDocuments({ _id })) > 0) return 1;
      await collection.insertOne(command.document as Document & { _id: number });
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

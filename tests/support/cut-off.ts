import { MongoNetworkError, type Db } from 'mongodb';
import { interceptCommands } from './intercept-commands.js';

export type Method = 'insertOne' | 'insertMany' | 'updateOne' | 'updateMany' | 'deleteOne' | 'bulkWrite' | 'aggregate';

/** The database, with a connection that is cut off once when a collection is written: before that is done, or after. */
export function cutOff(db: Db, when: 'before' | 'after', method: Method, collectionName = 'articles'): Db {
  let isCut = false;
  return interceptCommands(db, async (send, name, collection) => {
    if (isCut || name !== method || collection !== collectionName) return send();
    isCut = true;
    if (when === 'after') await send();
    throw new MongoNetworkError('cut off');
  });
}

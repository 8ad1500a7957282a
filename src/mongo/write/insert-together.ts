import { MongoClientBulkWriteError, ObjectId, type Db, type Document } from 'mongodb';

/** The first version of the wire protocol with a bulk of several collections: MongoDB 8. */
const BULK_VERSION = 25;

/**
 * Whether one command can insert into several collections, in the order of the documents. A router may send the parts to several shards
 * at once.
 * @param collection any, for a command that changes nothing and shows whether this user may send it
 */
export async function canInsertTogether(db: Db, collection: string): Promise<boolean> {
  const { maxWireVersion, msg } = await db.command({ hello: 1 });
  if (Number(maxWireVersion) < BULK_VERSION || msg === 'isdbgrid') return false;
  const nothing = {
    name: 'deleteOne',
    namespace: namespaceOf(db, collection),
    filter: { _id: new ObjectId() },
  } as const;
  return db.client.bulkWrite([nothing]).then(
    () => true,
    () => false,
  );
}

/** A document and its collection. */
interface Inserted {
  readonly collection: string;
  readonly document: Document;
}

/** The outcome of a bulk: the refused documents by their index; others are acknowledged if it is confirmed. */
interface Outcome {
  readonly refused: ReadonlySet<number>;
  readonly confirmed: boolean;
}

/** Inserts documents in this order, with one command; a refused one does not stop the others. @throws the driver's error */
export async function insertTogether(db: Db, inserted: readonly Inserted[], maxTimeMS: number): Promise<Outcome> {
  const operations = inserted.map(({ collection, document }) => ({
    name: 'insertOne' as const,
    namespace: namespaceOf(db, collection),
    document,
  }));
  const { writeConcern } = db;
  try {
    await db.client.bulkWrite(operations, { ordered: false, maxTimeMS, ...(writeConcern && { writeConcern }) });
    return { refused: new Set(), confirmed: true };
  } catch (error) {
    if (!(error instanceof MongoClientBulkWriteError)) throw error;
    // Errors of the whole command are wrapped.
    if (error.cause !== undefined) throw error.cause;
    return { refused: new Set(error.writeErrors.keys()), confirmed: error.writeConcernErrors.length === 0 };
  }
}

const namespaceOf = ({ databaseName }: Db, collection: string): string => `${databaseName}.${collection}`;

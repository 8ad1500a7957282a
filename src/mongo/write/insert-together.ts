import { BSON, ObjectId, type Db, type Document, WriteConcern } from 'mongodb';

/** The first version of the wire protocol with a bulk of several collections: MongoDB 8. */
const BULK_VERSION = 25;
/** Bytes of the documents in a command: it is one document, which holds 16 MB. */
const MAX_BYTES = 15_000_000;

/**
 * Whether one command can insert into several collections, in the order of the documents. A router may send the parts to several shards
 * at once; and on a replica set the driver repeats plain inserts after a failover, but not this command.
 * @param collection any, for a command that changes nothing and shows whether this user may send it
 */
export async function canInsertTogether(db: Db, collection: string): Promise<boolean> {
  const { maxWireVersion, msg, setName } = await db.command({ hello: 1 });
  if (Number(maxWireVersion) < BULK_VERSION || msg === 'isdbgrid' || setName !== undefined) return false;
  const nothing = { delete: 0, filter: { _id: new ObjectId() }, multi: false };
  return sendBulk(db, [collection], [nothing], {}).then(
    () => true,
    () => false,
  );
}

interface Inserted {
  readonly collection: string;
  readonly document: Document;
}

/** Whether the documents fit into one command. */
export const fitTogether = (inserted: readonly Inserted[]): boolean =>
  inserted.reduce((sum, { document }) => sum + BSON.calculateObjectSize(document), 0) <= MAX_BYTES;

/** The outcome of a bulk: the refused documents by their index; the others are stored if it is confirmed. */
interface Outcome {
  readonly refused: ReadonlySet<number>;
  readonly confirmed: boolean;
}

/**
 * Inserts documents in this order; a refused one does not stop the others. A plain command: the driver's own bulk takes a tenth of the time of a
 * creation more.
 * @throws the driver's error
 */
export async function insertTogether(db: Db, inserted: readonly Inserted[], maxTimeMS: number): Promise<Outcome> {
  const names = [...new Set(inserted.map(({ collection }) => collection))];
  const operations = inserted.map(({ collection, document }) => ({ insert: names.indexOf(collection), document }));
  const { cursor, nErrors, writeConcernError } = await sendBulk(db, names, operations, { maxTimeMS });
  const { firstBatch } = cursor as { readonly firstBatch: readonly { readonly idx: number }[] };
  const refused = new Set(firstBatch.map(({ idx }) => idx));
  return { refused, confirmed: writeConcernError === undefined && refused.size === nErrors };
}

function sendBulk(
  db: Db,
  names: readonly string[],
  ops: readonly Document[],
  options: { readonly maxTimeMS?: number },
): Promise<Document> {
  const nsInfo = names.map((name) => ({ ns: `${db.databaseName}.${name}` }));
  const command = { bulkWrite: 1, ops, nsInfo, ordered: false, errorsOnly: true, ...options };
  const { writeConcern } = db;
  return db.client.db('admin').command(writeConcern ? WriteConcern.apply(command, writeConcern) : command);
}

import { isDeepStrictEqual } from 'node:util';
import { type Db, type Document, MongoClient } from 'mongodb';
import { testUri } from './commands.js';

/** The collections and indexes of a database: the first start of a service takes ten times as long where they are missing. */
export interface Structure {
  readonly collections: readonly string[];
  readonly indexes: number;
}

export async function structureOf(db: Db): Promise<Structure> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const { indexes } = await db.stats();
  return { collections: collections.map(({ name }) => name).toSorted(), indexes };
}

/**
 * Leaves nothing but this structure in a database that no service uses any more. Returns whether it could: not if a test has changed
 * the collections or indexes.
 */
export async function emptyDatabase(name: string, structure: Structure): Promise<boolean> {
  const client = new MongoClient(testUri('maxPoolSize', '1'));
  try {
    const db = client.db(name);
    for (const collection of (await structureOf(db)).collections) {
      if (!structure.collections.includes(collection)) await db.dropCollection(collection);
    }
    for (const collection of await filledCollections(db)) await db.collection(collection).deleteMany();
    const isEmptied = isDeepStrictEqual(await structureOf(db), structure);
    if (!isEmptied) await db.dropDatabase();
    return isEmptied;
  } finally {
    await client.close();
  }
}

/** The collections that have documents, by one command: of the sixty of the corpus most tests fill a few. */
export async function filledCollections(db: Db): Promise<readonly string[]> {
  const [first, ...others] = (await structureOf(db)).collections;
  if (first === undefined) return [];
  const nameOnce = (name: string): Document[] => [{ $limit: 1 }, { $project: { _id: 0, name: { $literal: name } } }];
  const unions = others.map((coll) => ({ $unionWith: { coll, pipeline: nameOnce(coll) } }));
  const found = await db
    .collection(first)
    .aggregate([...nameOnce(first), ...unions])
    .toArray();
  return found.map(({ name }) => String(name));
}

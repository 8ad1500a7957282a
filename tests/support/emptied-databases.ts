import { isDeepStrictEqual } from 'node:util';
import { type Db, MongoClient } from 'mongodb';
import { filledCollections } from '../../scripts/conformance/filled-collections.js';
import { testUri } from './commands.js';

/**
 * The collections and indexes of a database: the first start of a service takes ten times as long where they are
 * missing.
 */
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
 * Leaves nothing but this structure in a database that no service uses any more. Returns whether it could: not if a
 * test has changed the collections or indexes.
 */
export async function emptyDatabase(name: string, structure: Structure): Promise<boolean> {
  const client = new MongoClient(testUri('maxPoolSize', '1'));
  try {
    const db = client.db(name);
    for (const collection of (await structureOf(db)).collections) {
      if (!structure.collections.includes(collection)) await db.dropCollection(collection);
    }
    // Collections without a note of their rules are taken for those of before there was one.
    for (const collection of await filledCollections(db))
      if (collection !== '_dialect') await db.collection(collection).deleteMany();
    const isEmptied = isDeepStrictEqual(await structureOf(db), structure);
    if (!isEmptied) await db.dropDatabase();
    return isEmptied;
  } finally {
    await client.close();
  }
}

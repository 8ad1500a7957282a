import { isDeepStrictEqual } from 'node:util';
import { type Db, type Document, MongoClient } from 'mongodb';
import { testUri } from './commands.js';

/** A database after the first start of a service, which takes three times as long as to start on it again. */
export interface StartedDatabase {
  readonly name: string;
  readonly collections: readonly string[];
  readonly indexes: number;
  /** What each first start stores, by collection. */
  readonly stored: ReadonlyMap<string, readonly Document[]>;
}

/** The collections in which each first start stores something: the default locale, the first roles, and their counters. */
const FIRST = { _dialect: {}, i18n_locale: {}, up_roles: {}, up_permissions: {}, _counters: { _id: /^plugin::/ } };

export async function describeStarted(db: Db): Promise<StartedDatabase> {
  const stored = new Map<string, readonly Document[]>();
  for (const [name, filter] of Object.entries(FIRST))
    stored.set(name, await db.collection(name).find(filter).toArray());
  return { name: db.databaseName, ...(await structureOf(db)), stored };
}

/**
 * Makes a database, which no service uses any more, as it was after the first start. Returns whether it could: not if a test has
 * changed its collections or indexes.
 */
export async function restoreStarted({ name, stored, ...structure }: StartedDatabase): Promise<boolean> {
  const client = new MongoClient(testUri('maxPoolSize', '1'));
  try {
    const db = client.db(name);
    for (const collection of (await structureOf(db)).collections) {
      if (!structure.collections.includes(collection)) await db.dropCollection(collection);
    }
    for (const collection of await filledCollections(db)) await db.collection(collection).deleteMany();
    for (const [collection, documents] of stored) {
      if (documents.length > 0) await db.collection(collection).insertMany([...documents]);
    }
    const isRestored = isDeepStrictEqual(await structureOf(db), structure);
    if (!isRestored) await db.dropDatabase();
    return isRestored;
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

async function structureOf(db: Db): Promise<Pick<StartedDatabase, 'collections' | 'indexes'>> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const { indexes } = await db.stats();
  return { collections: collections.map(({ name }) => name).toSorted(), indexes };
}

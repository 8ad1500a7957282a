import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Database } from '../../src/mongo/connection/database.js';
import { serveWorld, type WorldServer } from './serve-world.js';
import type { World } from './world.js';

/** Lends a server for some work; `from`: it begins with the data of that one. */
export type LendServer = <T>(work: (server: WorldServer) => Promise<T>, from?: WorldServer) => Promise<T>;

/**
 * Lends servers in one world, each on a database and a data folder of its own. They are removed when the work is done.
 * @param uri a MongoDB to make the databases on
 */
export async function withWorldServers<T>(
  {
    world,
    contentTypes,
    uri,
    strapiDatabase,
  }: {
    readonly world: World;
    readonly contentTypes: string;
    readonly uri: string;
    readonly strapiDatabase?: string | undefined;
  },
  work: (lend: LendServer) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conformance-'));
  let servers = 0;
  const lend: LendServer = async (borrow, from) => {
    servers += 1;
    const dataFolder = path.join(folder, String(servers));
    const environment = {
      MONGODB_URI: uri,
      DATABASE_NAME: `test_conformance_${process.pid}_${servers}`,
      STRAPI_DATABASE: strapiDatabase,
    };
    const prepare = async (database: Database): Promise<void> => {
      await database.db.dropDatabase();
      // Copying is three times faster than seeding.
      if (from !== undefined) await copyDatabase(from.database, database);
    };
    await mkdir(dataFolder);
    if (from !== undefined) await cp(from.dataFolder, dataFolder, { recursive: true });
    const server = await serveWorld({ world, contentTypes, dataFolder, environment, port: 0, prepare });
    try {
      return await borrow(server);
    } finally {
      await server.database.db.dropDatabase();
      await server.close();
    }
  };
  try {
    return await work(lend);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies all entries to another database of the same server; indexes are made by the service. */
async function copyDatabase({ db }: Database, { db: target }: Database): Promise<void> {
  const collections = await db.listCollections({}, { nameOnly: false }).toArray();
  for (const { name, options } of collections) {
    // With its collation, which `$out` keeps.
    await target.createCollection(name, options);
    await db
      .collection(name)
      .aggregate([{ $out: { db: target.databaseName, coll: name } }])
      .toArray();
  }
}

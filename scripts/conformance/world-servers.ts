import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Database } from '../../src/mongo/connection/database.js';
import { filledCollections } from './filled-collections.js';
import { serveWorld, type WorldServer, type WorldServerOptions } from './serve-world.js';
import { writeProject, type ProjectCode } from './project-code.js';
import type { World } from './world.js';

/**
 * Lends a server for some work.
 * @param from it begins with the data of that one, and only one at a time does
 * @param plugins its plugins. Default: those of all servers
 */
export type LendServer = <T>(
  work: (server: WorldServer) => Promise<T>,
  from?: WorldServer,
  plugins?: WorldServerOptions['plugins'],
) => Promise<T>;

/**
 * Lends servers in one world: one with a database, and copies of it, which use another database one after the other,
 * because to make all collections and indexes takes longer than the work. Each has a data folder of its own. All is
 * removed at the end.
 * @param uri a MongoDB to make the databases on
 */
export async function withWorldServers<T>(
  {
    world,
    contentTypes,
    code,
    uri,
    strapiDatabase,
    plugins,
  }: {
    readonly world: World;
    readonly contentTypes: string;
    /** Makes the content types a project with code that changes no answer. */
    readonly code?: ProjectCode | undefined;
    readonly uri: string;
    readonly strapiDatabase?: string | undefined;
    readonly plugins?: WorldServerOptions['plugins'];
  },
  work: (lend: LendServer) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conformance-'));
  const seeded = `test_conformance_${process.pid}_seeded`;
  const copied = `test_conformance_${process.pid}_copied`;
  const project = path.join(folder, 'project');
  let servers = 0;
  const lend: LendServer = async (borrow, from, ownPlugins = plugins) => {
    servers += 1;
    const dataFolder = path.join(folder, String(servers));
    const environment = {
      MONGODB_URI: uri,
      DATABASE_NAME: from === undefined ? seeded : copied,
      STRAPI_DATABASE: strapiDatabase,
    };
    const dropAll = async ({ client }: Database): Promise<void> => {
      for (const name of [seeded, copied]) await client.db(name).dropDatabase();
    };
    const prepare = async (database: Database): Promise<void> => {
      // Copying is three times faster than seeding.
      await (from === undefined ? dropAll(database) : copyDatabase(from.database, database));
    };
    await mkdir(dataFolder);
    if (from !== undefined) await cp(from.dataFolder, dataFolder, { recursive: true });
    const served = code === undefined ? contentTypes : project;
    const options = { world, contentTypes: served, dataFolder, environment, port: 0, prepare, plugins: ownPlugins };
    const server = await serveWorld(options);
    try {
      return await borrow(server);
    } finally {
      if (from === undefined) await dropAll(server.database);
      await server.close();
    }
  };
  try {
    if (code !== undefined) await writeProject(contentTypes, code, project);
    return await work(lend);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Makes the entries of another database of the same server those of this one. The service makes the indexes that it
 * lacks.
 */
async function copyDatabase({ db }: Database, { db: target }: Database): Promise<void> {
  const collections = await db.listCollections({}, { nameOnly: false }).toArray();
  const present = await target.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of present) {
    if (!collections.some((one) => one.name === name)) await target.dropCollection(name);
  }
  for (const { name, options } of collections) {
    if (!present.some((one) => one.name === name)) await target.createCollection(name, options);
  }
  for (const name of await filledCollections(target)) await target.collection(name).deleteMany();
  for (const name of await filledCollections(db)) {
    const into = { db: target.databaseName, coll: name };
    await db
      .collection(name)
      .aggregate([{ $merge: { into } }])
      .toArray();
  }
}

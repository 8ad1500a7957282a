import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DatabaseConfig } from '../../../../src/config/config.js';
import { ObjectId, type Db } from 'mongodb';
import type { Logger } from '../../../../src/errors/logger.js';
import { StartError } from '../../../../src/errors/start-error.js';
import { countLostConnections, type Database } from '../../../../src/mongo/connection/database.js';
import { openStoredEvents } from '../../../../src/mongo/events/stored-events.js';
import { openCounters } from '../../../../src/mongo/write/counters.js';
import { Transactions } from '../../../../src/mongo/transactions/transactions.js';
import { openDatabase } from '../../../../src/mongo/connection/open-database.js';

let dataFolder: string;
let opened: Database[];
beforeEach(() => {
  dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'own-engine-'));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
  fs.rmSync(dataFolder, { recursive: true });
});

const embeddedProgram = path.resolve('packages/embedded-mongod/bin/embedded-mongod.mjs');

/** The embedded engine by two ways: as it is meant, and in the place of a mongod. */
const ways = [
  ['the embedded engine', { choice: 'embedded' }],
  ['a mongod', { choice: 'mongod', systemBinary: embeddedProgram }],
] as const satisfies [string, Partial<DatabaseConfig>][];

const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };
const settings = (overrides: Partial<DatabaseConfig>): DatabaseConfig & { dataFolder: string } => ({
  choice: 'embedded',
  uri: undefined,
  name: 'test',
  systemBinary: undefined,
  searchPath: [],
  dataFolder,
  ...overrides,
});

async function open(overrides: Partial<DatabaseConfig> = {}, log = silent): Promise<Database> {
  const database = await openDatabase(settings(overrides), log);
  opened.push(database);
  return database;
}

async function close(database: Database): Promise<void> {
  opened.splice(opened.indexOf(database), 1);
  await database.close();
}

/** Process ids of engines that serve the data folder. */
function engines(): readonly number[] {
  return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`--dbpath ${dataFolder}`) && !line.includes('/bin/sh'))
    .map((line) => Number.parseInt(line, 10));
}

function killEngine(): void {
  const [engine, ...others] = engines();
  expect(others).toEqual([]);
  process.kill(engine ?? Number.NaN, 'SIGKILL');
}

/** Counts the documents of a collection; tried again while there is no database. */
async function count(database: Database): Promise<number> {
  try {
    return await database.db.collection('things').countDocuments();
  } catch {
    return count(database);
  }
}

/** A process of the built service that opens the data folder and runs `code`; waits until that says something. */
async function startService(code: string): Promise<ChildProcess> {
  const module = pathToFileURL(path.join(__dirname, '../../../../dist/mongo/connection/open-database.js')).href;
  const script = `
    import { openDatabase } from ${JSON.stringify(module)};
    const log = { info() {}, warn() {}, error() {} };
    const database = await openDatabase(${JSON.stringify(settings({}))}, log);
    const things = database.db.collection('things');
    ${code}`;
  const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
    detached: true,
    env: { ...process.env, TMPDIR: dataFolder }, // what a killed one leaves goes with the data
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // It prints nothing if it fails.
  const failed = once(service, 'exit').then(([code]) => Promise.reject(new Error(`The service ended with ${code}`)));
  await Promise.race([once(service.stdout, 'data'), failed]);
  return service;
}

describe.each(ways)('%s', (_, way) => {
  test('closes files that nothing uses, except those of dropped collections', async () => {
    const { db } = await open(way);
    const parameter = { getParameter: 1, wiredTigerEngineRuntimeConfig: 1 };
    const { wiredTigerEngineRuntimeConfig } = await db.client.db('admin').command(parameter);
    expect(wiredTigerEngineRuntimeConfig).toContain('close_idle_time=20');
  });

  test('keeps its data across a restart', async () => {
    const first = await open(way);
    expect(first.exclusive).toBe(true);
    await first.db.collection('things').insertOne({ name: 'kept' });
    await close(first);
    expect(engines()).toEqual([]);
    expect(await count(await open(way))).toBe(1);
  });

  test('is restarted after a crash; later commands succeed', async () => {
    const lines: string[] = [];
    const database = await open(way, { ...silent, error: (line) => void lines.push(String(line)) });
    await database.db.collection('things').insertOne({ name: 'kept' });
    killEngine();
    expect(await count(database)).toBe(1);
    expect(lines).toEqual(['The database process ended (SIGKILL) and is restarted']);
    killEngine();
    expect(await count(database)).toBe(1);
    await database.db.collection('things').insertOne({ name: 'later' });
    expect(await count(database)).toBe(2);
  });

  test('may forget numbers when it crashes; the service stores them again', async () => {
    const database = await open(way);
    const counters = openCounters(database.db, countLostConnections(database.client));
    const reserve = () => counters.reserve('api::tag.tag', { ids: 1, ranks: 1 });
    const stored = () => database.db.collection<{ _id: string }>('_counters').findOne({ _id: 'api::tag.tag' });
    expect(await reserve()).toEqual({ id: 1, rank: 1 });
    killEngine();
    await count(database);
    await counters.restore();
    expect(await stored()).toEqual({ _id: 'api::tag.tag', id: 1, rank: 1 });
    expect(await reserve()).toEqual({ id: 2, rank: 2 });
  });

  test('crashes when a transaction has logged an entry; the abort undoes what was changed after that', async () => {
    const database = await open(way);
    const { db } = database;
    const entries = db.collection<{ _id: number }>('entries');
    await entries.insertOne({ _id: 1 });
    const crashing = Object.create(db) as Db;
    crashing.collection = ((name: string, options: object) => {
      const collection = db.collection(name, options);
      const insertMany = collection.insertMany.bind(collection);
      collection.insertMany = async (...args) => {
        const result = await insertMany(...args);
        if (name === '_undo') killEngine();
        return result;
      };
      return collection;
    }) as Db['collection'];
    const transactions = new Transactions({ db: crashing, timeout: 60_000 });
    const key = { collection: 'entries', id: 1 };
    const change = transactions.run(async (transaction) => {
      await transaction.lock([key]);
      // The driver may repeat the read that follows the log until the database is back.
      await transaction.apply([{ ...key, kind: 'update', fields: new Map([['text', 'new']]) }]);
      throw new Error('refused');
    });
    expect((await Promise.allSettled([change]))[0].status).toBe('rejected');
    await count(database);
    await transactions.finishInterrupted();
    expect(await entries.find().toArray()).toEqual([{ _id: 1 }]);
  });

  test('keeps recorded events when it crashes', async () => {
    const database = await open(way);
    const events = database.db.collection('_events');
    await events.insertOne({ at: new Date() });
    const event = { at: new Date(), floor: 1, id: 1, uid: 'api::tag.tag', action: 'update', names: [] } as const;
    await openStoredEvents(database.db).insert({ _id: new ObjectId(), ...event });
    killEngine();
    await count(database);
    expect(await events.countDocuments({ uid: event.uid })).toBe(1);
  });

  test('serves this user only, on a socket without a port, and leaves no files', async () => {
    const database = await open(way);
    const { socketPath } = database.client.options.hosts[0] ?? {};
    const socket = socketPath ?? '';
    expect(fs.statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    expect(fs.statSync(socket).isSocket()).toBe(true);
    await close(database);
    expect(fs.existsSync(path.dirname(socket))).toBe(false);
  });

  test('refuses a data folder that another process uses', async () => {
    await open(way);
    await expect(open(way)).rejects.toThrow(
      new StartError(
        `The database does not start: another process uses the data folder ${dataFolder}; stop it or set DATA_FOLDER`,
      ),
    );
  });

  test('reports damaged data', async () => {
    await close(await open(way));
    fs.truncateSync(path.join(dataFolder, 'database', 'WiredTiger.wt'), 100);
    await expect(open(way)).rejects.toThrow(
      new StartError(
        `The database does not start: the data in ${dataFolder} is damaged; ` +
          'restore a backup of the folder, or move it away to start with an empty database',
      ),
    );
  });
});

test('a mongod is not started on data of the embedded engine', async () => {
  await close(await open({ choice: 'embedded' }));
  await expect(open({ choice: 'mongod', systemBinary: embeddedProgram })).rejects.toThrow(
    /was written by embedded 0\.1\.1, not by mongod 9\.0, which may not read it/,
  );
});

test('the output of a mongod that does not start is reported', async () => {
  const program = path.join(dataFolder, 'mongod');
  const script =
    '#!/bin/sh\n[ "$1" = --version ] && echo "db version v8.0.4" || { echo "Error: no memory left"; exit 1; }\n';
  fs.writeFileSync(program, script, { mode: 0o755 });
  await expect(open({ choice: 'mongod', systemBinary: program })).rejects.toThrow(
    new StartError('The database does not start: it printed: Error: no memory left'),
  );
});

test('a program that is not mongod is refused', async () => {
  const program = path.join(dataFolder, 'mongod');
  fs.writeFileSync(program, '#!/bin/sh\necho not a database\n', { mode: 0o755 });
  await expect(open({ choice: 'mongod', systemBinary: program })).rejects.toThrow(
    new StartError(`${program} does not print its version, but "not a database"`),
  );
});

test('the engine of a killed service exits and releases the data folder', async () => {
  const service = await startService(`await things.insertOne({ name: 'kept' }); console.log('stored');`);
  const exited = once(service, 'exit');
  service.kill('SIGKILL');
  await exited;
  expect(await count(await open())).toBe(1);
  expect(engines()).toHaveLength(1);
});

test('Ctrl+C stops the service, not its engine, which still writes during shutdown', async () => {
  const service = await startService(`
    process.on('SIGINT', async () => {
      await things.insertOne({ name: 'last words' });
      await database.close();
    });
    console.log('listening');`);
  const exited = once(service, 'exit');
  process.kill(-(service.pid ?? Number.NaN), 'SIGINT');
  expect(await exited).toEqual([0, null]);
  expect(await count(await open())).toBe(1);
});

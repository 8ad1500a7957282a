import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DatabaseConfig } from '../../../../src/config/config.js';
import { StartError } from '../../../../src/errors/start-error.js';
import { chooseDatabaseSource } from '../../../../src/mongo/connection/database-source.js';
import { describeUri } from '../../../../src/mongo/connection/connect.js';
import { claimDataFolder } from '../../../../src/mongo/connection/data-folder.js';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'source-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const settings = (overrides: Partial<DatabaseConfig>): DatabaseConfig => ({
  choice: 'auto',
  uri: undefined,
  name: 'test',
  systemBinary: undefined,
  searchPath: [],
  dataFolder: os.tmpdir(),
  ...overrides,
});

function makeMongod(mode = 0o755): string {
  const program = path.join(folder, 'mongod');
  fs.writeFileSync(program, '', { mode });
  return program;
}

test('MONGODB_URI takes precedence over a mongod, and a mongod over the embedded engine', async () => {
  const program = makeMongod();
  const found = { searchPath: [path.join(folder, 'absent'), folder] };
  expect(await chooseDatabaseSource(settings({ ...found, uri: 'mongodb://a' }))).toEqual({
    kind: 'uri',
    uri: 'mongodb://a',
  });
  expect(await chooseDatabaseSource(settings(found))).toEqual({ kind: 'mongod', program });
  expect(await chooseDatabaseSource(settings({}))).toMatchObject({ kind: 'embedded' });
});

test('DATABASE selects the engine', async () => {
  const all = { uri: 'mongodb://a', systemBinary: makeMongod() };
  expect((await chooseDatabaseSource(settings({ ...all, choice: 'embedded' }))).kind).toBe('embedded');
  expect((await chooseDatabaseSource(settings({ ...all, choice: 'mongod' }))).kind).toBe('mongod');
  expect((await chooseDatabaseSource(settings({ ...all, choice: 'download' }))).kind).toBe('download');
});

test('a mongod that cannot be run stops the start without a fallback', async () => {
  const systemBinary = makeMongod(0o644);
  await expect(chooseDatabaseSource(settings({ systemBinary, searchPath: [folder] }))).rejects.toThrow(
    new StartError(`MONGOMS_SYSTEM_BINARY is "${systemBinary}"; allowed: the path of an executable program`),
  );
  await expect(chooseDatabaseSource(settings({ choice: 'mongod', searchPath: [folder] }))).rejects.toThrow(
    new StartError('DATABASE is "mongod", but there is none on the PATH; set MONGOMS_SYSTEM_BINARY to its path'),
  );
});

test.each([
  ['mongodb://user:p%40ss@a.test:1,b.test:2/shop?tls=true', 'a.test:1,b.test:2'],
  ['mongodb+srv://cluster.test', 'cluster.test'],
])('%s is described by its hosts', (uri, hosts) => {
  expect(describeUri(uri)).toBe(hosts);
});

test('a data folder is refused for another engine', () => {
  const embedded = { engine: 'embedded', version: '0.1.1' } as const;
  const database = claimDataFolder(path.join(folder, 'data'), embedded);
  expect(fs.statSync(database).mode & 0o777).toBe(0o700);
  expect(claimDataFolder(path.join(folder, 'data'), embedded)).toBe(database);
  expect(() => claimDataFolder(path.join(folder, 'data'), { engine: 'mongod', version: '8.0' })).toThrow(
    new StartError(
      `${database} was written by embedded 0.1.1, not by mongod 8.0, which may not read it; ` +
        'use embedded 0.1.1, or set DATA_FOLDER to another folder',
    ),
  );
});

test('a folder with files of unknown origin is refused', () => {
  fs.mkdirSync(path.join(folder, 'database'));
  fs.writeFileSync(path.join(folder, 'database', 'WiredTiger'), '');
  expect(() => claimDataFolder(folder, { engine: 'mongod', version: '8.0' })).toThrow(
    /does not say which database wrote them/,
  );
  expect(fs.existsSync(path.join(folder, 'database.json'))).toBe(false);
});

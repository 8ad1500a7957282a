import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../../../src/mongo/connection/open-database.js';
import { startMemoryServer } from '../../../../src/mongo/connection/memory-server.js';

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const settings = (uri: string) => ({
  choice: 'auto' as const,
  uri,
  name: 'remote_test',
  systemBinary: undefined,
  searchPath: [],
  dataFolder: path.join(os.tmpdir(), 'never-made'),
});

test('a database at MONGODB_URI can be shared with other processes', async () => {
  const uri = process.env['TEST_MONGODB_URI'] ?? '';
  const database = await openDatabase(settings(uri), silent);
  expect(database.exclusive).toBe(false);
  expect(database.description).toBe(`MongoDB at ${new URL(uri).host}, database remote_test`);
  expect(database.db.databaseName).toBe('remote_test');
  expect(await database.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
  await database.close();
  expect(fs.existsSync(settings(uri).dataFolder)).toBe(false);
});

test('writes are acknowledged in the journal of a single server, or by the majority of a replica set', async () => {
  const database = await openDatabase(settings(process.env['TEST_MONGODB_URI'] ?? ''), silent);
  const { db } = database;
  const { setName } = await db.admin().command({ hello: 1 });
  expect(db.writeConcern).toMatchObject({ w: setName === undefined ? 1 : 'majority', journal: true });
  await database.close();
});

test('an unreachable MONGODB_URI prevents the start, and the message names the hosts but not the password', async () => {
  const closed = net.createServer().listen(0, '127.0.0.1');
  const address = await new Promise<net.AddressInfo | string | null>((resolve) => {
    closed.on('listening', () => resolve(closed.address()));
  });
  const { port } = Object(address);
  await new Promise((resolve) => closed.close(resolve));
  const attempt = openDatabase(settings(`mongodb://user:hunter2@127.0.0.1:${port}`), silent);
  await expect(attempt).rejects.toThrow(
    `The database of MONGODB_URI (127.0.0.1:${port}) cannot be used: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
});

test('a MONGODB_URI with an unknown option prevents the start', async () => {
  await expect(openDatabase(settings('mongodb://localhost/?journaling=yes'), silent)).rejects.toThrow(
    'The database of MONGODB_URI (localhost) cannot be used: option journaling is not supported',
  );
});

test('the server of mongodb-memory-server is reachable until it is stopped', async () => {
  const server = await startMemoryServer();
  const database = await openDatabase(settings(server.uri), silent);
  await database.db.collection('things').insertOne({ name: 'gone soon' });
  await database.close();
  await server.stop();
  await expect(
    new Promise((resolve, reject) => {
      net.connect(Number(new URL(server.uri).port), '127.0.0.1', () => resolve('connected')).on('error', reject);
    }),
  ).rejects.toThrow('ECONNREFUSED');
});

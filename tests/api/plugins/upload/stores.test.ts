import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { FileStore } from '../../../../src/mongo/files/file-store.js';
import { openGridFiles } from '../../../../src/mongo/files/grid-files.js';
import { openStore } from '../../../../src/plugins/upload/storage/open-store.js';
import { openS3Store } from '../../../../src/plugins/upload/storage/s3-store.js';
import { parseSettings } from '../../../../src/plugins/upload/settings.js';
import { useService } from '../../../support/service.js';
import { stores, useStore } from './stores.js';

const HOUR = 3_600_000;
const later = (): Date => new Date(Date.now() + HOUR);

describe.each(stores)('the store %s', (kind) => {
  const options = useStore(kind);
  const client = useService(options);
  let store: FileStore;
  beforeAll(async () => {
    const { upload } = options.plugins ?? {};
    const { provider } = parseSettings(typeof upload === 'object' ? (upload.config ?? {}) : {});
    const { dataFolder, database } = client.service;
    store = await openStore(provider, { dataFolder, gridFiles: openGridFiles(database.db) });
  });
  const read = async (name: string, range?: { start: number; end: number }): Promise<Buffer | undefined> => {
    const found = await store.get(name);
    return found && buffer(await found.read(range));
  };
  const names = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { name } of store.list()) found.push(name);
    return found.toSorted();
  };

  test('returns the stored bytes and replaces an existing file', async () => {
    await store.put('a.txt', Readable.from([Buffer.from('one')]));
    const first = await store.get('a.txt');
    await store.put('a.txt', Readable.from([Buffer.from('two')]));
    const second = await store.get('a.txt');
    expect(String(await read('a.txt'))).toBe('two');
    expect([first?.size, second?.size]).toEqual([3, 3]);
    expect(second?.version).not.toBe(first?.version);
    expect(await names()).toEqual(['a.txt']);
    await store.remove('a.txt');
    expect([await store.get('a.txt'), await names()]).toEqual([undefined, []]);
  });

  test('stores large and empty files, and reads any range', async () => {
    const content = randomBytes(11 * 2 ** 20 + 7);
    await store.put('large', Readable.from([content.subarray(0, 2 ** 22), content.subarray(2 ** 22)]));
    await store.put('empty', Readable.from([]));
    expect((await read('large'))?.equals(content)).toBe(true);
    const range = { start: 2 ** 20 - 3, end: 6 * 2 ** 20 + 5 };
    expect((await read('large', range))?.equals(content.subarray(range.start, range.end + 1))).toBe(true);
    expect((await store.get('empty'))?.size).toBe(0);
    await store.remove('large');
    await store.remove('empty');
  });

  test('stores nothing of an incomplete file', async () => {
    const broken = Readable.from(
      (function* () {
        yield randomBytes(6 * 2 ** 20);
        throw new Error('cut off');
      })(),
    );
    await expect(store.put('broken', broken)).rejects.toBeInstanceOf(Error);
    expect([await store.get('broken'), await names()]).toEqual([undefined, []]);
  });

  test('ignores the removal of a missing file, and refuses invalid names', async () => {
    await store.remove('nothing');
    for (const name of ['../a', 'a/b', '.hidden', '']) {
      await expect((async () => store.put(name, Readable.from(['x'])))()).rejects.toThrow('cannot be the name');
    }
    expect(await names()).toEqual([]);
  });

  test('lists files with their upload time', async () => {
    await store.put('b.txt', Readable.from([Buffer.from('x')]));
    const listed: { readonly name: string; readonly modified: Date }[] = [];
    for await (const file of store.list()) listed.push(file);
    expect(listed.map(({ name }) => name)).toEqual(['b.txt']);
    expect(Math.abs(Date.now() - Number(listed[0]?.modified))).toBeLessThan(HOUR);
    await store.remove('b.txt');
  });
});

describe('S3', () => {
  const options = useStore('aws-s3');

  test('stops the start if the bucket cannot be used, unless that is tolerated', async () => {
    const { upload } = options.plugins as { upload: { config: Readonly<Record<string, unknown>> } };
    const { provider } = parseSettings(upload.config);
    if (provider.kind !== 'aws-s3') throw new Error('The settings are of another store');
    const settings = { ...provider.s3, bucket: 'nowhere' };
    const problem = 'upload: the bucket "nowhere" cannot be used: it answers with the status 404';
    await expect(openS3Store(settings)).rejects.toThrow(problem);
    const problems: string[] = [];
    const store = await openS3Store(settings, (line) => void problems.push(line));
    expect(problems).toEqual([problem]);
    // Readiness and metrics go on to ask.
    await expect(store.check?.()).rejects.toThrow('UnknownError');
  });
});

describe('GridFS', () => {
  const client = useService();

  test('removes only the chunks of uploads interrupted by a crash', async () => {
    const { db } = client.service.database;
    const store = openGridFiles(db);
    await store.put('whole', Readable.from([randomBytes(500_000)]));
    const files = db.collection('_uploads.files');
    await store.put('crashed', Readable.from([randomBytes(500_000)]));
    await files.deleteOne({ filename: 'crashed' });
    const chunks = () => db.collection('_uploads.chunks').countDocuments();
    await store.removeUnfinished(new Date(Date.now() - HOUR));
    expect(await chunks()).toBe(4);
    await store.removeUnfinished(later());
    expect(await chunks()).toBe(2);
  });

  test('is shared by all processes of the database', async () => {
    const { db } = client.service.database;
    const other = new MongoClient(process.env['TEST_MONGODB_URI'] ?? '');
    try {
      await openGridFiles(db).put('shared', Readable.from([Buffer.from('shared')]));
      const found = await openGridFiles(other.db(db.databaseName)).get('shared');
      expect(found && String(await buffer(await found.read()))).toBe('shared');
    } finally {
      await other.close();
    }
  });
});

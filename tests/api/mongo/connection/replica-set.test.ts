import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { readSystem } from '../../../../src/config/system.js';
import { findMongod } from '../../../../src/mongo/connection/find-mongod.js';
import { openGridFiles } from '../../../../src/mongo/files/grid-files.js';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { corpus } from '../../../support/service.js';

const { systemBinary, searchPath } = readSystem();
const mongod = findMongod(systemBinary, searchPath);
if (mongod === undefined) console.warn('NOT TESTED on a replica set: there is no mongod on the PATH');

// The whole suite: `node scripts/replica-set.mjs`.
(mongod === undefined ? describe.skip : describe)('on a replica set', () => {
  let set: MongoMemoryReplSet;
  let service: TestService;
  beforeAll(async () => {
    set = await MongoMemoryReplSet.create({
      binary: { systemBinary: mongod ?? '' },
      replSet: { count: 1, storageEngine: 'wiredTiger' },
    });
    service = await createTestService({ contentTypes: corpus, mongodbUri: set.getUri() });
  });
  afterAll(async () => {
    await service.close();
    await set.stop();
  });

  test('writes are acknowledged by the majority, in the journal', () => {
    expect(service.database.db.writeConcern).toMatchObject({ w: 'majority', journal: true });
  });

  test('entries, unique values, relations, totals and files work as on a single server', async () => {
    const { entries } = service;
    const tag = await entries.create('api::tag.tag', { name: 'Alpha' });
    await expect(entries.create('api::tag.tag', { name: 'Alpha' })).rejects.toMatchObject({ code: 'validation' });
    const article = await entries.create('api::article.article', { title: 'One', tags: [tag.id] });
    await entries.update('api::article.article', article.id, { title: 'Two' });
    const [found] = await entries.findMany('api::article.article', {
      filters: { tags: { name: 'Alpha' } },
      populate: 'tags',
    });
    expect(found).toMatchObject({ title: 'Two', tags: [{ id: tag.id, name: 'Alpha' }] });
    await entries.delete('api::tag.tag', tag.id);
    expect(await entries.count('api::article.article', { filters: { tags: { id: { $notNull: true } } } })).toBe(0);
    const files = openGridFiles(service.database.db);
    await files.put('a.txt', Readable.from([Buffer.from('one')]));
    const stored = await files.get('a.txt');
    expect(stored && String(await buffer(await stored.read()))).toBe('one');
  });
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { readSystem } from '../../../../src/config/system.js';
import { findMongod } from '../../../../src/mongo/connection/find-mongod.js';
import { createTestService } from '../../../../src/testing.js';
import { corpus } from '../../../support/service.js';
import { everything, exportTo, importInto } from './support.js';

const { systemBinary, searchPath } = readSystem();
const mongod = findMongod(systemBinary, searchPath);

// The embedded engine knows no replica sets: this needs a mongod.
const describeWithMongod = mongod === undefined ? describe.skip : describe;

describeWithMongod('on a replica set', () => {
  test('an export from a replica set is a snapshot', async () => {
    const set = await MongoMemoryReplSet.create({
      binary: { systemBinary: mongod ?? '' },
      replSet: { count: 1, storageEngine: 'wiredTiger' },
    });
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'export-'));
    try {
      const mongodbUri = set.getUri();
      const [source, target] = [
        await createTestService({ contentTypes: corpus, mongodbUri }),
        await createTestService({ contentTypes: corpus, mongodbUri }),
      ];
      await source.entries.create('api::tag.tag', { name: 'Alpha' });
      const archive = path.join(folder, 'export.tar.gz');
      expect(await exportTo(archive, source)).toMatchObject({ snapshot: true });
      await importInto(target, archive);
      expect(await everything(target)).toEqual(await everything(source));
      await source.close();
      await target.close();
    } finally {
      await set.stop();
      fs.rmSync(folder, { recursive: true });
    }
  });
});

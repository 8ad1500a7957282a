/**
 * `node scripts/replica-set.mjs [arguments of Jest]`: runs the test suite on a replica set of one member, made by the
 * mongod of this machine (`MONGOMS_SYSTEM_BINARY`, or the first on the `PATH`). The embedded engine knows no replica
 * sets.
 */
import { spawnSync } from 'node:child_process';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';

await import('./setup.mjs');

const { readSystem } = await import('../dist/config/system.js');
const { findMongod } = await import('../dist/mongo/connection/find-mongod.js');

const { systemBinary, searchPath } = readSystem();
const mongod = findMongod(systemBinary, searchPath);
if (mongod === undefined) {
  console.error('NOT TESTED on a replica set: no mongod on the PATH; set MONGOMS_SYSTEM_BINARY to its path');
  process.exit(1);
}
const set = await MongoMemoryReplSet.create({
  binary: { systemBinary: mongod },
  replSet: { count: 1, storageEngine: 'wiredTiger' },
});
try {
  const { status } = spawnSync(process.execPath, ['scripts/test.mjs', 'full', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TEST_MONGODB_URI: set.getUri() },
  });
  process.exitCode = status ?? 1;
} finally {
  await set.stop({ doCleanup: true, force: true });
}

import { mkdtempSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { startMemoryServer as start } from '../../src/mongo/connection/memory-server.js';

/** Built code, as Jest's global setup knows no module mapper; `npm test` builds first. */
const built = '../../dist/mongo/connection/memory-server.js';

/**
 * Jest's global setup: one folder for the temporary files of the whole run, and one database. TEST_MONGODB_URI has its
 * URI, unless it had one already.
 */
export default async function startDatabase(): Promise<void> {
  const testFolder = mkdtempSync(path.join(fastestFolder(), 'cs-'));
  process.env['TMPDIR'] = testFolder;
  Object.assign(globalThis, { testFolder });
  if (process.env['TEST_MONGODB_URI']) return;
  const { startMemoryServer }: { startMemoryServer: typeof start } = await import(built);
  const testDatabase = await startMemoryServer();
  process.env['TEST_MONGODB_URI'] = testDatabase.uri;
  Object.assign(globalThis, { testDatabase });
}

/** Bytes that a run takes at most: the engine keeps the files of dropped collections until it ends. */
const SPACE = 6 * 1024 ** 3;

/** Memory as a file system, where there is one with space: the tests wait for the disk half of their time. */
function fastestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > SPACE ? '/dev/shm' : os.tmpdir();
  } catch {
    return os.tmpdir();
  }
}

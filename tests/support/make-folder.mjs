import { mkdtempSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Jest's global setup of tests that need no database: one folder for the temporary files of the whole run. */
export default function makeFolder() {
  if (Reflect.has(globalThis, 'testFolder')) return;
  const testFolder = mkdtempSync(path.join(fastestFolder(), 'cs-'));
  process.env['TMPDIR'] = testFolder;
  Object.assign(globalThis, { testFolder });
}

/** Bytes that a run takes at most: the engine keeps the files of dropped collections until it ends. */
const SPACE = 6 * 1024 ** 3;

/** Memory as a file system, where there is one with space: the tests wait for the disk half of their time. */
function fastestFolder() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > SPACE ? '/dev/shm' : os.tmpdir();
  } catch {
    return os.tmpdir();
  }
}

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/mongo/connection/open-database.js';

const isRoot = process.getuid?.() === 0;
/** Mounting takes root on Linux, and a kernel that allows it here. */
const canMount = isRoot && tryMount();

function tryMount(): boolean {
  const place = mkdtempSync(path.join(os.tmpdir(), 'content-service-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', place]);
  if (status === 0) spawnSync('umount', [place]);
  rmSync(place, { recursive: true });
  return status === 0;
}

let folder: string;
const mounted: string[] = [];
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-folder-'));
});
afterAll(() => {
  for (const place of mounted) spawnSync('umount', [place]);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the built service on a data folder; returns its exit status and the printed lines. */
function start(dataFolder: string): { readonly status: number | null; readonly lines: readonly string[] } {
  const { MONGODB_URI: _, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.resolve('dist/main.js')], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 500_000,
    env: {
      ...environment,
      NODE_ENV: 'development',
      DATABASE: 'embedded',
      PORT: '0',
      LOG_LEVEL: 'error',
      TMPDIR: folder,
      CONTENT_TYPES: path.resolve('tests/api/documents/relations/content-types'),
      DATA_FOLDER: dataFolder,
    },
  });
  return { status, lines: (stdout + stderr).split('\n').filter((line) => line !== '') };
}

const inFolder = (name: string): string => path.join(folder, name);
const unusable = (place: string, reason: string): string =>
  `The data folder ${place} cannot be used: ${reason}; fix that, or set DATA_FOLDER to another folder`;

test('a start fails with one line if the data folder is a file or below a file', () => {
  writeFileSync(inFolder('file'), '');
  for (const place of [inFolder('file'), inFolder('file/data')]) {
    expect(start(place)).toEqual({ status: 1, lines: [unusable(place, 'it is a file, or a file is in its path')] });
  }
});

test('a start fails with one line on damaged data and on a damaged database.json', () => {
  const place = inFolder('damaged');
  mkdirSync(path.join(place, 'database'), { recursive: true });
  writeFileSync(path.join(place, 'database.json'), '{ "engine": ');
  expect(start(place)).toEqual({
    status: 1,
    lines: [expect.stringContaining('database.json is damaged; it should contain')],
  });

  writeFileSync(path.join(place, 'database.json'), '{"engine":"embedded","version":"0.1.1"}');
  for (const name of ['WiredTiger', 'WiredTiger.wt', 'WiredTiger.turtle', 'storage.bson']) {
    writeFileSync(path.join(place, 'database', name), 'garbage');
  }
  expect(start(place)).toEqual({
    status: 1,
    lines: [expect.stringMatching(/^The database does not start: .*damaged/)],
  });
});

/** A file system of this many kilobytes. */
function mountSmall(name: string, size: number): string {
  const place = inFolder(name);
  mkdirSync(place);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}k`, 'tmpfs', place]);
  if (status !== 0) throw new Error(`${place} cannot be mounted`);
  mounted.push(place);
  return place;
}

/** Puts an entry there whose content type has no indexes yet: the engine makes those only with room to spare. */
async function keepEntry(dataFolder: string): Promise<void> {
  const settings = { choice: 'embedded', uri: undefined, name: 'content_service', systemBinary: undefined } as const;
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const database = await openDatabase({ ...settings, searchPath: [], dataFolder }, silent);
  await database.db.collection<{ _id: number }>('nodes').insertOne({ _id: 1 });
  await database.close();
}

(canMount ? describe : describe.skip)('where a file system can be mounted', () => {
  test('a start fails with one line on a full or nearly full disk', async () => {
    const [none, little] = [mountSmall('none', 4), mountSmall('little', 8192)];
    writeFileSync(path.join(none, 'all'), Buffer.alloc(4096));
    expect(start(none)).toEqual({ status: 1, lines: [unusable(none, 'the disk is full')] });
    const place = path.join(little, 'data');
    await keepEntry(place);
    const { status, lines } = start(place);
    expect(status).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^The disk of the database is full: available disk space of \d+ bytes/),
    ]);
  });
});

(canMount || !isRoot ? describe : describe.skip)('where a folder can be made read-only', () => {
  test('a start fails with one line if the new or existing data folder is read-only', () => {
    const place = isRoot ? mountSmall('read-only', 8192) : inFolder('read-only');
    const used = path.join(place, 'used');
    mkdirSync(path.join(used, 'database'), { recursive: true });
    const secret = 'a-secret-of-the-read-only-test';
    writeFileSync(path.join(used, 'secrets.json'), JSON.stringify({ JWT_SECRET: secret, API_TOKEN_SALT: secret }));
    writeFileSync(path.join(used, 'database.json'), '{"engine":"embedded","version":"0.1.1"}');
    if (isRoot) spawnSync('mount', ['-o', 'remount,ro', place]);
    else for (const name of ['used/database', 'used', '']) chmodSync(path.join(place, name), 0o500);
    const reason = /it is read-only|this user has no write permission|no folder can be created there/.source;
    for (const name of ['used', 'new']) {
      const line = expect.stringMatching(
        new RegExp(`^The data folder ${path.join(place, name)} cannot be used: (?:${reason});`),
      );
      expect(start(path.join(place, name))).toEqual({ status: 1, lines: [line] });
    }
    if (!isRoot) for (const name of ['', 'used', 'used/database']) chmodSync(path.join(place, name), 0o700);
  });
});

import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { openStore } from '../../../../src/mongo/store.js';
import { corpus, useService } from '../../../support/service.js';

const client = useService({}, { checked: false });

/** Runs the script as an operator does, on the database of the tests. */
function run(options: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['bin/content-service.mjs', 'check-data', ...options],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        MONGODB_URI: process.env['TEST_MONGODB_URI'],
        DATABASE_NAME: client.service.database.db.databaseName,
        CONTENT_TYPES: corpus,
        NODE_ENV: 'test',
        ...environment,
      },
    },
  );
  return { status, stdout: stdout.split('\n').slice(0, -1), stderr };
}

test('an index that the next start creates is a note, and one that it cannot create a violation', async () => {
  const { database, registry } = client.service;
  const tags = database.db.collection<{ _id: number; name: string }>('tags');
  const tag = await client.create('tags', { name: 'Indexed' });
  const rule = 'is missing: the next start of the service creates it';
  try {
    await tags.dropIndex('cs_unique_name');
    const upgraded = run(['--json']);
    expect(upgraded.status).toBe(0);
    expect(upgraded.stderr).toContain(`Note: tags index cs_unique_name: ${rule}\n`);
    expect(JSON.parse(upgraded.stdout.join(''))).toMatchObject({
      breaches: 0,
      pending: [{ collection: 'tags', path: 'index cs_unique_name', rule }],
    });

    await tags.insertOne({ _id: tag + 1, name: 'Indexed' });
    const { status, stdout } = run();
    expect(status).toBe(1);
    expect(stdout).toContain(
      `tags index cs_unique_name: cannot be created: "Indexed" in the entries ${tag}, ${tag + 1}`,
    );
  } finally {
    await tags.deleteMany({});
    await openStore(database.db, { timeout: 60_000, exclusive: true }).prepare(registry);
  }
});

test('check-data lists violations and their number, and exits with 1', async () => {
  const tag = await client.create('tags', { name: 'Sound' });
  const sound = run();
  expect(sound).toMatchObject({ status: 0, stderr: '' });
  const counts = sound.stdout.filter((line) => line.startsWith('  '));
  expect(counts).toContain('  tags: 1 entry');
  expect(sound.stdout).toEqual([
    expect.stringMatching(/^\d+ entr(?:y|ies) of \d+ content types: no violations \(MongoDB at /),
    ...counts,
  ]);

  const { db } = client.service.database;
  await db.collection<{ _id: number }>('tags').updateOne({ _id: tag }, { $set: { color: 'pink' } });
  await db.collection('leftovers').insertOne({});
  const broken = run();
  expect(broken).toMatchObject({ status: 1, stderr: '' });
  expect(broken.stdout).toEqual([
    `tags ${tag} color: must be one of red, green, blue, is "pink"`,
    'Note: the collection "leftovers" belongs to no content type',
    expect.stringMatching(/^\d+ entr(?:y|ies) of \d+ content types: 1 violation \(/),
    ...counts,
  ]);

  const fields = Array.from({ length: 102 }, (_, index) => [`field${index}`, index]);
  await db.collection<{ _id: number }>('tags').updateOne({ _id: tag }, { $set: Object.fromEntries(fields) });
  const many = run();
  const lines = many.stdout.filter((line) => !counts.includes(line));
  expect(lines).toHaveLength(103);
  expect(lines.slice(-3)).toEqual([
    'and 3 more',
    'Note: the collection "leftovers" belongs to no content type',
    expect.stringMatching(/: 103 violations \(/),
  ]);
});

test('check-data exits with 2 and one line if it cannot run', () => {
  const { status, stdout, stderr } = run([], { CONTENT_TYPES: 'tests/fixtures/nowhere' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: [] });
  expect(stderr).toMatch(/^nowhere: cannot be read as a folder .*\n$/);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connectToUri } from '../../src/mongo/connect.js';

const page = readFileSync('docs/migration.md', 'utf8');
const archive = path.resolve('tests/fixtures/strapi-export/world.tar.gz');
const folder = mkdtempSync(path.join(os.tmpdir(), 'migration-'));
const uri = process.env['TEST_MONGODB_URI'] ?? '';
const name = `test_migration_${process.pid}`;
const env = {
  ...process.env,
  MONGODB_URI: uri,
  DATABASE_NAME: name,
  DATA_FOLDER: folder,
  CONTENT_TYPES: path.resolve('tests/fixtures/corpus/content-types'),
};

afterAll(async () => {
  const client = await connectToUri(uri);
  await client.db(name).dropDatabase();
  await client.close();
  rmSync(folder, { recursive: true });
});

function run(script: string, ...args: readonly string[]) {
  expect(page).toContain(`npm run ${script}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.mjs`, ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

test('the commands of the page take a project over', () => {
  expect(run('import', archive)).toMatchObject({ status: 0, said: expect.stringContaining('176 stored') });
  const again = run('import', archive);
  expect(again).toMatchObject({ status: 0, said: expect.stringContaining('0 stored') });
  expect(run('check-data')).toMatchObject({ status: 0, said: expect.stringContaining('no rule is broken') });
});

test('what cannot be done is said with the way to do it', () => {
  expect(run('import')).toMatchObject({ status: 2, said: expect.stringContaining('--remove-others') });
  expect(run('import', '/nowhere')).toMatchObject({ status: 2, said: expect.stringContaining('is not there') });
  expect(run('compare')).toMatchObject({ status: 2, said: expect.stringContaining('--reference') });
});

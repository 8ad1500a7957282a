import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const client = useService({ contentTypes: 'content-types' });

test('the example in docs/seeding.md does what the page says', async () => {
  const [, example = ''] = /^```ndjson\n(.*?)^```$/ms.exec(fs.readFileSync('docs/seeding.md', 'utf8')) ?? [];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'seed-example-'));
  fs.writeFileSync(path.join(folder, 'seed.ndjson'), example);
  const { status, stdout } = spawnSync(process.execPath, ['scripts/seed.mjs', folder], {
    encoding: 'utf8',
    env: {
      ...process.env,
      MONGODB_URI: process.env['TEST_MONGODB_URI'],
      DATABASE_NAME: client.service.database.db.databaseName,
      DATA_FOLDER: folder,
      CONTENT_TYPES: 'content-types',
      NODE_ENV: 'test',
    },
  });
  fs.rmSync(folder, { recursive: true });
  expect(stdout).toMatch(/^Done: 8 stored in .*, 0 there already, 0 failed$/m);
  expect(status).toBe(0);

  const { body } = await client.get(
    '/api/articles?filters[slug]=north-light&populate[author]=*&populate[blocks][populate]=*',
  );
  expect(body.data).toHaveLength(1);
});

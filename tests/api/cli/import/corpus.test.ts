import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../../../scripts/conformance/client.js';
import { loadDeviations } from '../../../../scripts/conformance/deviations.js';
import { importWorld } from '../../../../scripts/conformance/import-world.js';
import { plainJudge } from '../../../../scripts/conformance/judge.js';
import { replay } from '../../../../scripts/conformance/replay.js';
import { loadScenarios } from '../../../../scripts/conformance/scenario.js';
import { serveWorld } from '../../../../scripts/conformance/serve-world.js';
import { readWorld } from '../../../../scripts/conformance/world.js';
import { openSource } from '../../../../src/cli/commands/import/import.js';
import { encrypt } from './make-archive.js';

const corpus = 'tests/fixtures/corpus';
const key = 'conformance-key';
const plain = 'tests/fixtures/strapi-export/world.tar.gz';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'import-corpus-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe.each([
  { name: 'plain', archive: plain, key: undefined, areas: /./, least: 1000 },
  // The entries are the same: populated relations and sorts are enough.
  { name: 'encrypted', archive: encrypt(plain, key), key, areas: /^1[34]-/, least: 100 },
])('an archive exported by Strapi 4.26.2, $name', ({ name, archive, key: password, areas, least }) => {
  test('is served with the responses that Strapi recorded', async () => {
    const world = await readWorld(`${corpus}/world.json`);
    const source = await openSource(archive, { key: password });
    const server = await serveWorld({
      world,
      contentTypes: `${corpus}/content-types`,
      dataFolder: fs.mkdtempSync(path.join(folder, name)),
      environment: {
        MONGODB_URI: process.env['TEST_MONGODB_URI'],
        DATABASE_NAME: `test_import_${process.pid}_${name}`,
      },
      port: 0,
      prepare: (database, config) => importWorld(source, database, config),
    });
    try {
      const client = createClient({ url: server.url, world, fixtures: `${corpus}/fixtures` });
      const deviations = await loadDeviations(`${corpus}/deviations.json`);
      const graphql = (await fetch(`${server.url}/graphql`, { method: 'POST' })).status !== 404;
      const all = await loadScenarios(`${corpus}/scenarios`);
      const scenarios = all.filter(
        ({ phase, area }) => phase === 'read' && areas.test(area) && (graphql || !area.includes('graphql')),
      );
      const outcomes = [];
      for (const scenario of scenarios)
        outcomes.push(...(await replay(scenario, { client, deviations, judge: plainJudge, seeded: {} })).outcomes);
      const judged = outcomes.filter(({ rule }) => rule === undefined);
      const failed = judged.filter(({ lenient }) => lenient.length > 0).map(({ file, step }) => `${file} ${step}`);
      expect(judged.length).toBeGreaterThan(least);
      expect(failed.length / judged.length).toBeLessThanOrEqual(0.01);
    } finally {
      await server.database.db.dropDatabase();
      await server.close();
    }
  });
});

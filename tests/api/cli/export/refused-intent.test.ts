import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { corpus, useService } from '../../../support/service.js';
import { exportTo, importInto } from './support.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'export-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

// Its data is broken on purpose.
const source = useService({}, { checked: false });
let target: TestService;
beforeAll(async () => {
  target = await createTestService({ contentTypes: corpus, mongodbUri: process.env['TEST_MONGODB_URI'] ?? '' });
});
afterAll(async () => target.close());

type Row = { _id: number; [name: string]: unknown };

test('an interrupted write that the database refuses to complete is exported, imported and reported', async () => {
  const { db } = source.service.database;
  const tag = await source.create('tags', { name: 'Sea' });
  const broken = await source.create('articles', { title: 'Broken' });
  const sound = await source.create('articles', { title: 'Sound' });
  await db.collection<Row>('articles').updateOne({ _id: broken }, { $set: { '_rank.tags': 'broken' } });
  expect((await source.put(`/api/tags/${tag}`, { articles: [broken, sound] })).status).toBe(500);
  expect(await db.collection('_intents').countDocuments({ 'failed.tries': 1 })).toBe(1);

  const archive = path.join(folder, 'refused.tar.gz');
  await exportTo(archive, source.service);
  const { skipped: untaken } = await importInto(target, archive);
  const found = await target.entries.findMany('api::tag.tag', { populate: 'articles' });
  expect(found).toMatchObject([{ name: 'Sea', articles: [{ id: sound }] }]);
  expect(untaken.lines().join('\n')).toContain('cannot be completed, tried 2 times');
});

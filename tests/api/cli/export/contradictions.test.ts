import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { StoredTransaction } from '../../../../src/mongo/transactions/format.js';
import { encodeSteps } from '../../../../src/mongo/transactions/steps.js';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { corpus, useService } from '../../../support/service.js';
import { breachesOf, everything, exportTo, importInto } from './support.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'export-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

// Its data is broken on purpose: as an export finds it that reads one half of a write before and the other after it.
const source = useService({ plugins: { i18n: { config: { locales: ['en', 'fr'] } } } }, { checked: false });
let target: TestService;
beforeAll(async () => {
  target = await createTestService({ contentTypes: corpus, mongodbUri: process.env['TEST_MONGODB_URI'] ?? '' });
});
afterAll(async () => target.close());

type Row = { _id: number; [name: string]: unknown };

test('import repairs contradictions between entries that changed during the export', async () => {
  const { db } = source.service.database;
  const articles = db.collection<Row>('articles');
  const author = await source.create('authors', { name: 'Ada' });
  const tag = await source.create('tags', { name: 'Alpha' });
  const card = await source.create('seo-cards', { headline: 'Card' });
  const [first, second] = [
    await source.create('articles', { title: 'First', code: 'A', author, tags: [tag], seoCard: card }),
    await source.create('articles', {
      title: 'Second',
      views: 7,
      bignum: '9007199254740993',
      blocks: [{ __component: 'blocks.quote', text: 'q', source: author }],
    }),
  ];
  const { id: french } = await source.service.entries.create('api::article.article', {
    title: 'Deux',
    locale: 'fr',
    localizations: [second],
  });
  const alone = await source.create('articles', { title: 'Third' });

  // Deleted while its holders had been read, taken over, joined by half, changed by half, given on.
  await db.collection<Row>('authors').deleteOne({ _id: author });
  await articles.updateOne({ _id: second }, { $set: { seoCard: card } });
  await articles.updateOne(
    { _id: alone },
    { $set: { localizations: [french], '_rank.localizations': ['fr'], locale: 'de' } },
  );
  await articles.updateOne({ _id: french }, { $unset: { bignum: '' }, $set: { views: 8, updatedAt: new Date() } });
  await articles.dropIndex('cs_unique_code');
  await articles.updateOne({ _id: second }, { $set: { code: 'A' } });
  expect((await breachesOf(source.service)).length).toBeGreaterThan(5);

  const archive = path.join(folder, 'torn.tar.gz');
  expect(await exportTo(archive, source.service)).toMatchObject({ snapshot: false });
  const { skipped: untaken, lines } = await importInto(target, archive);
  expect(untaken.lines().map((line) => line.trim())).toContainEqual(
    expect.stringContaining('must be unique, and another entry has the value'),
  );
  expect(untaken.lost).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(/^Repaired \d+ × contradictions of entries written during the export$/),
  ]);
  expect(await breachesOf(target)).toEqual([]);

  const stored = await target.database.db
    .collection<Row>('articles')
    .find({}, { sort: { _id: 1 } })
    .toArray();
  expect(
    stored.map(({ _id, author: of, seoCard, code, views, _refs, localizations }) => ({
      _id,
      of,
      seoCard,
      code,
      views,
      _refs,
      localizations,
    })),
  ).toEqual([
    { _id: first, seoCard: card, code: 'A', views: 0 },
    { _id: second, views: 8, localizations: [alone, french] },
    { _id: french, views: 8, localizations: [alone, second] },
    { _id: alone, views: 8, localizations: [french, second] },
  ]);
  expect(stored.map(({ bignum }) => bignum)).toEqual([undefined, undefined, undefined, undefined]);

  const before = await everything(target);
  await importInto(target, archive);
  expect(await everything(target)).toEqual(before);
});

test.each([
  ['ended', []],
  ['deleted its log', [{ _id: 'ended', state: 'committed', at: new Date() }]],
] as const)('import frees entries that a transaction had changed which %s during the export', async (_, records) => {
  const { db } = source.service.database;
  const _id = {
    $in: [await source.create('authors', { name: 'Eva' }), await source.create('authors', { name: 'Ida' })],
  };
  await db.collection<Row>('authors').updateMany({ _id }, { $set: { _lock: { by: 'ended', changed: true } } });
  if (records.length > 0) await db.collection<{ _id: string }>('_transactions').insertMany([...records]);

  const archive = path.join(folder, 'locked.tar.gz');
  await exportTo(archive, source.service);
  await importInto(target, archive);
  expect(await target.database.db.collection<Row>('authors').countDocuments({ _lock: { $exists: true } })).toBe(0);
});

test('import completes a deletion that the export found between its commit and its end', async () => {
  const { db } = source.service.database;
  const _id = await source.create('authors', { name: 'Max' });
  await db.collection<Row>('authors').updateOne({ _id }, { $set: { _lock: { by: 'deletes' } } });
  const after = encodeSteps([{ kind: 'remove', collection: 'authors', ids: [_id] }]);
  const records = db.collection<StoredTransaction>('_transactions');
  await records.insertOne({ _id: 'deletes', state: 'committed', at: new Date(), after });

  const archive = path.join(folder, 'deleting.tar.gz');
  await exportTo(archive, source.service);
  await importInto(target, archive);
  expect(await target.database.db.collection<Row>('authors').countDocuments({ _id })).toBe(0);
});

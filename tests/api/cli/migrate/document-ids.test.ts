import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Document, MongoClient } from 'mongodb';
import { linkDefinitions, loadDefinitions } from '../../../../src/app/load-registry.js';
import { claimDefinitions } from '../../../../src/app/migrate/claim-definitions.js';
import { migrateData } from '../../../../src/app/migrate/migrate-data.js';
import type { Registry } from '../../../../src/content-types/model/types.js';
import { connectToUri } from '../../../../src/mongo/connection/connect.js';
import type { Database } from '../../../../src/mongo/connection/database.js';
import { checkDatabase } from '../../../../src/mongo/maintenance/check/check-database.js';
import { describeViolation } from '../../../../src/mongo/maintenance/check/violation.js';
import { createI18n } from '../../../../src/plugins/i18n/i18n.js';
import { writeDefinitions } from './definitions.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'document-ids-'));
const contentTypes = writeDefinitions(folder, {
  'note.json': {
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
    options: { draftAndPublish: true, workingCopies: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: { text: { type: 'string', pluginOptions: { i18n: { localized: true } } } },
  },
});
const i18n = createI18n({ locales: ['en', 'fr'] });
const folders = { project: folder, contentTypes, data: folder };
let client: MongoClient;
let database: Database;
beforeAll(async () => {
  client = await connectToUri(process.env['TEST_MONGODB_URI'] ?? '');
  const db = client.db(`document_ids_${process.pid}`);
  database = { db, reads: db, client, description: '', exclusive: false, close: () => client.close() };
});
afterAll(async () => {
  await database.db.dropDatabase();
  await client.close();
  fs.rmSync(folder, { recursive: true });
});

const open = async (documentIds: boolean): Promise<Registry> => {
  const plugins = [i18n, ...(documentIds ? [{ name: 'documents', documentIds: true as const }] : [])];
  return linkDefinitions(await loadDefinitions({ folders }, plugins), plugins);
};
const start = (registry: Registry): Promise<void> =>
  claimDefinitions({ folders, plugins: {} }, database, registry, { warn: () => undefined });

async function migrate(registry: Registry, apply: boolean) {
  const problems: string[] = [];
  const { found } = await migrateData({
    database,
    registry,
    declared: { collections: new Map(), attributes: new Map() },
    locale: 'en',
    drafts: undefined,
    apply,
    stopping: new AbortController().signal,
    problem: (line) => void problems.push(line),
    withProgress: async (_task, _total, run) => run(() => undefined),
  });
  expect(problems).toEqual([]);
  return found.map((line) => `${line.subject} ${line.text}: ${line.entries}`);
}

const notes = () => database.db.collection<Document & { _id: number }>('notes');
const stored = async (name = 'notes') =>
  (await database.db.collection(name).find().sort({ _id: 1 }).toArray()).map(({ documentId }: Document) => documentId);
const live = { publishedAt: new Date('2024-01-31'), _live: 1 };
const copy = { _id: 1, locale: 'en', text: 'x', _changes: ['text'], ...live };
const localized = (_id: number, locale: string, others: Readonly<Record<string, number>>) => ({
  _id,
  locale,
  ...live,
  localizations: Object.values(others),
  _rank: { localizations: Object.keys(others) },
});

test('a start without them names the command, which gives all entries the same as any other process', async () => {
  const [plain, registry] = [await open(false), await open(true)];
  await start(plain);
  await notes().insertMany([
    { _id: 1, locale: 'en', ...live, _copied: 1 },
    localized(2, 'en', { fr: 3 }),
    localized(3, 'fr', { en: 2 }),
    { _id: 4, locale: 'fr' },
  ]);
  await database.db.collection<{ _id: number }>('_copies.notes').insertOne({ ...copy });
  await expect(start(registry)).rejects.toThrow(
    /by a documentId[^]*api::note\.note: have no documentId[^]*: 4 entries\n[^]*content-service migrate --apply/,
  );
  expect(await migrate(registry, false)).toContain('api::note.note get a documentId: 4');
  expect(await stored()).toEqual([undefined, undefined, undefined, undefined]);

  await Promise.all([migrate(registry, true), migrate(registry, true)]);
  const [one, two, three, four] = await stored();
  expect(new Set([one, two, four]).size).toBe(3);
  expect([one, three]).toEqual([expect.stringMatching(/^c[a-z0-9]{23}$/), two]);
  expect(await stored('_copies.notes')).toEqual([one]);
  await start(registry);

  // Whoever asks again gets the same, also where the first of a group is gone; one that joins it gets that of the
  // others.
  await notes().deleteOne({ _id: 2 });
  await notes().updateOne({ _id: 3 }, { $set: { localizations: [5], '_rank.localizations': ['en'] } });
  await notes().insertOne(localized(5, 'en', { fr: 3 }));
  expect(await migrate(registry, true)).toContain('api::note.note get a documentId: 1');
  expect(await stored()).toEqual([one, two, four, two]);
});

test('entries that were written without the plugin are asked for again when it is back', async () => {
  const [plain, registry] = [await open(false), await open(true)];
  await start(plain);
  await notes().insertOne({ _id: 6, locale: 'en' });
  await expect(start(registry)).rejects.toThrow('have no documentId');
  const violations: string[] = [];
  await notes().updateOne({ _id: 3 }, { $set: { documentId: '1' } });
  for await (const part of checkDatabase(database.db, registry))
    violations.push(...part.violations.map(describeViolation));
  expect(violations).toEqual(
    expect.arrayContaining([
      'notes 6 documentId: is missing: migrate --apply gives the entry one',
      'notes 3 documentId: must be letters and digits after a letter, is "1"',
      expect.stringMatching(/^notes \d documentId: differs from its value in \d, a localization/),
    ]),
  );
});

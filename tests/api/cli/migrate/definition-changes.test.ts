import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Document, MongoClient } from 'mongodb';
import { loadRegistry } from '../../../../src/app/load-registry.js';
import { claimDefinitions } from '../../../../src/app/migrate/claim-definitions.js';
import { migrateData, type DraftDecision } from '../../../../src/app/migrate/migrate-data.js';
import type { Registry } from '../../../../src/content-types/model/types.js';
import { connectToUri } from '../../../../src/mongo/connection/connect.js';
import type { Database } from '../../../../src/mongo/connection/database.js';
import type { ChangeKind } from '../../../../src/mongo/maintenance/definitions/definition-changes.js';
import { createTestService } from '../../../../src/testing.js';
import { writeDefinitions } from './definitions.js';

type Files = Readonly<Record<string, object>>;

const localized = { pluginOptions: { i18n: { localized: true } } };
const text = { text: { type: 'string' } };

const definition = (name: string, change: object): object => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: text,
  ...change,
});

/** The definition of `api::note.note`. */
const note = (change: object = {}): Files => ({ 'note.json': definition('note', change) });
const withDrafts = note({ options: { draftAndPublish: true } });
const localizedNote = note({ ...localized, attributes: { text: { type: 'string', ...localized } } });

/** Notes with tags, whose links one of the two types stores. */
function tagged(owner: 'note' | 'tag', options: object = {}): Files {
  const relation = (target: string, inverse: string, isOwner: boolean): object => ({
    [inverse === 'notes' ? 'tags' : 'notes']: {
      type: 'relation',
      relation: 'manyToMany',
      target,
      [isOwner ? 'inversedBy' : 'mappedBy']: inverse,
    },
  });
  return {
    ...note({ options, attributes: relation('api::tag.tag', 'notes', owner === 'note') }),
    'tag.json': definition('tag', { options, attributes: relation('api::note.note', 'tags', owner === 'tag') }),
  };
}

let folder: string;
let client: MongoClient;
let database: Database;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'definition-changes-'));
  client = await connectToUri(process.env['TEST_MONGODB_URI'] ?? '');
  const db = client.db(`definition_changes_${process.pid}`);
  database = { db, reads: db, client, description: '', exclusive: false, close: () => client.close() };
});
afterAll(async () => {
  await database.db.dropDatabase();
  await client.close();
  fs.rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  const { db } = database;
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
    await db.collection(name).deleteMany({});
});

const plugins = { i18n: { enabled: true, config: { locales: ['en', 'fr'] } } };
let folders = 0;

async function load(files: Files): Promise<{ readonly contentTypes: string; readonly registry: Registry }> {
  folders += 1;
  const contentTypes = writeDefinitions(path.join(folder, String(folders)), files);
  const registry = await loadRegistry({
    plugins,
    folders: { project: folder, contentTypes, data: folder },
    environment: 'test',
  });
  return { contentTypes, registry };
}

/** What a start says about these definitions: a refusal, a warning, or nothing. */
async function start(files: Files): Promise<string> {
  const { contentTypes, registry } = await load(files);
  const config = { plugins, folders: { project: folder, contentTypes, data: folder } };
  const warnings: string[] = [];
  const log = { warn: (...line: readonly unknown[]) => void warnings.push(String(line.at(-1))) };
  return claimDefinitions(config, database, registry, log).then(
    () => warnings.join('\n'),
    (error: unknown) => (error as Error).message,
  );
}

/** What `migrate --apply` finds, and what is left to decide. */
async function migrate(files: Files, drafts?: DraftDecision) {
  const { registry } = await load(files);
  const problems: string[] = [];
  const { found } = await migrateData({
    database,
    registry,
    declared: { collections: new Map(), attributes: new Map() },
    locale: 'en',
    drafts,
    apply: true,
    stopping: new AbortController().signal,
    problem: (line) => void problems.push(line),
    withProgress: async (_task, _total, run) => run(() => undefined),
  });
  return { found: found.map((line) => `${line.text}: ${line.entries}`), problems };
}

const insert = (documents: readonly Document[], collection = 'notes'): Promise<unknown> =>
  database.db
    .collection<Document & { _id: number }>(collection)
    .insertMany(documents.map((document, at) => ({ _id: at + 1, ...document })));

const stored = (): Promise<readonly Document[]> => database.db.collection('notes').find().sort({ _id: 1 }).toArray();

interface Row {
  readonly before: Files;
  readonly after: Files;
  readonly documents: readonly Document[];
  /** Those in the trash. */
  readonly deleted?: readonly Document[];
  /** The line of the refused start. */
  readonly says: string;
  /** The stored entries after each decision. */
  readonly decisions: readonly (readonly [DraftDecision | undefined, readonly Document[]])[];
}

const createdAt = new Date('2024-01-31');
const live = { publishedAt: createdAt, _live: 1 };

/** Not the one that no definition makes, but a plugin: see document-ids.test.ts. */
const rows: Readonly<Record<Exclude<ChangeKind, 'documentIdsOn'>, Row>> = {
  draftsOff: {
    before: withDrafts,
    after: note(),
    documents: [{ text: 'public', ...live }, { text: 'draft' }],
    says: 'are no drafts any more: readers see them: 1 entry',
    decisions: [
      ['delete', [{ _id: 1, text: 'public' }]],
      [
        'publish',
        [
          { _id: 1, text: 'public' },
          { _id: 2, text: 'draft' },
        ],
      ],
    ],
  },
  draftsOn: {
    before: note(),
    after: withDrafts,
    documents: [
      { text: 'one', createdAt },
      { text: 'two', createdAt },
    ],
    says: 'become drafts, which readers do not see: 2 entries',
    decisions: [
      [
        'publish',
        [
          { _id: 1, createdAt, ...live },
          { _id: 2, createdAt, ...live },
        ],
      ],
      ['keep', [{ _id: 1, text: 'one', createdAt }, { _id: 2 }]],
    ],
  },
  localizedOn: {
    before: note(),
    after: localizedNote,
    documents: [{ text: 'one' }],
    says: 'have no locale, so that no list shows them: 1 entry',
    decisions: [[undefined, [{ _id: 1, locale: 'en' }]]],
  },
  localizedOff: {
    before: localizedNote,
    after: note(),
    documents: [
      { text: 'one', locale: 'en', localizations: [2], _rank: { localizations: ['fr'] } },
      { text: 'une', locale: 'fr', localizations: [1], _rank: { localizations: ['en'] } },
    ],
    says: 'of other locales are in every list, beside those of the default locale: 1 entry',
    decisions: [[undefined, [{ _id: 1, text: 'one' }]]],
  },
  copiesOff: {
    before: note({ options: { draftAndPublish: true, workingCopies: true } }),
    after: withDrafts,
    documents: [
      { text: 'changed', _copied: 1, ...live },
      { text: 'published', ...live },
    ],
    says: 'have working copies, which are discarded: 1 entry',
    decisions: [
      [
        undefined,
        [
          { _id: 1, text: 'changed' },
          { _id: 2, text: 'published' },
        ],
      ],
    ],
  },
  trashOff: {
    before: note({ options: { trash: 30 } }),
    after: note(),
    documents: [{ text: 'present' }],
    deleted: [{ _id: 2, text: 'deleted' }],
    says: 'are in the trash, and removed for good: 1 entry',
    decisions: [[undefined, [{ _id: 1, text: 'present' }]]],
  },
  otherCollection: {
    before: note(),
    after: note({ collectionName: 'other_notes' }),
    documents: [{ text: 'one' }],
    says: 'stay in the collection notes, which no type reads: declare its new name in migrations.json: 1 entry',
    decisions: [[undefined, [{ _id: 1 }]]],
  },
  becameSingle: {
    before: note(),
    after: note({ kind: 'singleType' }),
    documents: [{ text: 'one' }, { text: 'two' }],
    says: 'are hidden: a single type shows one: 1 entry',
    decisions: [[undefined, [{ _id: 1 }, { _id: 2 }]]],
  },
  becameCollection: {
    before: note({ kind: 'singleType' }),
    after: note(),
    documents: [{ text: 'one' }, { text: 'two' }],
    says: 'are shown, which the single type did not: 1 entry',
    decisions: [[undefined, [{ _id: 1 }, { _id: 2 }]]],
  },
  otherSide: {
    before: tagged('note'),
    after: tagged('tag'),
    documents: [{ tags: [1], _rank: { tags: [1] } }],
    says: 'have no tags: the other side of the relation stores it now: 1 entry',
    decisions: [[undefined, [{ _id: 1 }]]],
  },
  noPassword: {
    before: note({ attributes: { ...text, code: { type: 'password' } } }),
    after: note({ attributes: { ...text, code: { type: 'string' } } }),
    documents: [{ text: 'one', code: '$2b$04$' }],
    says: 'show the hash of code, which is no password any more: 1 entry',
    decisions: [[undefined, [{ _id: 1 }]]],
  },
};

const cases = Object.entries(rows).flatMap(([kind, row]) =>
  row.decisions.map(([drafts, expected]) => ({ kind, drafts, expected, row })),
);

test.each(cases)('a start by $kind is refused until a person decides: $drafts', async ({ row, drafts, expected }) => {
  const { before, after, documents, deleted = [], says } = row;
  expect(await start(before)).toBe('');
  await insert(documents);
  if (deleted.length > 0) await insert(deleted, '_trash.notes');
  const untouched = await stored();
  const refused = await start(after);
  expect(refused).toContain(`  api::note.note: ${says}\n`);
  expect(refused).toContain('  npx content-service migrate --apply');
  if (drafts !== undefined) expect(refused).toContain(`migrate --apply --drafts ${drafts} `);
  // A process that runs by the former definitions starts again, and so do several by the new ones.
  expect(await Promise.all([start(before), start(after), start(after)])).toEqual(['', refused, refused]);
  expect(await stored()).toEqual(untouched);

  expect((await migrate(after, drafts)).problems).toEqual([]);
  expect(await stored()).toMatchObject(expected);
  expect(await Promise.all([start(after), start(after)])).toEqual(['', '']);
});

test.each(Object.entries(rows))(
  'a type without entries changes by %s without a question',
  async (_, { before, after }) => {
    expect([await start(before), await start(after), await start(before)]).toEqual(['', '', '']);
  },
);

test.each([
  ['an attribute that is gone', { ...text, more: { type: 'string' } }, text, ''],
  ['an attribute of another type', text, { text: { type: 'integer' } }, ''],
  ['a new attribute', text, { ...text, more: { type: 'string', required: true } }, ''],
  ['an attribute that becomes private', text, { text: { type: 'string', private: true } }, ''],
  [
    'an attribute that is private no longer',
    { text: { type: 'string', private: true } },
    text,
    'No longer private, so that everyone who reads an entry sees them: api::note.note text',
  ],
])('%s changes what is seen as its definition says, without a question', async (_, before, after, says) => {
  await start(note({ attributes: before }));
  await insert([{ text: 'one' }]);
  expect(await start(note({ attributes: after }))).toBe(says);
  expect(await start(note({ attributes: after }))).toBe('');
});

describe('a type', () => {
  test('that is gone for a while goes on by the same rules', async () => {
    await start(withDrafts);
    await insert(rows.draftsOff.documents);
    expect(await start({ 'other.json': definition('other', {}) })).toBe('');
    expect(await start(note())).toContain('are no drafts any more');
    expect(await start(withDrafts)).toBe('');
  });

  test('with another name goes on with the entries of its collection', async () => {
    await start(withDrafts);
    await insert(rows.draftsOff.documents);
    const renamed = (options: object): Files => ({
      'memo.json': definition('memo', { collectionName: 'notes', options }),
    });
    expect(await start(renamed({}))).toContain('api::memo.memo: are no drafts any more');
    expect(await start(renamed({ draftAndPublish: true }))).toBe('');
    // Now the entries are of this type.
    expect(await start(renamed({}))).toContain('are no drafts any more');
  });
});

describe('a relation of entries with working copies that the other side stores from now on', () => {
  const copied = { draftAndPublish: true, workingCopies: true };
  const [before, after] = [tagged('note', copied), tagged('tag', copied)];
  const live = { _live: 1, publishedAt: new Date('2024-01-01') };
  const linked = { ...live, tags: [1], _rank: { tags: [1] } };
  const store = async (name: string, document: Document): Promise<void> =>
    void (await database.db.collection(name).insertOne({ _id: 1 as never, ...document }));
  const read = (name: string): Promise<unknown> => database.db.collection(name).findOne({});

  test('leaves the copies that do not change it, and reaches those of the other side', async () => {
    await start(before);
    await store('notes', { ...linked, _copied: 1 });
    await store('_copies.notes', { ...linked, title: 'x', _changes: ['title'] });
    await store('tags', { ...live, _copied: 1 });
    await store('_copies.tags', { ...live, title: 'x', _changes: ['title'] });
    expect((await migrate(after)).problems).toEqual([]);
    expect(await read('notes')).toEqual({ _id: 1, ...live, _copied: 1, _rank: {} });
    expect(await read('_copies.notes')).toEqual({ _id: 1, ...live, title: 'x', _changes: ['title'], _rank: {} });
    const { notes, _rank } = (await read('tags')) as Document;
    expect(notes).toEqual([1]);
    expect(await read('_copies.tags')).toEqual({ _id: 1, ...live, title: 'x', _changes: ['title'], notes, _rank });
    expect(await start(after)).toBe('');
  });

  test('is refused while a copy changes it, also if no entry has it', async () => {
    await start(before);
    await store('notes', { ...live, _copied: 1 });
    await store('_copies.notes', { ...linked, _changes: ['tags'] });
    expect(await start(after)).toContain('have no tags: the other side of the relation stores it now: 1 entry');
    const refused = (await migrate(after)).problems;
    expect(refused).toEqual([
      expect.stringMatching(/^api::note.note: 1 working copy changes tags, which entries of api::tag.tag store/),
    ]);
    expect(await read('_copies.notes')).toEqual({ _id: 1, ...linked, _changes: ['tags'] });
    expect(await start(before)).toBe('');
  });
});

test('a relation of deleted entries does not move to its other side', async () => {
  const [before, after] = [tagged('note', { trash: 30 }), tagged('tag', { trash: 30 })];
  await start(before);
  await insert([{ tags: [1], _rank: { tags: [1] } }], '_trash.notes');
  expect(await start(after)).toContain('have no tags: the other side of the relation stores it now: 1 entry');
  expect((await migrate(after)).problems).toEqual([
    'api::note.note: 1 entry in the trash has tags, which entries of api::tag.tag store now: restore or remove them by the former definitions',
  ]);
  expect(await start(before)).toBe('');
});

test('data without a record, of a former version or an import, is served by the definitions that there are', async () => {
  await insert(rows.draftsOff.documents);
  expect(await start(note())).toBe('');
});

test('an unchanged start is one command', async () => {
  await start(withDrafts);
  const { registry } = await load(withDrafts);
  const commands: string[] = [];
  const monitored = await connectToUri(process.env['TEST_MONGODB_URI'] ?? '', true);
  monitored.on('commandStarted', ({ commandName, databaseName }) => {
    if (databaseName === database.db.databaseName) commands.push(commandName);
  });
  const config = { plugins, folders: { project: folder, contentTypes: folder, data: folder } };
  const db = monitored.db(database.db.databaseName);
  await claimDefinitions(config, { ...database, db }, registry, { warn: () => undefined });
  await monitored.close();
  expect(commands).toEqual(['find']);
});

test('migrate leaves a type as it is, and says so, while nobody has decided', async () => {
  await start(withDrafts);
  await insert(rows.draftsOff.documents);
  for (const drafts of [undefined, 'keep'] as const) {
    expect((await migrate(note(), drafts)).problems).toEqual([
      'api::note.note: are no drafts any more: readers see them (choose --drafts delete or --drafts publish)',
    ]);
    expect(await start(note())).toContain('are no drafts any more');
  }
});

test('a service shows no draft because its type has none any longer', async () => {
  const uri = new URL(process.env['TEST_MONGODB_URI'] ?? '');
  uri.pathname = `/definition_changes_${process.pid}`;
  const open = async (files: Files) =>
    createTestService({ contentTypes: (await load(files)).contentTypes, mongodbUri: uri.href });
  const shown = async (files: Files): Promise<readonly unknown[]> => {
    const service = await open(files);
    const headers = { authorization: `Bearer ${service.token}` };
    const { data } = (await (await fetch(`${service.url}/api/notes`, { headers })).json()) as {
      data: { attributes: { text: string } }[];
    };
    await service.close();
    return data.map(({ attributes }) => attributes.text);
  };
  const first = await open(withDrafts);
  await first.entries.create('api::note.note', { text: 'public' });
  await first.entries.create('api::note.note', { text: 'draft', publishedAt: null });
  await first.close();
  await expect(open(note())).rejects.toThrow('are no drafts any more');
  expect(await shown(withDrafts)).toEqual(['public']);
  await migrate(note(), 'delete');
  expect(await shown(note())).toEqual(['public']);
});

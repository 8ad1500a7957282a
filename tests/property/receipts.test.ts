import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { link } from '../../src/content-types/link/link.js';
import { storedTypes } from '../../src/content-types/model/stored-types.js';
import type { ContentType } from '../../src/content-types/model/types.js';
import { system, type Caller } from '../../src/documents/caller.js';
import type { Documents } from '../../src/documents/documents.js';
import { openStore, type Store } from '../../src/mongo/store.js';
import { RECEIPTS } from '../../src/mongo/stored/receipts.js';
import { LOCK } from '../../src/mongo/transactions/format.js';
import { idIs } from '../../src/query/ast.js';
import type { EntryReceipt } from '../../src/query/receipt.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { openDocuments } from '../support/open-documents.js';
import { testUri } from '../support/commands.js';
import { dyingDatabase } from '../support/dying.js';
import { interceptCommands } from '../support/intercept-commands.js';
import { minutes } from '../support/scaled.js';
import { contentType, define } from '../unit/content-types/define.js';

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});
const registry = link(
  define(
    contentType(
      'article',
      { title: { type: 'string' }, tags: relation('manyToMany', 'tag'), card: relation('oneToOne', 'tag') },
      { collectionName: 'articles', options: { draftAndPublish: true, workingCopies: true, trash: 30 } },
    ),
    contentType('tag', { name: { type: 'string' } }, { collectionName: 'tags' }),
    contentType('note', { text: { type: 'string' } }, { collectionName: 'notes' }),
    contentType('kept', { text: { type: 'string' } }, { collectionName: 'kept' }),
  ),
);
const typeOf = (name: string): ContentType => {
  const type = registry.contentTypes.get(`api::${name}.${name}`);
  if (type === undefined) throw new Error(`There is no ${name}`);
  return type;
};
const [article, tag, note, kept] = [typeOf('article'), typeOf('tag'), typeOf('note'), typeOf('kept')];
const types = storedTypes(registry);
const collections = types.map(({ collectionName }) => collectionName);

let client: MongoClient;
let db: Db;
beforeAll(async () => {
  client = await MongoClient.connect(testUri('maxPoolSize', '8'));
  db = client.db('receipts', { writeConcern: { w: 1, journal: false } });
  await open(db).store.prepare(registry);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

interface Process {
  readonly store: Store;
  readonly documents: Documents;
}

function open(database: Db): Process {
  const isExempt = (type: ContentType): boolean => type === kept;
  const receipts = { isExempt, door: 'code', key: 'secret' };
  const store = openStore(database, { timeout: 15_000, exclusive: true, receipts });
  return { store, documents: openDocuments(registry, store) };
}

interface Logged {
  readonly _id: string;
  readonly action: string;
  readonly collection: string;
  readonly id: number;
  readonly receipt: EntryReceipt['receipt'];
}

/** Keeps receipts in the database of a process. */
const receiverOf =
  (database: Db) =>
  async (receipts: readonly EntryReceipt[]): Promise<void> => {
    for (const { collection, id, receipt } of receipts) {
      const _id = `${receipt.id} ${collection} ${id}`;
      const $setOnInsert = { action: receipt.action, collection, id, receipt };
      await database.collection<Logged>('log').updateOne({ _id }, { $setOnInsert }, { upsert: true });
    }
  };
const logged = () => db.collection<Logged>('log').find().toArray();
const stored = (type: ContentType, id: number) =>
  db.collection<{ _id: number }>(type.collectionName).findOne({ _id: id });

const ann: Caller = {
  kind: 'user',
  user: 7,
  may: () => true,
  credentials: { id: 7, username: 'ann', password: 'secret' },
  origin: { door: 'rest', address: '127.0.0.1', request: 'abc' },
};
const request = { caller: ann, presenter: plainEntry, selection: { fields: [], populate: [] } };

/** The ids that each test begins with. */
const [draft, published, copied, deleted] = [1, 2, 3, 4];

beforeEach(async () => {
  for (const name of ['_transactions', '_undo', 'log', '_counters', ...collections])
    await db.collection(name).deleteMany({});
  const { documents, store } = open(db);
  for (const id of [1, 2, 3, 4, 5]) await documents.create(tag, { name: `tag ${id}` }, request);
  await documents.create(note, { text: 'note' }, request);
  const ids = [draft, published, copied, deleted].map((id) => ({ title: `article ${id}`, tags: [id] }));
  for (const data of ids) await documents.create(article, data, { ...request, status: 'draft' });
  for (const id of [published, copied])
    await documents.update({ type: article, id }, {}, { ...request, status: 'published' });
  await documents.update({ type: article, id: copied }, { title: 'prepared' }, { ...request, status: 'draft' });
  await documents.delete({ type: article, id: deleted }, request);
  store.receipts?.attach(receiverOf(db), types, true);
  await store.receipts?.collect();
  await db.collection('log').deleteMany({});
});

interface Write {
  readonly execute: (process: Process) => Promise<unknown>;
  /** The receipts that there are exactly if the write was done. */
  readonly receipts: readonly string[];
  readonly isDone: () => Promise<boolean>;
}

const isGone = async (type: ContentType, id: number): Promise<boolean> => (await stored(type, id)) === null;
const has = async (type: ContentType, id: number, values: object): Promise<boolean> =>
  (await db.collection<{ _id: number }>(type.collectionName).countDocuments({ _id: id, ...values })) === 1;

const writes: Readonly<Record<string, Write>> = {
  'a creation': {
    execute: ({ documents }) => documents.create(note, { text: 'new' }, request),
    receipts: ['create notes 2'],
    isDone: () => has(note, 2, { text: 'new' }),
  },
  'a creation that takes a target': {
    execute: ({ documents }) => documents.create(article, { title: 'new', card: 1 }, request),
    receipts: ['create articles 5'],
    isDone: () => has(article, 5, { title: 'new' }),
  },
  'an update': {
    execute: ({ documents }) => documents.update({ type: note, id: 1 }, { text: 'new' }, request),
    receipts: ['update notes 1'],
    isDone: () => has(note, 1, { text: 'new' }),
  },
  'an update of links': {
    execute: ({ documents }) => documents.update({ type: article, id: draft }, { tags: [4, 5] }, request),
    receipts: ['update articles 1'],
    isDone: () => has(article, draft, { tags: [4, 5] }),
  },
  'two updates': {
    execute: async ({ documents }) => {
      await documents.update({ type: note, id: 1 }, { text: 'first' }, request);
      await documents.delete({ type: note, id: 1 }, request);
    },
    receipts: ['delete notes 1', 'update notes 1'],
    isDone: () => isGone(note, 1),
  },
  'a save of a working copy': {
    execute: ({ documents }) =>
      documents.update({ type: article, id: published }, { title: 'new' }, { ...request, status: 'draft' }),
    receipts: ['save articles 2'],
    isDone: () => has(article, published, { _copied: 1 }),
  },
  'a publication of a working copy': {
    execute: ({ documents }) =>
      documents.update({ type: article, id: copied }, {}, { ...request, status: 'published' }),
    receipts: ['publish articles 3'],
    isDone: () => has(article, copied, { title: 'prepared' }),
  },
  'a working copy that is discarded': {
    execute: ({ documents }) => documents.delete({ type: article, id: copied }, { ...request, status: 'draft' }),
    receipts: ['discard articles 3'],
    isDone: () => has(article, copied, { _copied: null }),
  },
  'a deletion': {
    execute: ({ documents }) => documents.delete({ type: note, id: 1 }, request),
    receipts: ['delete notes 1'],
    isDone: () => isGone(note, 1),
  },
  'a deletion with references': {
    execute: ({ documents }) => documents.delete({ type: tag, id: 1 }, request),
    receipts: ['delete tags 1'],
    isDone: () => isGone(tag, 1),
  },
  'a deletion into the trash': {
    execute: ({ documents }) => documents.delete({ type: article, id: copied }, request),
    receipts: ['delete articles 3'],
    isDone: () => isGone(article, copied),
  },
  'a restoration': {
    execute: ({ documents }) => documents.trash.restore(article, deleted, request),
    receipts: ['restore articles 4'],
    isDone: () => has(article, deleted, {}),
  },
  'a removal from the trash': {
    execute: ({ documents }) => documents.trash.remove(article, deleted, ann),
    receipts: ['purge _trash.articles 4'],
    isDone: async () => (await db.collection('_trash.articles').countDocuments()) === 0,
  },
  'a deletion of several': {
    execute: ({ documents }) => documents.deleteMany(tag, undefined, request),
    receipts: [1, 2, 3, 4, 5].map((id) => `delete tags ${id}`),
    isDone: async () => (await db.collection('tags').countDocuments()) === 0,
  },
  'a batch': {
    execute: ({ documents }) =>
      documents.batch([
        { kind: 'create', type: note, data: { text: 'new' }, request },
        { kind: 'update', type: tag, id: 1, data: { name: 'new' }, request },
        { kind: 'update', type: tag, id: 2, data: { name: 'new' }, request },
        { kind: 'delete', type: note, id: 1, request },
      ] as Parameters<Documents['batch']>[0]),
    receipts: ['create notes 2', 'delete notes 1', 'update tags 1', 'update tags 2'],
    isDone: () => has(note, 2, {}),
  },
  'an update of several': {
    execute: ({ documents }) => documents.updateMany(tag, undefined, { name: 'new' }, request),
    receipts: [1, 2, 3, 4, 5].map((id) => `update tags ${id}`),
    isDone: async () => (await db.collection('tags').countDocuments({ name: 'new' })) === 5,
  },
  'a replacement': {
    execute: async ({ store }) =>
      store.replace(note, [{ _id: 1, text: 'new', createdAt: new Date(0), updatedAt: new Date(0) }]),
    receipts: ['replace notes 1'],
    isDone: () => has(note, 1, { text: 'new' }),
  },
};

/** A new process ends what others have left, and collects it. */
async function recover(): Promise<void> {
  const { store } = open(db);
  await store.sweep(true);
  store.receipts?.attach(receiverOf(db), types, true);
  await store.receipts?.collect();
  await store.receipts?.close();
  store.transactions.close();
}

const describe = ({ action, collection, id }: Logged): string => `${action} ${collection} ${id}`;

async function expectCollected(): Promise<void> {
  for (const name of collections)
    expect([name, await db.collection(name).countDocuments({ _receipts: { $exists: true } })]).toEqual([name, 0]);
  expect(await db.collection('_transactions').countDocuments({ receipts: { $exists: true } })).toBe(0);
}

test.each(Object.entries(writes))('%s has a receipt', async (_, { execute, receipts, isDone }) => {
  const process = open(db);
  process.store.receipts?.attach(receiverOf(db), types, true);
  await execute(process);
  await process.store.receipts?.collect();
  process.store.transactions.close();
  expect(await isDone()).toBe(true);
  expect((await logged()).map(describe).toSorted()).toEqual(receipts);
  await expectCollected();
});

test.each(Object.entries(writes))(
  '%s has a receipt exactly if it was done, wherever its process dies',
  async (name, { execute, receipts, isDone }) => {
    const snapshot = await Promise.all(
      collections.map(async (collection) => [collection, await db.collection(collection).find().toArray()] as const),
    );
    const counters = await db.collection('_counters').find().toArray();
    let crashes = 0;
    for (const replies of [true, false])
      for (let commands = 1; ; commands += 1) {
        for (const left of ['_transactions', '_undo', 'log', '_counters', ...collections])
          await db.collection(left).deleteMany({});
        for (const [collection, documents] of [...snapshot, ['_counters', counters] as const])
          if (documents.length > 0) await db.collection(collection).insertMany([...documents]);
        const dying = dyingDatabase(db, commands, replies);
        const process = open(dying.db);
        process.store.receipts?.attach(receiverOf(dying.db), types, false);
        const isAcknowledged = await execute(process).then(
          () => true,
          () => false,
        );
        await process.store.receipts?.collect().catch(() => undefined);
        process.store.transactions.close();
        if (!dying.isDead()) break;
        crashes += 1;
        await dying.settled();
        await recover();
        const [done, all] = [await isDone(), (await logged()).map(describe).toSorted()];
        const about = { name, commands, replies };
        if (isAcknowledged) expect({ ...about, done }).toEqual({ ...about, done: true });
        // Of several entries that are no transaction, some may be written.
        const isPart = !done && all.every((receipt) => receipts.includes(receipt)) && name === 'two updates';
        expect({ ...about, all }).toEqual({ ...about, all: done ? receipts : isPart ? all : [] });
        await expectCollected();
      }
    expect(crashes).toBeGreaterThan(1);
  },
  minutes(2),
);

test.each([
  ['alone', [], []],
  ['with another one', ['other'], ['other']],
])('an entry that is unlocked while its receipt is removed keeps it no longer: %s', async (_, others, kept) => {
  const entries = db.collection<{ _id: number }>(note.collectionName);
  const unlocking = interceptCommands(db, async (send, command, collection) => {
    const reply = await send();
    if (command === 'updateMany' && collection === note.collectionName)
      await entries.updateOne({ _id: 1 }, { $unset: { [LOCK]: '' } });
    return reply;
  });
  const { documents, store } = open(unlocking);
  store.receipts?.attach(
    async () => {
      const lock = { [LOCK]: { by: 'a transaction' } };
      const more = { [RECEIPTS]: { $each: others.map((id) => ({ id })) } } as object;
      await entries.updateOne({ _id: 1 }, { $set: lock, $push: more });
    },
    types,
    false,
  );
  await documents.update({ type: note, id: 1 }, { text: 'new' }, request);
  await store.receipts?.collect();
  const stored = await entries.findOne({ _id: 1 }, { projection: { _id: 0, [`${RECEIPTS}.id`]: 1 } });
  expect(stored).toEqual(kept.length === 0 ? {} : { [RECEIPTS]: kept.map((id) => ({ id })) });
});

test('a receipt says who wrote which attributes, without their values', async () => {
  const { documents, store } = open(db);
  store.receipts?.attach(receiverOf(db), types, true);
  await documents.update({ type: note, id: 1 }, { text: 'confidential' }, request);
  await documents.update({ type: note, id: 1 }, { text: 'confidential' }, { ...request, caller: system });
  await store.receipts?.collect();
  const [byAnn, byCode] = (await logged()).map(({ receipt }) => receipt);
  expect(byAnn).toMatchObject({ by: { kind: 'user', id: 7, name: 'ann' }, origin: ann.origin, names: ['text'] });
  expect(byCode).toMatchObject({ by: { kind: 'system' }, origin: { door: 'code' }, names: ['text'] });
  expect(byAnn?.hash).toBe(byCode?.hash);
  expect(JSON.stringify(await logged())).not.toMatch(/confidential|secret/);
});

test('whoever keeps receipts stores them without receipts', async () => {
  const { documents, store } = open(db);
  store.receipts?.attach(receiverOf(db), types, true);
  await documents.create(kept, { text: 'kept' }, request);
  await documents.deleteMany(kept, idIs(1), request);
  await store.receipts?.collect();
  expect(await logged()).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import lodash from 'lodash';
import { MongoClient, type Db, type Document } from 'mongodb';
import { link } from '../../src/content-types/link/link.js';
import { storedTypes } from '../../src/content-types/model/stored-types.js';
import type { ContentType } from '../../src/content-types/model/types.js';
import { system } from '../../src/documents/caller.js';
import type { Documents } from '../../src/documents/documents.js';
import type { DocumentHooks } from '../../src/documents/hooks.js';
import { checkDatabase } from '../../src/mongo/maintenance/check/check-database.js';
import { describeViolation } from '../../src/mongo/maintenance/check/violation.js';
import { openStore, type Store } from '../../src/mongo/store.js';
import { idIn } from '../../src/query/ast.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { openDocuments } from '../support/open-documents.js';
import { testUri } from '../support/commands.js';
import { dyingDatabase } from '../support/dying.js';
import { randomNumbers } from '../support/random-numbers.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { component, contentType, define } from '../unit/content-types/define.js';

const RUNS = Number(process.env['RUNS'] ?? scaled(3, 60));
const WRITES = 30;
const CRASHES = Number(process.env['CRASHES'] ?? scaled(24, 600));

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});
const options = { draftAndPublish: true, workingCopies: true, trash: 30 };
const registry = link({
  ...define(
    contentType(
      'article',
      {
        title: { type: 'string' },
        slug: { type: 'string', unique: true },
        tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
        card: relation('oneToOne', 'tag', { inversedBy: 'owner' }),
        next: relation('manyToOne', 'article'),
        quotes: { type: 'component', component: 'part.quote', repeatable: true },
        about: { type: 'relation', relation: 'morphToMany' },
      },
      { collectionName: 'articles', options },
    ),
    contentType(
      'tag',
      {
        name: { type: 'string' },
        articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
        owner: relation('oneToOne', 'article', { mappedBy: 'card' }),
      },
      { collectionName: 'tags', options: { trash: 30 } },
    ),
  ),
  components: [component('part.quote', { text: { type: 'string' }, source: relation('oneToOne', 'tag') })],
});
const typeOf = (name: string): ContentType => {
  const type = registry.contentTypes.get(`api::${name}.${name}`);
  if (type === undefined) throw new Error(`There is no ${name}`);
  return type;
};
const [article, tag] = [typeOf('article'), typeOf('tag')];
const collections = storedTypes(registry)
  .filter(({ uid }) => /^(?:api|copy|trash)::/.test(uid))
  .map(({ collectionName }) => collectionName);

let client: MongoClient;
let db: Db;
beforeAll(async () => {
  client = await MongoClient.connect(testUri('maxPoolSize', '8'));
  db = client.db('trash', { writeConcern: { w: 1, journal: false } });
  await openStore(db, { timeout: 15_000, exclusive: true }).prepare(registry);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

interface Service {
  readonly store: Store;
  readonly documents: Documents;
}

function open(database: Db, hooks: readonly DocumentHooks[] = []): Service {
  const store = openStore(database, { timeout: 15_000, exclusive: true });
  return { store, documents: openDocuments(registry, store, { hooks }) };
}

const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };

type Stored = Document & { readonly _id: number };
type Snapshot = ReadonlyMap<string, readonly Stored[]>;

const takeSnapshot = async (): Promise<Snapshot> =>
  new Map(
    await Promise.all(
      collections.map(async (name) => {
        const documents = await db.collection<Stored>(name).find().sort({ _id: 1 }).toArray();
        return [name, documents] as const;
      }),
    ),
  );

async function putBack(snapshot: Snapshot): Promise<void> {
  for (const name of ['_transactions', '_undo']) await db.collection(name).deleteMany({});
  for (const [name, documents] of snapshot) {
    await db.collection(name).deleteMany({});
    if (documents.length > 0) await db.collection<Stored>(name).insertMany([...documents]);
  }
}

/** Entries and copies without what a restoration changes in the entry that comes back: a draft is written now. */
const compared = (snapshot: Snapshot, restored: readonly string[] = []): unknown =>
  [...snapshot].map(([name, documents]) => [
    name,
    documents.flatMap((document) => {
      const key = `${name} ${document._id}`;
      const isOfRestored = restored.includes(key) || restored.includes(key.replace('_copies.', ''));
      if (!isOfRestored) return [withSortedLists(document)];
      if (name.startsWith('_copies.')) return [];
      return [withSortedLists(lodash.omit(document, 'updatedAt', '_live', 'publishedAt', '_copied'))];
    }),
  ]);

/**
 * References and the links of deleted entries are in no order, and no ranks are stored as none or as an empty object.
 */
const withSortedLists = (document: Document): Document => ({
  ...(lodash.isEmpty(document['_rank']) ? lodash.omit(document, '_rank') : document),
  ...Object.fromEntries(
    ['_refs', '_linkedFrom'].flatMap((name) =>
      name in document ? [[name, lodash.sortBy(document[name] as object[], (one) => JSON.stringify(one))]] : [],
    ),
  ),
});

async function violations(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const checked of checkDatabase(db, registry)) found.push(...checked.violations.map(describeViolation));
  return found;
}

interface RandomWrite {
  readonly name: string;
  readonly execute: (service: Service) => Promise<unknown>;
}

const [IDS, TAG_IDS] = [
  [1, 2, 3, 4, 5],
  [1, 2, 3, 4],
] as const;

/** Articles, of which some are published, and tags. */
async function begin(): Promise<Service> {
  await putBack(new Map(collections.map((name) => [name, []])));
  await db.collection('_counters').deleteMany({});
  const service = open(db);
  for (const id of TAG_IDS) await service.documents.create(tag, { name: `n${id}` }, request);
  for (const id of IDS)
    await service.documents.create(
      article,
      { title: `t${id}`, slug: `s${id}`, ...(id > 3 && { publishedAt: null }) },
      request,
    );
  return service;
}

function randomWrite(random: () => number): RandomWrite {
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = (ids: readonly number[]): readonly number[] =>
    ids.filter(() => random() < 0.5).toSorted(() => random() - 0.5);
  const [id, tagId] = [oneOf(IDS), oneOf(TAG_IDS)];
  const values = (): object => {
    const all = {
      title: oneOf(['a', 'b']),
      slug: oneOf(['x', `s${id}`]),
      tags: some(TAG_IDS),
      card: oneOf(TAG_IDS),
      next: oneOf(IDS),
      quotes: some(TAG_IDS).map((source) => ({ text: 'q', source })),
      about: some(TAG_IDS).map((one) => ({ __type: tag.uid, id: one })),
    };
    return lodash.pickBy(all, () => random() < 0.4);
  };
  const data = values();
  const target = random() < 0.5 ? { type: article, id } : { type: tag, id: tagId };
  const about = `${target.type.singularName} ${target.id}`;
  const writes: readonly RandomWrite[] = [
    ...Array.from({ length: 4 }, () => ({
      name: `put article ${id} ${JSON.stringify(data)}`,
      execute: ({ documents }: Service) => documents.update({ type: article, id }, data, request),
    })),
    ...Array.from({ length: 3 }, () => ({
      name: `save article ${id} ${JSON.stringify(data)}`,
      execute: ({ documents }: Service) =>
        documents.update({ type: article, id }, data, { ...request, status: 'draft' }),
    })),
    {
      name: `publish article ${id}`,
      execute: ({ documents }) => documents.update({ type: article, id }, {}, { ...request, status: 'published' }),
    },
    {
      name: `set articles of tag ${tagId}`,
      execute: ({ documents }) => documents.update({ type: tag, id: tagId }, { articles: some(IDS) }, request),
    },
    ...Array.from({ length: 2 }, () => ({
      name: `delete ${about}`,
      execute: ({ documents }: Service) => documents.delete(target, request),
    })),
    {
      name: 'delete some',
      execute: ({ documents }) => documents.deleteMany(target.type, idIn([1, target.id]), request),
    },
    ...Array.from({ length: 4 }, () => ({
      name: `restore ${about}`,
      execute: ({ documents }: Service) => documents.trash.restore(target.type, target.id, request),
    })),
    {
      name: `remove ${about} for good`,
      execute: ({ documents }) => documents.trash.remove(target.type, target.id, system),
    },
  ];
  return oneOf(writes);
}

/** What is refused: entries that are not there, links to them, and unique values. */
const isExpected = (error: unknown): boolean => /NotFoundError|ValidationError/.test(String(error));

test(
  'random writes keep the laws of the trash',
  async () => {
    const outcomes = { deleted: 0, restored: 0 };
    for (let run = 0; run < RUNS; run += 1) {
      const random = randomNumbers(seed * 1000 + run);
      const service = await begin();
      const trace: string[] = [];
      for (let index = 0; index < WRITES; index += 1) {
        const write = randomWrite(random);
        const result = await write.execute(service).catch((error: unknown) => error);
        trace.push(`${write.name}${result instanceof Error ? `: ${String(result)}` : ''}`);
        const about = { seed, run, trace: trace.join('\n') };
        if (result instanceof Error)
          expect({ ...about, isExpected: isExpected(result) }).toEqual({ ...about, isExpected: true });
        else if (write.name.startsWith('delete')) outcomes.deleted += 1;
        else if (write.name.startsWith('restore')) outcomes.restored += 1;
        expect({ ...about, found: await violations() }).toEqual({ ...about, found: [] });
        await deleteAndRestore(service, random, about);
      }
    }
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0);
  },
  minutes(5),
);

/** To delete an entry and to restore it is to make a draft of its latest state: nothing else changes. */
async function deleteAndRestore({ documents }: Service, random: () => number, about: object): Promise<void> {
  const before = await takeSnapshot();
  const type = random() < 0.5 ? article : tag;
  const present = before.get(type.collectionName) ?? [];
  const entry = present[Math.floor(random() * present.length)];
  if (entry === undefined) return;
  const id = entry._id;
  await documents.delete({ type, id }, request);
  const copy = before.get(type.copies?.collectionName ?? '')?.find((one) => one._id === id);
  const restored = await documents.trash.restore(type, id, request).catch((error: unknown) => error);
  // What was prepared of it may be what another entry has.
  if (
    copy !== undefined &&
    (restored instanceof Error || (restored as { readonly lost: readonly object[] }).lost.length > 0)
  )
    return putBack(before);
  expect({ ...about, restored }).toMatchObject({ ...about, restored: { lost: [], unkept: 0 } });
  const latest = new Map(before).set(
    type.collectionName,
    present.map((one) => (one === entry && copy !== undefined ? (lodash.omit(copy, '_changes') as Stored) : one)),
  );
  const key = [`${type.collectionName} ${id}`];
  expect({ ...about, id, after: compared(await takeSnapshot(), key) }).toEqual({
    ...about,
    id,
    after: compared(latest, key),
  });
  expect({ ...about, found: await violations() }).toEqual({ ...about, found: [] });
  await putBack(before);
}

test(
  'a crash at any command of a deletion or a restoration leaves the entry there or in the trash, with all links',
  async () => {
    const random = randomNumbers(seed + 1);
    let [crashes, finished] = [0, 0];
    for (let attempt = 0; crashes < CRASHES; attempt += 1) {
      const service = await begin();
      const trace: string[] = [];
      for (let index = 0; index < 8; index += 1) {
        const write = randomWrite(random);
        trace.push(write.name);
        await write.execute(service).catch(() => undefined);
      }
      const type = random() < 0.5 ? article : tag;
      const present = await takeSnapshot();
      const isDeletion = random() < 0.5;
      const candidates = present.get(isDeletion ? type.collectionName : (type.trash?.type.collectionName ?? '')) ?? [];
      const id = candidates[Math.floor(random() * candidates.length)]?._id;
      if (id === undefined) continue;
      const write = ({ documents }: Service): Promise<unknown> =>
        isDeletion ? documents.delete({ type, id }, request) : documents.trash.restore(type, id, request);
      const [commands, replies] = [1 + Math.floor(random() * 16), random() < 0.5];
      trace.push(`${isDeletion ? 'delete' : 'restore'} ${type.singularName} ${id}, dead after ${commands} commands`);
      const about = { seed, attempt, trace: trace.join('\n') };
      // What it leads to without a crash; a unique value may refuse it.
      const outcome = await write(service).catch((error: unknown) => error);
      if (outcome instanceof Error) continue;
      const done = await takeSnapshot();
      await putBack(present);
      const dying = dyingDatabase(db, commands, replies);
      const service2 = open(dying.db);
      await write(service2).catch(() => undefined);
      service2.store.transactions.close();
      if (!dying.isDead()) continue;
      crashes += 1;
      const recovering = openStore(dyingDatabase(db, 1 + Math.floor(random() * 8), true).db, {
        timeout: 15_000,
        exclusive: true,
      });
      await recovering.sweep(true).catch(() => undefined);
      recovering.transactions.close();
      await openStore(db, { timeout: 15_000, exclusive: true }).sweep(true);
      expect({ ...about, found: await violations() }).toEqual({ ...about, found: [] });
      const after = await takeSnapshot();
      const isThere = (snapshot: Snapshot): boolean =>
        snapshot.get(type.collectionName)?.some(({ _id }) => _id === id) === true;
      const isDone = isThere(after) === isThere(done);
      if (isDone) finished += 1;
      const times = (snapshot: Snapshot): unknown =>
        [...snapshot].map(([name, all]) => [
          name,
          all.map((one) => withSortedLists(lodash.omit(one, 'updatedAt', '_deletedAt', '_lock'))),
        ]);
      expect({ ...about, after: times(after) }).toEqual({ ...about, after: times(isDone ? done : present) });
    }
    expect(finished).toBeGreaterThan(0);
    expect(finished).toBeLessThan(CRASHES);
  },
  minutes(5),
);

test('what has been in the trash for as many days as its type says is removed for good', async () => {
  const { documents } = await begin();
  await documents.delete({ type: tag, id: 1 }, request);
  const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
  expect(await documents.trash.sweep(tag, inDays(29))).toBe(0);
  expect(await documents.isInTrash(tag, 1)).toBe(true);
  expect(await documents.trash.sweep(tag, inDays(31))).toBe(1);
  expect(await documents.isInTrash(tag, 1)).toBe(false);
});

test('of several processes that remove and restore deleted entries at once, one does the work after a removal', async () => {
  const { documents } = await begin();
  const inFortyDays = new Date(Date.now() + 40 * 86_400_000);
  const purged: number[] = [];
  const beforePurge: DocumentHooks['beforePurge'] = async ({ ids }) => {
    // Those that are restored before the removal are among them.
    expect(ids.length).toBeGreaterThan(0);
    return async (removed) => void purged.push(...removed);
  };
  const processes = [open(db, [{ beforePurge }]), open(db, [{ beforePurge }])];
  const ids = TAG_IDS;
  for (const id of ids) await documents.delete({ type: tag, id }, request);
  const restored = ids.filter((id) => id % 2 === 0);
  const outcomes = await Promise.allSettled([
    ...processes.map((one) => one.documents.trash.sweep(tag, inFortyDays)),
    ...restored.map((id) => processes[0]?.documents.trash.restore(tag, id, request)),
    ...ids.map((id) => processes[1]?.documents.trash.remove(tag, id, system)),
  ]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  const gone: number[] = [];
  for (const id of ids) {
    const isThere = (await db.collection<Stored>('tags').findOne({ _id: id })) !== null;
    if (!isThere) gone.push(id);
    expect(await documents.isInTrash(tag, id)).toBe(false);
  }
  expect(purged.toSorted()).toEqual(gone);
});

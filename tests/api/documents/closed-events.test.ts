import { beforeEach, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { system } from '../../../src/documents/caller.js';
import type { Documents } from '../../../src/documents/documents.js';
import type { DocumentHooks } from '../../../src/documents/hooks.js';
import { createValidator, type Validator } from '../../../src/documents/input/validate/validate.js';
import { AppError } from '../../../src/errors/app-error.js';
import { openEventLog } from '../../../src/mongo/events/event-log.js';
import { openStore } from '../../../src/mongo/store.js';
import { openCounters } from '../../../src/mongo/write/counters.js';
import { idIn } from '../../../src/query/ast.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { documentsPlugin } from '../../support/documents-plugin.js';
import { failingDatabase, failures } from '../../support/failing-database.js';
import { openDocuments } from '../../support/open-documents.js';
import { scaled } from '../../support/scaled.js';
import { useService } from '../../support/service.js';

const client = useService({
  contentTypes: 'packages/versions/tests/content-types',
  plugins: { [documentsPlugin.name]: documentsPlugin.settings, i18n: { config: { locales: ['en', 'de'] } } },
});
const request = {
  caller: system,
  presenter: plainEntry,
  selection: { fields: [], populate: [] },
  event: 'entry',
} as const;
const typeOf = (name: string) => {
  const type = client.service.registry.contentTypes.get(`api::${name}.${name}`);
  if (type === undefined) throw new Error(`There is no ${name}`);
  return type;
};
const [card, article] = [() => typeOf('card'), () => typeOf('article')];

let validator: Validator | undefined;
function openProcess(db: Db, hooks: DocumentHooks = {}) {
  const { registry } = client.service;
  validator ??= createValidator(registry);
  const store = openStore(db, { timeout: 60_000, exclusive: false, recordBefore: true, patience: 100 });
  return { store, documents: openDocuments(registry, store, { hooks: [hooks] }, validator) };
}

/** The entries that the writes below are about. */
interface Entries {
  readonly card: number;
  readonly other: number;
  readonly article: number;
  /** Is in the trash. */
  readonly deleted: number;
}

let labels = 0;
const label = (): string => `label ${(labels += 1)}`;
const publishedAt = '2026-01-01T00:00:00.000Z';

async function makeEntries(): Promise<Entries> {
  const { documents } = reader();
  const create = async (type: ReturnType<typeof typeOf>, data: object): Promise<number> =>
    ((await documents.create(type, data, request)) as { readonly id: number }).id;
  const entries = {
    card: await create(card(), { label: label() }),
    other: await create(card(), { label: label() }),
    article: await create(article(), { title: 'a', publishedAt, locale: 'en' }),
    deleted: await create(card(), { label: label() }),
  };
  await documents.update(
    { type: article(), id: entries.article },
    { title: 'prepared' },
    { ...request, status: 'draft' },
  );
  await documents.delete({ type: card(), id: entries.deleted }, request);
  return entries;
}

const taken = 'taken';
/** Every kind of write; `value` is the label that a card gets. */
const writes: Readonly<Record<string, (documents: Documents, entries: Entries, value: string) => Promise<unknown>>> = {
  'a creation': (documents, _, value) => documents.create(card(), { label: value }, request),
  'a creation with a link': (documents, { article: linked }, value) =>
    documents.create(card(), { label: value, article: linked }, request),
  'an update': (documents, { card: id }, value) => documents.update({ type: card(), id }, { label: value }, request),
  'a creation of a draft': (documents, _, value) =>
    documents.create(article(), { title: 'a', slug: value, locale: 'en' }, request),
  'a published save': (documents, { article: id }, value) =>
    documents.update({ type: article(), id }, { slug: value, price: 2 }, request),
  'a save of a working copy': (documents, { article: id }, value) =>
    documents.update({ type: article(), id }, { slug: value }, { ...request, status: 'draft' }),
  'a publication of a working copy': (documents, { article: id }, value) =>
    documents.update({ type: article(), id }, { slug: value }, { ...request, status: 'published' }),
  'taking back a publication': (documents, { article: id }) =>
    documents.update({ type: article(), id }, { publishedAt: null }, request),
  'discarding a working copy': (documents, { article: id }) =>
    documents.delete({ type: article(), id }, { ...request, status: 'draft' }),
  'a deletion': (documents, { card: id }) => documents.delete({ type: card(), id }, request),
  'an update of many entries': (documents, { card: id, other }, value) =>
    documents.updateMany(card(), idIn([id, other]), { label: value }, request),
  'an update of one of many entries': (documents, { card: id }, value) =>
    documents.updateMany(card(), idIn([id]), { label: value }, request),
  'an update of many entries with links': (documents, { card: id, article: linked }, value) =>
    documents.updateMany(card(), idIn([id]), { label: value, article: linked }, request),
  'a deletion of many entries': (documents, { card: id, other }) =>
    documents.deleteMany(card(), idIn([id, other]), request),
  'a restoration from the trash': (documents, { deleted }) => documents.trash.restore(card(), deleted, request),
  'a batch': (documents, { card: id, other }, value) =>
    documents.batch([
      { kind: 'update', type: card(), id: other, data: { quotes: [{ text: 'a' }] }, request },
      { kind: 'create', type: card(), data: { label: label() }, request },
      { kind: 'delete', type: card(), id, request },
      { kind: 'create', type: card(), data: { label: value }, request },
    ]),
};

const refuse = (): never => {
  throw new AppError('badRequest', 'refused');
};
const fail = (): never => {
  throw new Error('failed');
};

/** Ways in which code or data refuses a write, or fails after it. */
const ways: Readonly<Record<string, { readonly hooks?: DocumentHooks; readonly value?: string }>> = {
  'as it is': {},
  'with a unique value that is taken': { value: taken },
  'that code refuses': { hooks: { prepare: refuse, beforeDelete: refuse } },
  'that code refuses late': { hooks: { follow: refuse, beforeDelete: async () => refuse } },
  'after which code fails': { hooks: { afterWrite: fail, beforeDelete: async () => fail } },
  'after which code refuses': { hooks: { afterWrite: refuse } },
};

/** What surrounds a write: nothing, or a transaction of the project, which may catch the error. */
const surroundings = ['alone', 'in a transaction', 'in a transaction that catches its error', 'undone'] as const;

async function execute(
  { documents, store }: ReturnType<typeof openProcess>,
  surrounding: (typeof surroundings)[number],
  write: (documents: Documents) => Promise<unknown>,
): Promise<void> {
  if (surrounding === 'alone') return void (await write(documents));
  await store.transactions.run(async () => {
    const writing = write(documents);
    await (surrounding === 'in a transaction' ? writing : writing.catch(() => undefined));
    if (surrounding === 'undone') throw new Error('undone');
  });
}

let opened: ReturnType<typeof openProcess> | undefined;
/** A process that is not disturbed. */
const reader = () => (opened ??= openProcess(client.service.database.db));
const events = () => client.service.database.db.collection<{ floor?: number }>('_events');
const pending = (): Promise<number> => events().countDocuments({ floor: { $exists: true } });

/** The values of all entries and working copies, without their links, by types and ids. */
async function stored(): Promise<ReadonlyMap<string, string>> {
  const { db } = client.service.database;
  const rows = new Map<string, string>();
  const types = [card(), article(), article().copies];
  for (const type of types.filter((one) => one !== undefined))
    for (const document of await db.collection(type.collectionName).find().toArray())
      rows.set(
        `${type.uid} ${String(document['_id'])}`,
        JSON.stringify(values.map((name) => document[name] as unknown)),
      );
  return rows;
}

const values = ['label', 'title', 'slug', 'price', 'publishedAt', 'quotes'];

/** The entries with other values than before. */
async function changedSince(before: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
  const after = await stored();
  return new Set([...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key)));
}

/** The entries of which events tell, after a position. */
async function toldSince(start: number): Promise<ReadonlySet<string>> {
  const { events: log } = reader().store;
  const found = await log.read(start, (await log.bounds()).last, 1000);
  return new Set(found.map(({ uid, id }) => `${uid} ${id}`));
}

/** The next write, and whether readers see it at once who have waited for long enough. */
async function isNextWriteSeen(): Promise<boolean> {
  const { db } = client.service.database;
  const { documents, store } = reader();
  const start = (await store.events.bounds()).last;
  const { id } = (await documents.create(card(), { label: label() }, request)) as { readonly id: number };
  const impatient = openEventLog(db, openCounters(db), { longestWait: 0 });
  const seen = await impatient.read(start, await impatient.horizon(), 1000);
  return seen.some((event) => event.id === id);
}

beforeEach(async () => {
  await reader().store.events.turnOn();
  await events().deleteMany({});
});

const kinds = Object.keys(writes).map((kind, index) => [kind, index] as const);
const waysOf = (surrounding: (typeof surroundings)[number]) =>
  Object.entries<(typeof ways)[string]>({ 'as it is': {}, ...(surrounding !== 'undone' && ways) });

/** Some of many, which differ from round to round. */
const someOf = <T>(all: readonly T[], round: number): readonly T[] => {
  const first = round % all.length;
  return [...all, ...all].slice(first, first + scaled(1, all.length));
};

test.each(kinds)('the events of %s are closed, whatever refuses it', async (kind, index) => {
  const { db } = client.service.database;
  const write = writes[kind];
  const holder = await db.collection('cards').findOne({ label: taken });
  if (holder === null) await reader().documents.create(card(), { label: taken }, request);
  for (const [round, surrounding] of surroundings.entries()) {
    for (const [way, { hooks, value }] of someOf(waysOf(surrounding), index + round)) {
      const entries = await makeEntries();
      const start = (await reader().store.events.bounds()).last;
      const before = await stored();
      const process = openProcess(db, hooks);
      await process.store.events.turnOn();
      const error = await execute(
        process,
        surrounding,
        (documents) => write?.(documents, entries, value ?? label()) ?? Promise.resolve(),
      ).catch((thrown: unknown) => thrown);
      const done = { way, surrounding, error };
      expect({ ...done, pending: await pending() }).toEqual({ ...done, pending: 0 });
      const told = await toldSince(start);
      const changed = await changedSince(before);
      // Nothing is told that has not happened.
      for (const event of told) expect({ ...done, event, isDone: changed.has(event) }).toMatchObject({ isDone: true });
      expect({ ...done, changed: changed.size > 0 }).toEqual({ ...done, changed: told.size > 0 });
      expect(await isNextWriteSeen()).toBe(true);
    }
  }
});

const losses = kinds.flatMap(([kind, index]) =>
  failures.map((failure, place) => [kind, failure, index * failures.length + place] as const),
);
/** A kind of write sends fewer commands. */
const MOST_COMMANDS = 60;

test.each(losses)(
  'no reader waits for %s of which a command is %s, and its event tells what was done',
  async (kind, failure, index) => {
    const { database, registry } = client.service;
    const write = writes[kind];
    for (const surrounding of ['alone', 'in a transaction that catches its error'] as const) {
      for (const command of someOf([...Array(scaled(8, MOST_COMMANDS)).keys()], index)) {
        const entries = await makeEntries();
        const start = (await reader().store.events.bounds()).last;
        const before = await stored();
        const failing = failingDatabase(database.db, failure);
        const process = openProcess(failing.db);
        await process.store.events.turnOn();
        failing.failAfter(command);
        const error = await execute(
          process,
          surrounding,
          (documents) => write?.(documents, entries, label()) ?? Promise.resolve(),
        ).catch((thrown: unknown) => thrown);
        const isLast = !failing.hasFailed();
        expect(await isNextWriteSeen()).toBe(true);
        await reader().store.sweep(true);
        await reader().store.events.recover(registry, 0);
        const told = await toldSince(start);
        const changed = await changedSince(before);
        // That a copy goes with a publication is told by the event of its entry.
        const untold = [...changed].filter((key) => !key.startsWith('copy::') && !told.has(key));
        const done = { command, surrounding, error };
        expect({ ...done, untold }).toEqual({ ...done, untold: [] });
        expect(await pending()).toBe(0);
        if (isLast) break;
      }
    }
  },
);

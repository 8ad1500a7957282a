import { BSON, type AnyBulkWriteOperation, type Db, type Document, type MongoClient, type ObjectId } from 'mongodb';
import { hiddenTypesOf, storedTypes } from '../../../src/content-types/model/stored-types.js';
import type { ContentType, Registry } from '../../../src/content-types/model/types.js';
import { createValidator } from '../../../src/documents/input/validate/validate.js';
import { system } from '../../../src/documents/caller.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { parseQuery } from '../../../src/query/parse/parse-query.js';
import type { Documents } from '../../../src/documents/documents.js';
import { createEntries, type Entries } from '../../../src/documents/entries.js';
import { presentList } from '../../../src/documents/read-operation.js';
import type { ResponseSerializer } from '../../../src/documents/response/respond.js';
import { createResponseCache, type ResponseCache } from '../../../src/documents/response/response-cache.js';
import { connectToUri } from '../../../src/mongo/connection/connect.js';
import { IdempotencyKeys } from '../../../src/mongo/coordination/idempotency-keys.js';
import { indexesOf } from '../../../src/mongo/indexes/indexes.js';
import { openStore, type Store } from '../../../src/mongo/store.js';
import { createI18n } from '../../../src/plugins/i18n/i18n.js';
import { createTestService } from '../../../src/testing.js';
import type { UniqueFields } from '../engine/footprint.js';
import type { Stored } from './view.js';
import { limits, seed } from './seed.js';
import type { BuiltInContext } from '../../../src/plugins/contract/built-in.js';
import { openDocuments } from '../../support/open-documents.js';

/** The total is remembered, as the page does not have all entries. */
export interface Listed {
  readonly total: number | undefined;
  readonly ids: readonly number[];
  /** The list out of the response cache. */
  readonly body: string;
}

/** The documents service of one process, without transports. */
export interface Instance {
  readonly store: Store;
  readonly documents: Documents;
  readonly entries: Entries;
  readonly keys: IdempotencyKeys;
  typeOf(name: string): ContentType;
  /** The first page of a list and its total, as a client gets it. */
  list(type: ContentType): Promise<Listed>;
  /** The types that were listed: of these the instance may remember something. */
  readonly listed: ReadonlySet<ContentType>;
}

/** A seeded database, which several instances use. */
export interface World {
  readonly db: Db;
  readonly registry: Registry;
  readonly unique: UniqueFields;
  /** The violations in documents that were checked before. */
  readonly checked: Map<string, readonly string[]>;
  /** A process that serves no requests. */
  readonly sweeper: Instance;
  /** A new process, with nothing cached; its events can be turned on if it records. */
  open(isRecording?: boolean): Instance;
  /** Reads the collections of entries, of which only these were written. */
  read(written: ReadonlySet<string>): Promise<Stored>;
  /** Restores the collections that were written, given the entries that are stored now, and closes the processes. */
  reset(written: ReadonlySet<string>, stored: Stored | undefined): Promise<void>;
  close(): Promise<void>;
}

/** Connections that are there from the beginning: to make one takes time, which would make executions differ. */
const CONNECTIONS = 24;

/** @param pause waits until others have done something */
export async function openWorld(pause: () => Promise<unknown>): Promise<World> {
  const service = await createTestService({
    contentTypes: 'tests/interleavings/content-types',
    mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
    plugins: {
      i18n: { config: { defaultLocale: 'en', locales: ['en', 'fr', 'de'] } },
      graphql: false,
      documentation: false,
    },
  });
  const { registry } = service;
  const uri = new URL(process.env['TEST_MONGODB_URI'] ?? '');
  uri.searchParams.set('minPoolSize', String(CONNECTIONS));
  const client = await connectToUri(uri.href);
  // No process is really killed: nothing has to wait for the journal.
  const options = { readPreference: 'primary', writeConcern: { w: 1, journal: false } } as const;
  const db = client.db(service.database.db.databaseName, options);
  await warm(client, db);
  const openInstance = await createOpener(db, registry, pause);
  const opened: Instance[] = [];
  const open: World['open'] = (isRecording) => {
    const instance = openInstance(isRecording);
    opened.push(instance);
    return instance;
  };
  await seed(open());
  const types = [...registry.contentTypes.values()];
  const collections = [
    ...storedTypes(registry).map(({ collectionName }) => collectionName),
    '_counters',
    '_events',
    '_idempotency_keys',
    '_transactions',
    '_undo',
    '_versions',
  ];
  const readAll = async (names: readonly string[]): Promise<Stored> => {
    const found = await Promise.all(names.map((name) => db.collection(name).find({}).sort({ _id: 1 }).toArray()));
    return new Map(names.map((name, index) => [name, found[index] ?? []]));
  };
  const initial = await readAll(collections);
  const ownTypes = types.filter(({ uid }) => uid.startsWith('api::') || uid === 'plugin::upload.file');
  return {
    db,
    registry: { ...registry, contentTypes: new Map(ownTypes.map((type) => [type.uid, type])) },
    unique: new Map(types.map((type) => [type.collectionName, uniqueFieldsOf(type)])),
    checked: new Map(),
    sweeper: openInstance(),
    open,
    read: async (written) => {
      const names = ownTypes.flatMap((type) => [type, ...hiddenTypesOf(type)]).map((type) => type.collectionName);
      const changed = await readAll(names.filter((name) => written.has(name)));
      return new Map(names.map((name) => [name, changed.get(name) ?? initial.get(name) ?? []]));
    },
    reset: async (written, stored) => {
      await Promise.all(
        [...written].map(async (name) => {
          // Whether a version is another one matters, not which.
          if (name === '_versions') return;
          const changes = changesBetween(stored?.get(name), initial.get(name) ?? []);
          if (changes.length > 0) await db.collection(name).bulkWrite([...changes], { ordered: false });
        }),
      );
      for (const { store } of opened.splice(0)) store.transactions.close();
    },
    close: async () => {
      await client.close();
      await service.close();
    },
  };
}

/** The writes that restore these documents; the stored ones may be unknown. */
function changesBetween(
  stored: readonly Document[] | undefined,
  documents: readonly Document[],
): readonly AnyBulkWriteOperation[] {
  const present = new Map(stored?.map((document) => [document['_id'], BSON.EJSON.stringify(document)]));
  const ids = documents.map(({ _id }) => _id as ObjectId);
  const isComplete = stored !== undefined && present.size === ids.length && ids.every((id) => present.has(id));
  const changed = documents.filter((document) => BSON.EJSON.stringify(document) !== present.get(document['_id']));
  const replacements = changed.map((document) => ({
    replaceOne: { filter: { _id: document['_id'] as ObjectId }, replacement: document, upsert: true },
  }));
  return isComplete ? replacements : [{ deleteMany: { filter: { _id: { $nin: ids } } } }, ...replacements];
}

const uniqueFieldsOf = (type: ContentType): readonly string[] =>
  indexesOf(type)
    .filter(({ unique }) => unique === true)
    .map(({ key }) => String(Object.keys(key)[0]).replace(/\..*/, ''));

async function warm(client: MongoClient, db: Db): Promise<void> {
  await client.connect();
  await Promise.all([...Array(CONNECTIONS).keys()].map(() => db.command({ ping: 1 })));
}

const idOf = (entry: unknown): number => (entry as { readonly id: number }).id;

const listSerializer: ResponseSerializer = {
  name: 'ids',
  present: (result) => {
    const { total, entries } = presentList(result);
    return describeList(total, entries.map(idOf));
  },
};

/** A list as text. */
export const describeList = (total: number | undefined, ids: readonly number[]): string => `${total}: ${ids.join(' ')}`;

/** The cache takes longer to make than most commands, and few instances list something. */
function createLazyCache(): ResponseCache {
  let cache: ResponseCache | undefined;
  return {
    get: (key, name, read) => {
      cache ??= createResponseCache(10_000);
      return cache.get(key, name, read);
    },
  };
}

/** Opens instances that differ from those of `createService` in having no transports: so thousands can be made. */
async function createOpener(db: Db, registry: Registry, pause: () => Promise<unknown>): Promise<World['open']> {
  const validator = createValidator(registry);
  const typeOf = (name: string): ContentType => {
    const type = registry.contentTypes.get(name.includes(':') ? name : `api::${name}.${name}`);
    if (type === undefined) throw new Error(`unknown content type "${name}"`);
    return type;
  };
  const open = (recordBefore: boolean, i18n?: ReturnType<typeof createI18n>): Instance => {
    const store = openStore(db, { timeout: 60_000, exclusive: false, recordBefore, pause });
    const documents = openDocuments(
      registry,
      store,
      {
        interceptors: [...(i18n?.parameters ?? []).flatMap(({ apply }) => apply ?? []), ...(i18n?.interceptors ?? [])],
        hooks: i18n?.hooks === undefined ? [] : [i18n.hooks],
        responseCache: createLazyCache(),
      },
      validator,
    );
    const listed = new Set<ContentType>();
    const list: Instance['list'] = async (type) => {
      const isFirst = !listed.has(type);
      listed.add(type);
      const query = parseQuery({ sort: 'id', pagination: { pageSize: 1 } }, type, 'internal', limits);
      const request = { action: 'find', query, caller: system, presenter: plainEntry } as const;
      const { total, entries } = await documents.read(request, presentList);
      const read = () => documents.respond(request, listSerializer);
      // A response is cached from its second request on.
      if (isFirst) await read();
      const { body } = await read();
      return { total, ids: entries.map(idOf), body: Buffer.from(body as string | Uint8Array).toString() };
    };
    const keys = new IdempotencyKeys(db, store.transactions);
    return { store, documents, entries: createEntries(documents, registry, limits), keys, typeOf, list, listed };
  };
  const started = createI18n({});
  const plain = open(false);
  // The hooks of localizations read their locales now, so that no instance has to do it.
  await started.start?.({
    registry,
    documents: plain.documents,
    entries: plain.entries,
    settings: { entryMeta: false },
  } as BuiltInContext);
  return (isRecording = false) => open(isRecording, started);
}

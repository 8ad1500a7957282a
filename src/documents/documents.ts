import type { Data } from '../config/record.js';
import type { ContentType } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import type { Explanation } from '../mongo/read/explain-read.js';
import type { KeyUse } from '../mongo/coordination/idempotency-keys.js';
import type { Page } from '../mongo/read/list/page.js';
import type { EntryPresenter } from '../query/entry-presenter.js';
import type { Filter, Query } from '../query/ast.js';
import type { Caller } from './caller.js';
import { createEventViewer, type ViewEvents } from './changes/view-events.js';
import { emptyQuery, type DocumentsContext, type EntryRequest } from './context.js';
import { announceOwn } from './events/announcement.js';
import type { Listeners, OwnAnnouncement } from './events/audiences.js';
import { eventNames } from './events/event-names.js';
import type { EventAction } from '../mongo/events/stored-events.js';
import type { ScheduledEntry, StoredSchedule } from '../mongo/events/schedules.js';
import type { Schedule } from '../query/parse/parse-schedule.js';
import { deleteByKey, writeByKey, type KeyedEntry, type WriteMode, type Written } from './write/conditional/by-key.js';
import type { Operation } from './write/batch/operation.js';
import { runBatch } from './write/batch/run-batch.js';
import { createEntry, type CreateOptions } from './write/create.js';
import { deleteEntry } from './write/delete.js';
import { deleteEntries, type RequestOf } from './write/many/delete-many.js';
import { dryRunOf } from './write/conditional/dry-run.js';
import { entryQuery, keyQuery } from './entry-query.js';
import { hidesDrafts } from './hide-drafts.js';
import { hideEntries, limitOf, visibleTo } from './hide-entries.js';
import { joinHooks, type DocumentHooks } from './hooks.js';
import { chain, imposePublicationState, type Action, type Interceptor, type QueryAction } from './interceptors.js';
import { assertVisible, findSingleId, first, firstOf, requestedQuery } from './read.js';
import { rememberRewritten } from './response/remember-rewritten.js';
import { createResponder, type Respond } from './response/responder.js';
import type { ResponseCache, ResponseSerializer, SerializedResponse } from './response/response-cache.js';
import type { ReadContext } from './request-context.js';
import { keepWithinRights } from './rights.js';
import { findSchedule, findSchedules, runSchedule, setSchedule, type Outcome } from './write/schedule.js';
import type { Validation } from './input/parse-data.js';
import { checkData, validateData } from './write/validate-data.js';
import { updateEntries } from './write/many/update-many.js';
import { updateEntry, type UpdateOptions } from './write/update.js';
import { updateSingle } from './write/update-single.js';
import type { CheckVersion } from './write/conditional/while-unchanged.js';

/** The documents service: the operations on entries, independent of the transport. */
export interface Documents {
  find(query: Query, request: ReadContext, presenter: EntryPresenter): Promise<Page>;
  /** The same reads for a transport that makes one response of several; rights are applied, nothing is read yet. */
  readonly prepare: {
    find(query: Query, request: ReadContext, presenter: EntryPresenter): PreparedRead<Page>;
    /** The query without the id. @throws AppError notFound when it is read */
    findOne(query: Query, id: number, request: ReadContext, presenter: EntryPresenter): PreparedRead<unknown>;
    /** @throws AppError notFound when it is read */
    findSingle(query: Query, request: ReadContext, presenter: EntryPresenter): PreparedRead<unknown>;
    /** See `findByKey`. @throws AppError notFound when it is read */
    findByKey(query: Query, request: ReadContext, presenter: EntryPresenter): PreparedRead<unknown>;
  };
  /** Undefined if there is no response cache. */
  readonly respond?: Respond | undefined;
  /** A list as serialized by a transport, from the response cache if there is one. */
  findSerialized(query: Query, request: ReadContext, serializer: ResponseSerializer): Promise<SerializedResponse>;
  /** @throws AppError notFound */
  findOne(type: ContentType, id: number, request: EntryRequest): Promise<unknown>;
  /** The same of a query without the id, as a transport serializes it, out of the response cache if there is one. */
  findOneSerialized(
    query: Query,
    id: number,
    request: ReadContext,
    serializer: ResponseSerializer,
  ): Promise<SerializedResponse>;
  /** The entry of a single type. @throws AppError notFound */
  findSingle(query: Query, request: ReadContext, presenter: EntryPresenter): Promise<unknown>;
  /** The same as a transport serializes it, out of the response cache if there is one. */
  findSingleSerialized(query: Query, request: ReadContext, serializer: ResponseSerializer): Promise<SerializedResponse>;
  /** The first entry of a query, which has a key in its filter: live and in the default locale as in a list. @throws AppError notFound */
  findByKey(query: Query, request: ReadContext, presenter: EntryPresenter): Promise<unknown>;
  /** The same as a transport serializes it, out of the response cache if there is one. */
  findByKeySerialized(query: Query, request: ReadContext, serializer: ResponseSerializer): Promise<SerializedResponse>;
  /** How the database answers a list, or the read of one entry by an action that takes a query. */
  explain(query: Query, request: ReadContext, presenter: EntryPresenter, action: QueryAction): Promise<Explanation>;
  /** How the database executes the read of one entry. */
  explainOne(query: Query, id: number, request: ReadContext, presenter: EntryPresenter): Promise<Explanation>;
  count(type: ContentType, filter: Filter | undefined): Promise<number>;
  /** The entries of events on a type, as a query on the type shows them. */
  viewEvents: ViewEvents;
  /** Are the drafts of this content type hidden from the caller? */
  hidesDrafts(type: ContentType, caller: Caller): boolean;
  /** Checks that the caller can find the entry by an action, default `findOne`. @throws AppError notFound */
  requireVisible(type: ContentType, id: number, caller: Caller, action?: Action): Promise<void>;
  /** Returns the new entry. @throws AppError validation, invalidValue, missingRelations */
  create(type: ContentType, data: unknown, request: EntryRequest, options?: CreateOptions): Promise<unknown>;
  /**
   * The data of a new entry, or of a change of the one with this id, checked and cast, with defaults and hashed passwords: as writes with
   * `raw` take it.
   * @throws AppError notFound, validation, invalidValue, missingRelations
   */
  validate(type: ContentType, id: number | undefined, data: unknown): Promise<Data>;
  /** Data that the service does not write, validated and cast, with passwords as they are. @throws AppError validation, invalidValue */
  check(type: ContentType, data: Data, validation: Validation): Promise<Data>;
  /** Changes the attributes in the data and returns the entry. @throws AppError as `create`, notFound, preconditionFailed */
  update(
    type: ContentType,
    id: number,
    data: unknown,
    request: EntryRequest,
    options?: UpdateOptions,
  ): Promise<unknown>;
  /** Changes all entries that match a filter, without validation, and returns their number. @throws AppError validation, invalidValue */
  updateMany(type: ContentType, filter: Filter | undefined, data: Data, request: EntryRequest): Promise<number>;
  /** Deletes all entries that match a filter, and returns their number; see `deleteEntries`. @throws AppError the refusal of a hook */
  deleteMany(
    type: ContentType,
    filter: Filter | undefined,
    request: EntryRequest,
    requestOf?: RequestOf,
  ): Promise<number>;
  /** Changes the entry of a single type, or creates it where nothing is appended. @throws AppError notFound */
  updateSingle(
    type: ContentType,
    data: unknown,
    request: EntryRequest,
    options?: CreateOptions & UpdateOptions,
  ): Promise<unknown>;
  /** When the entry is to be published and unpublished. @throws AppError notFound, badRequest, forbidden */
  findSchedule(type: ContentType, id: number, caller: Caller): Promise<StoredSchedule | undefined>;
  /** The same for several entries, without those that have no schedule or that the caller may not change. @throws AppError badRequest, forbidden */
  findSchedules(type: ContentType, ids: readonly number[], caller: Caller): Promise<readonly ScheduledEntry[]>;
  /** Replaces that; undefined: never. @throws AppError notFound, badRequest, forbidden, validation */
  setSchedule(type: ContentType, id: number, schedule: Schedule | undefined, caller: Caller): Promise<void>;
  /** Executes the due actions in the schedule of an entry, once for all processes. @throws AppError unavailable */
  runSchedule(type: ContentType, entry: ScheduledEntry, now: Date): Promise<Outcome>;
  /** See `runBatch`. @throws AppError that names the operation */
  batch(operations: readonly Operation[], key?: KeyUse): Promise<readonly unknown[]>;
  /** See `writeByKey`. @throws AppError notFound, validation, invalidValue, missingRelations, preconditionFailed, conflict */
  writeByKey(
    entry: KeyedEntry,
    data: unknown,
    request: EntryRequest,
    mode: WriteMode,
    check?: CheckVersion,
  ): Promise<Written>;
  /** Deletes the entry with a key, and returns it as it was. @throws AppError notFound, preconditionFailed */
  deleteByKey(entry: KeyedEntry, request: EntryRequest, check?: CheckVersion): Promise<unknown>;
  /** Returns the entry as it was. @throws AppError notFound, preconditionFailed */
  delete(type: ContentType, id: number, request: EntryRequest, check?: CheckVersion): Promise<unknown>;
  /** The event for a write with the option `event`: the caller creates its content and completes it; undefined if it is not recorded. */
  announce(type: ContentType, action: EventAction, names?: readonly string[]): OwnAnnouncement | undefined;
  /** A draft is not found, as in Strapi v4. @throws AppError notFound, preconditionFailed */
  deleteSingle(type: ContentType, request: EntryRequest, check?: CheckVersion): Promise<unknown>;
}

/** A read that is not executed yet. */
export interface PreparedRead<T> {
  /** What determines the result, with the versions of the types in it; undefined if the result must not be cached. */
  readonly query: Query | undefined;
  readonly read: () => Promise<ReadResult<T>>;
}

interface ReadResult<T> {
  readonly value: T;
  /** See `Page`. */
  readonly ids: Page['ids'];
}

const noListeners: Listeners = { wants: () => false, emit: () => undefined };

/** The additions of plugins and projects to the service. */
export interface Additions {
  /** Undefined: every list is read. */
  readonly responseCache?: ResponseCache | undefined;
  /** Drafts require the permission `<uid>.find.drafts`. Default: everyone who may read sees them, as in Strapi v4. */
  readonly restrictDrafts?: boolean;
  readonly interceptors?: readonly Interceptor[];
  readonly hooks?: readonly DocumentHooks[];
  /** Code in this process that is notified of writes. Default: none. */
  readonly listeners?: Listeners;
  /** Publishing over the API has another event in addition to `entry.update`. Default: false, as in Strapi v4. */
  readonly publicationEvents?: boolean;
}

/** The documents service on a store. Permissions apply first, then the publication state, then plugins; hidden entries are always excluded. */
export function createDocuments(
  parts: Pick<DocumentsContext, 'registry' | 'store' | 'validator' | 'passwords' | 'relationLimit'>,
  { interceptors = [], hooks = [], restrictDrafts = false, responseCache, ...events }: Additions = {},
): Documents {
  const intercept = chain([keepWithinRights, imposePublicationState, ...interceptors, hideEntries(restrictDrafts)]);
  const rewrite = rememberRewritten(intercept);
  const { store } = parts;
  const { listeners = noListeners, publicationEvents = false } = events;
  const audiences = { log: store.events, listeners, publication: publicationEvents };
  const context: DocumentsContext = {
    ...parts,
    intercept,
    visibleTo: (caller) => visibleTo(caller, restrictDrafts),
    limitOf: (type, action, caller) => limitOf(type, action, caller, restrictDrafts),
    hooks: joinHooks(hooks),
    audiences,
  };
  const remembered = { intercept: rewrite, limitOf: context.limitOf };
  const dryRun = dryRunOf(context);
  /** @throws AppError badRequest for a dry run through code of the project, which might write */
  const contextOf = (type: ContentType, request: EntryRequest): DocumentsContext => {
    if (request.dryRun !== true) return context;
    if (!context.hooks.runsCode(type)) return dryRun;
    throw new AppError('badRequest', `dryRun is not supported here: lifecycles of the project run for ${type.uid}`);
  };
  const { respond, readSerialized } = createResponder(store, responseCache);
  const queryOf =
    (action: QueryAction) =>
    (query: Query, { caller, previewed = false }: ReadContext, presenter: EntryPresenter): Query =>
      intercept(query, { action, caller, presenter, previewed });
  const listQuery = queryOf('find');
  const singleQuery = queryOf('findSingle');
  const prepareFirst = (list: Query, request: ReadContext, presenter: EntryPresenter): PreparedRead<unknown> => {
    const query = first(list);
    const read = async () => {
      const { entries, ids } = await store.find(query, request);
      return { value: firstOf(entries)(presenter), ids };
    };
    return { query: request.previewed === true ? undefined : query, read };
  };
  const readPage = async (query: Query, request: ReadContext, presenter: EntryPresenter): Promise<Page> => {
    const page = await store.find(query, request);
    return { ...page, entries: page.entries.map((entry) => entry(presenter)) };
  };
  const valueOf = async <T>({ read }: PreparedRead<T>): Promise<T> => (await read()).value;
  const prepare: Documents['prepare'] = {
    find: (requested, request, presenter) => {
      const query = rewrite(requested, { action: 'find', caller: request.caller, presenter });
      const read = async () => {
        const value = await readPage(query, request, presenter);
        return { value, ids: value.ids };
      };
      return { query, read };
    },
    findOne: (query, id, request, presenter) =>
      prepareFirst(entryQuery(context, query, id, request, presenter), request, presenter),
    findSingle: (query, request, presenter) => prepareFirst(singleQuery(query, request, presenter), request, presenter),
    findByKey: (query, request, presenter) =>
      prepareFirst(keyQuery(context, query, request, presenter), request, presenter),
  };
  return {
    prepare,
    respond,
    viewEvents: createEventViewer(context),
    announce: (type, action, names = eventNames(type, action)) => announceOwn(audiences, { type, action, names }),
    find: async (query, request, presenter) => readPage(listQuery(query, request, presenter), request, presenter),
    findSerialized: (query, request, serializer) => {
      const rewritten = rewrite(query, { action: 'find', caller: request.caller, presenter: serializer.presenter });
      return readSerialized(rewritten, request, serializer);
    },
    findOne: (type, id, request) =>
      valueOf(prepare.findOne(requestedQuery(type, request), id, request, request.presenter)),
    findOneSerialized: (query, id, request, serializer) => {
      const { presenter } = serializer;
      if (request.previewed === true || query.fallbackLocale !== undefined)
        return readSerialized(first(entryQuery(context, query, id, request, presenter)), request, serializer);
      const rewritten = rewrite(query, { action: 'findOne', caller: request.caller, presenter });
      return readSerialized(rewritten, request, serializer, id);
    },
    findSingle: (query, request, presenter) => valueOf(prepare.findSingle(query, request, presenter)),
    findSingleSerialized: (query, request, serializer) =>
      readSerialized(first(singleQuery(query, request, serializer.presenter)), request, serializer),
    findByKey: (query, request, presenter) => valueOf(prepare.findByKey(query, request, presenter)),
    findByKeySerialized: (query, request, serializer) =>
      readSerialized(keyQuery(remembered, query, request, serializer.presenter), request, serializer),
    explain: (query, request, presenter, action) => {
      if (action === 'findByKey') return store.explain(first(keyQuery(context, query, request, presenter)));
      const intercepted = queryOf(action)(query, request, presenter);
      return store.explain(action === 'find' ? intercepted : first(intercepted));
    },
    explainOne: async (query, id, request, presenter) =>
      store.explain(first(entryQuery(context, query, id, request, presenter))),
    count: (type, filter) => store.count(type, filter),
    hidesDrafts: (type, caller) => restrictDrafts && hidesDrafts(type, caller),
    requireVisible: (type, id, caller, action = 'findOne') =>
      assertVisible(context, intercept(emptyQuery(type), { action, caller }), id),
    create: async (type, data, request, options) => createEntry(contextOf(type, request), type, data, request, options),
    validate: (type, id, data) => validateData(context, type, id, data),
    check: (type, data, validation) => checkData(context, type, data, validation),
    update: async (type, id, data, request, options) =>
      updateEntry(contextOf(type, request), type, id, data, request, options),
    updateMany: (type, filter, data, request) => updateEntries(context, type, filter, data, request),
    deleteMany: (type, filter, request, requestOf) => deleteEntries(context, type, filter, request, requestOf),
    updateSingle: async (type, data, request, options) =>
      updateSingle(contextOf(type, request), type, data, request, options),
    findSchedule: (type, id, caller) => findSchedule(context, type, id, caller),
    findSchedules: (type, ids, caller) => findSchedules(context, type, ids, caller),
    setSchedule: (type, id, schedule, caller) => setSchedule(context, type, id, schedule, caller),
    runSchedule: (type, entry, now) => runSchedule(context, type, entry, now),
    writeByKey: async (entry, data, request, mode, check) =>
      writeByKey(contextOf(entry.type, request), entry, data, request, mode, check),
    batch: (operations, key) => runBatch(contextOf, operations, key),
    deleteByKey: async (entry, request, check) => deleteByKey(contextOf(entry.type, request), entry, request, check),
    delete: async (type, id, request, check) => deleteEntry(contextOf(type, request), type, id, request, { check }),
    deleteSingle: async (type, request, check) => {
      const id = await findSingleId(context, type, 'live', request);
      if (id === undefined) throw new AppError('notFound');
      return deleteEntry(contextOf(type, request), type, id, request, { check });
    },
  };
}

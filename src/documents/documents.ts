import type { Data } from '../config/record.js';
import type { ContentType } from '../content-types/model/types.js';
import { both, idIn, type Filter } from '../query/ast.js';
import type { EventAction } from '../mongo/events/stored-events.js';
import type { Caller } from './caller.js';
import { createEventViewer } from './changes/view-events.js';
import type { DocumentsContext, EntryRequest } from './context.js';
import { noListeners, type Listeners } from './events/audiences.js';
import { findStates } from './entry-states.js';
import { withOwnEvents } from './events/announcement.js';
import type { OwnAnnouncement } from './events/audiences.js';
import { findChanges, findDrafts, findWriters } from './find-writers.js';
import { openEntryUses } from './entry-uses.js';
import { hidesDrafts } from './hide-drafts.js';
import { joinHooks, type DocumentHooks, type ProjectHooks } from './hooks.js';
import { identify, type Asker } from './identify.js';
import { validateData } from './input/parse-data.js';
import { openDataCount } from './input/data-bounds.js';
import { chain, imposePublicationState, type Action, type Interceptor, rememberRewritten } from './interceptors.js';
import {
  entryRead,
  presentEntry,
  read,
  readAfterWrite,
  uncached,
  type Present,
  type ReadRequest,
} from './read-operation.js';
import { findIds, requireVisible } from './read.js';
import type { RequestContext } from './request-context.js';
import {
  readTagged,
  respond,
  respondTogether,
  type CombinedResponse,
  type ResponseSerializer,
} from './response/respond.js';
import type { ResponseCache } from './response/response-cache.js';
import { hideEntries, limitOf, visibleTo, keepWithinRights } from './rights.js';
import { haveCopies, showLatest } from './show-latest.js';
import { appendEntries } from './write/append.js';
import type { Operation } from './write/batch/turns.js';
import { assertBatchBounded, runBatch } from './write/batch/run-batch.js';
import { dryRunOf, refuseCode } from './write/conditional/dry-run.js';
import type { CheckVersion } from './write/conditional/while-unchanged.js';
import { createEntry, type CreateOptions } from './write/create.js';
import { findPublications, openEntryReviews } from './write/review.js';
import { openEntrySchedules } from './write/schedule.js';
import { isInTrash, openTrash } from './trash.js';
import { deleteTarget, updateTarget, type Target, type TargetOptions } from './write/target.js';
import { deleteEntries, updateEntries, type RequestOf } from './write/write-many.js';

/** The additions of plugins and projects to the service. */
export interface Additions {
  /** Undefined: every list is read. */
  readonly responseCache?: ResponseCache | undefined;
  /** See `DocumentsContext`. */
  readonly cacheTags?: DocumentsContext['cacheTags'];
  /** See `DocumentsContext`. Default: that of the configuration. */
  readonly quickRead?: number;
  /** Drafts require the permission `<uid>.find.drafts`. Default: everyone who may read sees them, as in Strapi v4. */
  readonly restrictDrafts?: boolean;
  readonly interceptors?: readonly Interceptor[];
  /** Those of plugins. */
  readonly hooks?: readonly DocumentHooks[];
  readonly projectHooks?: readonly ProjectHooks[];
  /** Code in this process that is notified of writes. Default: none. */
  readonly listeners?: Listeners;
  /** See `DocumentsContext`. Default: there are no accounts. */
  readonly callerOf?: DocumentsContext['callerOf'];
  /** Publishing over the API has another event in addition to `entry.update`. Default: false, as in Strapi v4. */
  readonly publicationEvents?: boolean;
}

/**
 * The documents service on a store. Permissions apply first, then the publication state, then plugins; hidden entries
 * are always excluded.
 */
export function createDocuments(
  parts: Pick<DocumentsContext, 'registry' | 'store' | 'validator' | 'passwords' | 'dataBounds'>,
  {
    interceptors = [],
    hooks = [],
    projectHooks = [],
    restrictDrafts = false,
    responseCache,
    cacheTags,
    callerOf = () => Promise.resolve(undefined),
    quickRead = 100,
    ...events
  }: Additions = {},
) {
  const { listeners = noListeners, publicationEvents = false } = events;
  const context: DocumentsContext = {
    ...parts,
    intercept: rememberRewritten(
      chain([
        keepWithinRights,
        imposePublicationState,
        ...interceptors,
        hideEntries(restrictDrafts),
        ...(haveCopies(parts.registry.contentTypes.values()) ? [showLatest] : []),
      ]),
    ),
    visibleTo: (caller) => visibleTo(caller, restrictDrafts),
    limitOf: (type, action, caller) => limitOf(type, action, caller, restrictDrafts),
    hooks: joinHooks(hooks, projectHooks),
    callerOf,
    audiences: { log: parts.store.events, listeners, publication: publicationEvents },
    responseCache,
    cacheTags,
    quickRead,
  };
  const dryRun = dryRunOf(context);
  const contextOf = (type: ContentType, request: EntryRequest): DocumentsContext => {
    refuseCode(context, type, request);
    return request.dryRun === true ? dryRun : context;
  };
  const boundedContextOf = (type: ContentType, request: EntryRequest, data: unknown): DocumentsContext => {
    if (request.unlimited !== true) openDataCount(parts.dataBounds).add(type, data);
    return contextOf(type, request);
  };
  return {
    /** Reads a list, or one entry. @throws AppError invalidParameter, notFound, tooCostly, unavailable, outOfTime */
    read: <R>(request: ReadRequest, present: Present<R>) => read(context, request, present, uncached()),
    /** Reads the entry with an id. @throws AppError as `read` */
    readEntry: (type: ContentType, id: number, request: EntryRequest, present: Present<unknown> = presentEntry) =>
      read(context, entryRead(type, id, request), present, uncached()),
    /** See `readAfterWrite`. @throws AppError as `read` */
    readAfterWrite: (type: ContentType, request: EntryRequest) => readAfterWrite(context, type, request),
    /** A read whose result becomes a response of its own, with the tags of that. @throws AppError as `read` */
    readTagged: <R>(request: ReadRequest, present: Present<R>) => readTagged(context, request, present),
    /** A read as a transport serializes it, out of the response cache if there is one. @throws AppError as `read` */
    respond: (request: ReadRequest, serializer: ResponseSerializer) => respond(context, request, serializer),
    /**
     * One response to several reads, out of the response cache; undefined if there is none.
     * @throws AppError as `read`
     */
    respondTogether:
      responseCache &&
      ((caller: Caller, requests: readonly ReadRequest[], response: CombinedResponse) =>
        respondTogether(context, responseCache, caller, requests, response)),
    count: (type: ContentType, filter: Filter | undefined) => context.store.count(type, filter),
    /** Whether the drafts of this content type are hidden from the caller. */
    hidesDrafts: (type: ContentType, caller: Caller) => restrictDrafts && hidesDrafts(type, caller),
    /** Checks that the caller can find the entry by an action, default `findOne`. @throws AppError notFound */
    requireVisible: async (type: ContentType, id: number, caller: Caller, action: Action = 'findOne') =>
      requireVisible(context, type, id, caller, action),
    /** Those of the entries with these ids that exist for the caller, where others are related to them. */
    visibleIds: (type: ContentType, ids: readonly number[], caller: Caller) =>
      findIds(context, type, both(context.visibleTo(caller)?.(type), idIn(ids))),
    /** Returns the new entry. @throws AppError validation, invalidValue, missingRelations */
    create: async (type: ContentType, data: unknown, request: EntryRequest, options?: CreateOptions) =>
      createEntry(boundedContextOf(type, request, data), type, data, request, options),
    /**
     * Changes the attributes in the data. The entry of a single type is created if it does not exist and nothing is
     * appended; an entry with a key as the mode says.
     * @throws AppError as `create`, notFound, preconditionFailed, conflict
     */
    update: async (target: Target, data: unknown, request: EntryRequest, options?: TargetOptions) =>
      updateTarget(boundedContextOf(target.type, request, data), target, data, request, options),
    /**
     * Deletes an entry, of a single type only if it is no draft (corpus: 49-homepage/10-locales). Returns it as it was.
     * @throws AppError notFound, preconditionFailed
     */
    delete: async (target: Target, request: EntryRequest, check?: CheckVersion) =>
      deleteTarget(contextOf(target.type, request), target, request, check),
    /** See `identify`. */
    identify: (type: ContentType, documentIds: readonly string[] | undefined, asker?: Asker) =>
      identify(context, type, documentIds, asker),
    /** See `appendEntries`. @throws AppError unavailable */
    append: async (type: ContentType, rows: readonly Data[]) => appendEntries(context, type, rows),
    /**
     * Changes all entries that match a filter, without validation, and returns their number.
     * @throws AppError validation, invalidValue
     */
    updateMany: (type: ContentType, filter: Filter | undefined, data: Data, request: EntryRequest) =>
      updateEntries(context, type, filter, data, request),
    /**
     * Deletes all entries that match a filter, and returns their number; see `deleteEntries`.
     * @throws AppError the refusal of a hook
     */
    deleteMany: (type: ContentType, filter: Filter | undefined, request: EntryRequest, requestOf?: RequestOf) =>
      deleteEntries(context, type, filter, request, requestOf),
    /** See `runBatch`. @throws AppError that names the operation */
    batch: async (operations: readonly Operation[]) => {
      assertBatchBounded(parts.dataBounds, operations);
      return runBatch(context, operations);
    },
    /**
     * Counts the data of a request that is written by several calls, or from which something is made before it is
     * written.
     */
    openCount: () => openDataCount(parts.dataBounds),
    /** See `validateData`. @throws AppError notFound, validation, invalidValue, missingRelations */
    validate: async (type: ContentType, data: unknown, validation: Parameters<typeof validateData>[3]) => {
      if ('client' in validation) openDataCount(parts.dataBounds).add(type, data);
      return validateData(context, type, data, validation);
    },
    /** See `findStates`. */
    statesOf: (type: ContentType, id: number, action: 'update' | 'delete', caller: Caller) =>
      findStates(context, type, id, action, caller),
    /** See `findWriters`. @throws AppError forbidden, notFound */
    writersOf: (type: ContentType, id: number, caller: Caller) => findWriters(context, type, id, caller),
    /** See `findDrafts`. */
    draftsOf: (type: ContentType, request: RequestContext, limit: number) => findDrafts(context, type, request, limit),
    /** See `findChanges`. */
    changesOf: (type: ContentType, request: RequestContext, limit: number) =>
      findChanges(context, type, request, limit),
    schedules: openEntrySchedules(context),
    reviews: openEntryReviews(context),
    /** See `findPublications`. */
    publicationsOf: (type: ContentType, caller: Caller, bounds: Parameters<typeof findPublications>[3]) =>
      findPublications(context, type, caller, bounds),
    uses: openEntryUses(context),
    /** The deleted entries of types with a trash. */
    trash: openTrash(context, restrictDrafts),
    /** See `isInTrash`. */
    isInTrash: (type: ContentType, id: number) => isInTrash(context, type, id),
    events: {
      /** The entries of events on a type, as a query on the type shows them. */
      view: createEventViewer(context),
      /** See `withOwnEvents`. */
      withOwn: <R>(
        type: ContentType,
        action: EventAction,
        names: readonly string[],
        work: (open: () => OwnAnnouncement | undefined) => Promise<R>,
      ) => withOwnEvents(context, type, action, names, work),
    },
  };
}

/** The documents service: the operations on entries, independent of the transport. */
export type Documents = ReturnType<typeof createDocuments>;

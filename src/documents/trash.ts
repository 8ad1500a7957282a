import lodash from 'lodash';
import { groupBy } from '../config/group-by.js';
import type { Data } from '../config/record.js';
import type { ContentType, ScalarAttribute } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import { duplicateOf } from '../mongo/errors.js';
import { DELETED_AT, DELETED_BY } from '../mongo/stored/trash.js';
import type { LinkOfOther, RestoredEntry } from '../mongo/write/restore-from-trash.js';
import type { Removal } from '../mongo/write/write-many.js';
import { both, idIn, idIs, NO_LIMIT, type Filter } from '../query/ast.js';
import { plainEntry } from '../query/entry-presenter.js';
import { emptyQuery, type DocumentsContext, type EntryRequest } from './context.js';
import { announced } from './events/announced.js';
import { announce } from './events/announcement.js';
import { hidesDrafts } from './hide-drafts.js';
import type { Caller } from './caller.js';
import { findEntry, findIds, idOf } from './read.js';
import { isReadable } from '../query/visibility.js';
import { permittedQuery, type Present, type ReadRequest } from './read-operation.js';
import { withheldFrom } from './rights.js';
import { afterCommit, finishWrite } from './write/finish-write.js';
import { mayAskOfDeleted } from './write/rights-of-asks.js';
import { identityOf, receiptOf } from './write/sign-write.js';
import { attributeOf, taken } from './write/taken-values.js';
import type { AskOfDeleted } from './write/transitions.js';

/** When an entry was deleted, and the name of the user who did it; null: it was no user, or one who is gone. */
export interface DeletionOfEntry {
  readonly at: string;
  readonly by: string | null;
}

/** The values of a deleted entry. */
type DeletedEntry = { readonly id: number } & Data;

/** A link that a restored entry does not have again, see `RestoredEntry`. */
interface LostLink {
  /** The uid of the type of the other entry. */
  readonly type: string;
  readonly id: number;
  readonly path: string;
}

/** What came back with an entry, as far as its caller may read the other entries and their attributes. */
export interface Restored {
  /** How many links of others it has again. */
  readonly links: number;
  readonly lost: readonly LostLink[];
  /** How many more are lost, of entries that the caller may not see; absent: none. */
  readonly hidden?: number;
  /** How many links of others were not kept. */
  readonly unkept: number;
}

/** They are no attributes, so queries of clients cannot name them. */
const fieldOf = (name: string, type: 'datetime' | 'integer'): ScalarAttribute =>
  ({ kind: 'scalar', name, type, unique: false, searchable: false }) as ScalarAttribute;
const [deletedAt, deletedBy] = [fieldOf(DELETED_AT, 'datetime'), fieldOf(DELETED_BY, 'integer')];

const MILLISECONDS_PER_DAY = 86_400_000;
/** Entries that are removed for good together. */
const BATCH = 1000;

/** Whether an entry that is not there can be restored. */
export const isInTrash = async (context: DocumentsContext, type: ContentType, id: number): Promise<boolean> =>
  type.trash !== undefined && (await findIds(context, type.trash.type, idIs(id))).length > 0;

/** The deleted entries of types with a trash: read, restored, and removed for good. */
export const openTrash = (context: DocumentsContext, restrictDrafts: boolean) => ({
  /**
   * Reads deleted entries as a list would have them, for callers who may delete them; by default those first that were
   * deleted last.
   * @throws AppError as `read`, forbidden, notFound
   */
  read: async <R>(request: ReadRequest, present: Present<R>): Promise<R> => {
    const { query: requested, caller, presenter, signal, bytesRead } = request;
    if (requested.modified === true) throw new AppError('invalidParameter', 'modified');
    const only = deletedFor(context, requested.type, 'show', caller);
    const query = { ...requested, publicationState: 'preview' as const };
    const permitted = permittedQuery(context, { ...request, query }).query;
    const sort =
      query.sort.length > 0 ? permitted.sort : [{ through: [], field: deletedAt, direction: 'descending' as const }];
    const shown = lodash.omit(permitted, 'latest');
    const wanted = { ...shown, type: trashOf(requested.type), filter: both(permitted.filter, only), sort };
    const page = await context.store.find(wanted, { signal, bytesRead });
    return present({ query: requested, presenter, page });
  },
  /** When and by whom these entries were deleted, by their ids. */
  deletions: async (type: ContentType, ids: readonly number[]): Promise<ReadonlyMap<number, DeletionOfEntry>> => {
    const pagination = { form: 'offset', start: 0, limit: Math.max(1, ids.length), withCount: false } as const;
    const fields = [deletedAt, deletedBy];
    const { entries } = await context.store.find({
      ...emptyQuery(trashOf(type)),
      fields,
      filter: idIn(ids),
      pagination,
    });
    const deletions = entries.map((entry) => {
      const { [DELETED_AT]: at, [DELETED_BY]: by } = entry(plainEntry) as Readonly<Record<string, unknown>>;
      return { id: idOf(entry), at: at as string, by: by as number | null };
    });
    const names = await namesOfUsers(
      context,
      deletions.map(({ by }) => by),
    );
    return new Map(deletions.map(({ id, at, by }) => [id, { at, by: names.get(by) ?? null }]));
  },
  /**
   * Puts a deleted entry back; of a type with drafts as a draft. Hooks and events are those of a new entry. The result
   * names what the caller may read.
   * @throws AppError notFound, forbidden, conflict; validation for a unique value that another entry has
   */
  restore: async (type: ContentType, id: number, request: EntryRequest): Promise<Restored> => {
    const { store, hooks, audiences } = context;
    const { caller } = request;
    const seesResult = !restrictDrafts || !hidesDrafts(type, caller);
    if (!seesResult) throw new AppError('forbidden');
    await requireDeleted(context, type, id, 'restore', caller);
    const at = new Date();
    const identity = identityOf(request);
    const receipt = receiptOf(context, type, request, { ...identity, action: 'restore' });
    const restoration = { at, by: caller.user, receipt, ...(await documentIdsOf(context, type, id)) };
    const written = { ...identity, action: 'create', type, id } as const;
    const { restored } = await announced(store, [announce(audiences, store, type, 'create', request)], {
      record: (event) => event.record(id, at),
      write: async () => {
        const found = await store.restore(context.registry.contentTypes, { type, id }, restoration);
        if (found === undefined) throw new AppError('notFound');
        return found;
      },
      explain: explained,
      finish: async (found) => {
        const entry = await finishWrite({ store, hooks }, { written }, () => findEntry(context, emptyQuery(type), id));
        return { restored: found, entry };
      },
      entryOf: ({ entry }) => entry,
    });
    return shownTo(context, restored, caller);
  },
  /** Removes a deleted entry for good. @throws AppError notFound, forbidden */
  remove: async (type: ContentType, id: number, caller: Caller): Promise<void> => {
    await requireDeleted(context, type, id, 'remove', caller);
    const receipt = receiptOf(context, type, { caller }, { ...identityOf({ caller }), action: 'purge' });
    // It may have been restored in the meantime.
    if ((await purge(context, type, [{ id, references: [], receipt }], undefined)) === 0)
      throw new AppError('notFound');
  },
  /** Removes what has been in the trash for longer than its type says; returns the number of entries. */
  sweep: async (type: ContentType, now: Date): Promise<number> => {
    if (type.trash === undefined) return 0;
    const before = new Date(now.getTime() - type.trash.days * MILLISECONDS_PER_DAY);
    const isOld: Filter = { kind: 'comparison', field: deletedAt, operator: '$lt', operands: [before] };
    const pagination = { form: 'offset', start: 0, limit: BATCH, withCount: false } as const;
    const { entries } = await context.store.find({ ...emptyQuery(type.trash.type), filter: isOld, pagination });
    const removals = entries.map((entry) => ({ id: idOf(entry), references: [] }));
    return removals.length === 0 ? 0 : purge(context, type, removals, isOld);
  },
  /** The deleted entries that match, in no order, whoever asks; none of a type without a trash. */
  find: async (type: ContentType, filter: Filter): Promise<readonly DeletedEntry[]> => {
    if (type.trash === undefined) return [];
    const fields = [...type.attributes.values()].filter((attribute) => attribute.kind === 'scalar');
    const pagination = { form: 'offset', start: 0, limit: NO_LIMIT, withCount: false } as const;
    const { entries } = await context.store.find({ ...emptyQuery(type.trash.type), fields, filter, pagination });
    return entries.map((entry) => entry(plainEntry) as DeletedEntry);
  },
});

/** Removes deleted entries for good, as far as they match when they are locked; returns the number of them. */
async function purge(
  { store, hooks }: DocumentsContext,
  type: ContentType,
  removals: readonly Removal[],
  matching: Filter | undefined,
): Promise<number> {
  const afterPurge = await hooks.beforePurge({ type, ids: removals.map(({ id }) => id) });
  const { count, removed } = await store.removeMany(trashOf(type), removals, matching);
  await afterCommit({ transactions: store.transactions }, () => afterPurge(removed));
  return count;
}

/** See `Restoration`. No entry founds a group with the second one. */
const documentIdsOf = async ({ store }: DocumentsContext, type: ContentType, id: number) =>
  type.documentId === undefined
    ? {}
    : {
        documentIds: {
          own: await store.documentIds.derive(type, id),
          alone: await store.documentIds.derive(type, -id),
        },
      };

const USER = 'plugin::users-permissions.user';

/** The names of users by their ids. */
async function namesOfUsers(
  { registry, store }: DocumentsContext,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<unknown, string>> {
  const type = registry.contentTypes.get(USER);
  const name = type?.attributes.get('username');
  const users = [...new Set(ids)].filter((id) => id !== null);
  if (type === undefined || name?.kind !== 'scalar' || users.length === 0) return new Map();
  const pagination = { form: 'offset', start: 0, limit: users.length, withCount: false } as const;
  const { entries } = await store.find({ ...emptyQuery(type), fields: [name], filter: idIn(users), pagination });
  return new Map(
    entries.map((entry) => [idOf(entry), String((entry(plainEntry) as Readonly<Record<string, unknown>>)['username'])]),
  );
}

async function shownTo(
  context: DocumentsContext,
  { links, lost, unkept }: RestoredEntry,
  caller: Caller,
): Promise<Restored> {
  const visible = new Map<ContentType, ReadonlySet<number>>();
  for (const [type, ofType] of groupBy([...links, ...lost], (link) => link.type)) {
    if (!caller.may(`${type.uid}.find`)) continue;
    const ids = ofType.map(({ id }) => id);
    const only = context.visibleTo(caller)?.(type);
    // Who sees all entries of a type learns of those that are gone as well.
    visible.set(type, new Set(only === undefined ? ids : await findIds(context, type, both(only, idIn(ids)))));
  }
  const isShown = ({ type, id, path }: LinkOfOther): boolean => {
    const attribute = type.attributes.get(path.split('.', 1)[0] ?? path);
    const isReadableFor =
      attribute !== undefined && isReadable(attribute, caller.kind === 'system' ? 'internal' : 'client');
    return isReadableFor && withheldFrom(type, caller)?.has(attribute) !== true && visible.get(type)?.has(id) === true;
  };
  const shown = lost.filter(isShown);
  const hidden = lost.length - shown.length;
  return {
    links: links.filter(isShown).length,
    lost: shown.map(({ type, id, path }) => ({ type: type.uid, id, path })),
    ...(hidden > 0 && { hidden }),
    unkept,
  };
}

/** @throws AppError notFound for a type without a trash */
function trashOf({ trash }: ContentType): ContentType {
  if (trash === undefined) throw new AppError('notFound');
  return trash.type;
}

/** The condition for entries that the caller could delete, of which it may ask that. @throws AppError forbidden */
function deletedFor(
  { limitOf }: DocumentsContext,
  type: ContentType,
  ask: AskOfDeleted,
  caller: Caller,
): Filter | undefined {
  if (!mayAskOfDeleted(type, ask, caller)) throw new AppError('forbidden');
  return limitOf(type, 'delete', caller);
}

/** @throws AppError notFound for an entry that is not in the trash, or not for this caller */
async function requireDeleted(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  ask: AskOfDeleted,
  caller: Caller,
): Promise<void> {
  const only = deletedFor(context, type, ask, caller);
  const visible = context.intercept(emptyQuery(type), { action: 'delete', caller });
  await findEntry(context, { ...emptyQuery(trashOf(type)), filter: both(visible.filter, only) }, id);
}

/** The error of a restoration that the database refused, with the path of the value that another entry has. */
function explained(error: unknown): unknown {
  const duplicate = duplicateOf(error);
  if (duplicate === undefined) return error;
  const { path, value } = duplicate;
  if (path === '_sole') return new AppError('conflict', 'The single type has an entry by now');
  // A unique key of a component, see `uniqueKey`.
  const [attribute = ''] = String(value).split('=', 1);
  return new AppError('validation', [taken([path === '_unique.k' ? attribute : attributeOf(duplicate)])]);
}

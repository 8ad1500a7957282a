import { isLocalizations, isLocalized, sharedAttributes } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../mongo/store.js';
import type { Reserved } from '../../mongo/write/counters.js';
import { duplicateOf } from '../../mongo/errors.js';
import { insertedEntry } from '../../mongo/read/inserted-entry.js';
import { insertedDocument } from '../../mongo/write/change-entry.js';
import type { ApplyOptions, WriteResult } from '../../mongo/write/entry-writes.js';
import { withId, type Filter, type Query } from '../../query/ast.js';
import { uniteIds } from '../../query/change.js';
import type { Changes, DependentWrite, EntryName, StoredValue } from '../../query/mutation.js';
import { isRanked, otherSideName } from '../../mongo/stored/relation.js';
import { emptyQuery, type DocumentsContext, type EntryRequest } from '../context.js';
import { announce, announceLocalizations, publicationEvents } from '../events/announcement.js';
import { findSettled, first } from '../read.js';
import { assertMayChange } from './changed-entries.js';
import type { Encoded, EncodedEntry } from './encode.js';
import { afterCommit, finishWrite, isRefused } from './finish-write.js';
import { previewEntry } from './conditional/dry-run.js';
import { explainDuplicate } from './taken-values.js';
import { referenceRemovals } from './references.js';
import { presentWritten } from './shortened-entry.js';

/** The written values of an entry, and the selection of its response. */
export interface EntryWrite {
  readonly encoded: EncodedEntry;
  /** Values in addition to the data. */
  readonly systemValues: ReadonlyMap<string, StoredValue | undefined>;
  /** The attributes in the client's data, if it was completed since: the others of a localization come from its group. */
  readonly named?: ReadonlySet<string>;
  /** The attributes in the client's data, without those that hooks add. */
  readonly fromClient: ReadonlySet<string>;
  /** Only an entry that matches it is changed. */
  readonly only?: Filter | undefined;
  readonly query: Query;
  readonly request: EntryRequest;
}

/**
 * Writes one entry and the dependent writes of its relations. Its targets and the entry itself are re-checked
 * afterwards, and references to those that were deleted in the meantime are removed. Returns the response.
 * @param id of the entry; undefined for a new one, which gets the next id
 * @throws AppError notFound, foreignComponent, invalidValue; validation for values that are not unique
 */
export async function writeEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  written: EntryWrite,
): Promise<unknown> {
  const { registry, store } = context;
  const reserved = await reserveNumbers(store, type, id, written);
  const entry = { id: id ?? reserved.id, isNew: id === undefined };
  const { values: ownValues, merges, links } = written.encoded;
  const changes = { values: new Map([...ownValues, ...written.systemValues]), merges, links, rank: reserved.rank };
  // Nothing is stored under the reserved ids: the next writes get them.
  const release = async (): Promise<void> => {
    store.componentIds.release(written.encoded.componentIds);
    // If this fails the id stays unused, and the client receives the original error.
    if (entry.isNew) await store.counters.release(type.uid, entry.id).catch(() => undefined);
  };
  const plan = await planWrites(context, type, entry, written, changes).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const { query, request, systemValues } = written;
  if (context.isDryRun === true) return (await previewEntry(context, { ...plan, ...written }))(request.presenter);
  const { action, values } = plan.change;
  const publication = action === 'update' ? await publicationEvents(context, type, entry.id, values) : [];
  const announcement = announce(context.audiences, store, type, action, request, publication);
  await announcement?.record(entry.id, systemValues.get('updatedAt') as Date, plan.inserted);
  const { response, missing } = await applyPlan(store, plan, written.only).catch(async (error: unknown) => {
    if (!isRefused(error)) throw error;
    await announcement?.discard();
    await release();
    const duplicate = duplicateOf(error);
    throw duplicate === undefined ? error : await explainDuplicate(context, type, id, written.encoded, duplicate);
  });
  for (const [target, ids] of missing) {
    for (const removed of ids) await store.removeReferences(referenceRemovals(target, removed, registry.contentTypes));
  }
  const shown = await finishWrite(context, { written: plan.change, announcement }, async () => {
    const isDeleted = missing.get(type)?.includes(entry.id) === true;
    const stored = plan.inserted ?? (isDeleted ? undefined : response);
    if (stored !== undefined) return stored;
    // The event must not show what another transaction undoes.
    const [found] =
      announcement === undefined
        ? (await store.find(first(query), { id: entry.id })).entries
        : await findSettled(store, query, [entry.id]);
    if (found !== undefined) return found;
    // The delete may have its position already: no event of the entry follows it.
    const { entries } = await store.find(first(withId(emptyQuery(type), entry.id)));
    if (entries.length === 0) await announcement?.discard();
    throw new AppError('notFound');
  });
  if (announcement !== undefined)
    await afterCommit(store, () => announceLocalizations(context, type, entry.id, request, plan.deferred.length > 0));
  return presentWritten(shown, entry.id, request.presenter);
}

/** Reserves the id of a new entry, and the rank of its new links: each is in the order of another entry. */
async function reserveNumbers(
  { counters }: Store,
  type: ContentType,
  id: number | undefined,
  { encoded: { links, values } }: EntryWrite,
): Promise<Reserved> {
  const isLinked = links.some(({ attribute, connect }) => isRanked(attribute) && connect.length > 0);
  const hasMorphs = [...values.keys()].some((name) => type.attributes.get(name)?.kind === 'morph');
  const [ids, ranks] = [Number(id === undefined), Number(isLinked || hasMorphs)];
  return ids + ranks === 0 ? { id: 0, rank: 0 } : counters.reserve(type.uid, { ids, ranks });
}

type WritePlan = Awaited<ReturnType<typeof planWrites>>;

/** All writes of one entry: its own, those that follow from its relations, and those of plugins. */
async function planWrites(
  context: DocumentsContext,
  type: ContentType,
  { id, isNew }: { readonly id: number; readonly isNew: boolean },
  written: EntryWrite,
  changes: Changes,
) {
  const { encoded, query, fromClient, request } = written;
  const { caller, limitedBy = caller } = request;
  const { otherSides, targets } = encoded;
  const { values, links } = changes;
  const shared = sharedNames(type, written, isNew);
  const check = (): Promise<void> =>
    assertMayChange(context, { type, id, changes, shared, otherSides }, { caller: limitedBy, written: fromClient });
  if (context.isDryRun === true) await check();
  const change = { action: isNew ? 'create' : 'update', type, id, values, links, shared } as const;
  const deferred = await context.hooks.follow(change);
  const document = isNew ? insertedDocument(type, id, changes) : undefined;
  // A new entry may need no read.
  const inserted = document && insertedEntry(query, document);
  // Nothing may refuse the response once the write is done.
  if (inserted === undefined) context.store.assertReadable({ query: first(query), id });
  return {
    change,
    primary:
      document === undefined
        ? ({ kind: 'update', type, id, changes } as const)
        : ({ kind: 'insert', type, id, document } as const),
    dependants: otherSideWrites({ type, id }, encoded),
    deferred,
    inserted,
    check,
    // As in Strapi v4, the response does not show the deferred writes.
    response: deferred.length > 0 && inserted === undefined ? first(withId(query, id)) : undefined,
    targets: targets.size > 0 ? uniteIds([targets, new Map([[type, new Set([id])]])]) : targets,
  };
}

/** The writes of the entries that store the other sides of the relations of an entry. */
const otherSideWrites = (target: EntryName, { otherSides }: Encoded): readonly DependentWrite[] =>
  otherSides.flatMap(({ attribute: side, ...change }): readonly DependentWrite[] => {
    const { target: type, many } = side;
    const attribute = type.attributes.get(otherSideName(side));
    const changesSomething = change.replaces || change.connect.length > 0 || change.disconnect.length > 0;
    const isOwner = attribute?.kind === 'relation' || attribute?.kind === 'morph';
    return changesSomething && isOwner ? [{ kind: 'owners', type, attribute, target, many, change }] : [];
  });

/** @throws AppError notFound if there is no such entry, and what the store throws */
async function applyPlan(store: Store, plan: WritePlan, only: ApplyOptions['only']): Promise<WriteResult> {
  const { primary, dependants, deferred, targets } = plan;
  // An entry without localizations has none to share values with, and one that joins it reads it later.
  const mayBeAlone = primary.kind === 'update' && dependants.length === 0 && deferred.length > 0;
  if (mayBeAlone && deferred.every(({ kind }) => kind === 'share')) {
    const result = await store.apply([{ ...primary, alone: true }], { targets, only });
    if (result.matched > 0) return result;
  }
  const result = await store.apply([primary, ...dependants], { ...plan, only });
  if (result.matched === 0) throw new AppError('notFound');
  return result;
}

/** The shared values to write to all localizations; a new entry without localizations has none. */
function sharedNames(type: ContentType, { encoded, named }: EntryWrite, isNew: boolean): readonly string[] {
  const { links, values } = encoded;
  if (!isLocalized(type) || (isNew && !links.some(({ attribute }) => isLocalizations(attribute, type)))) return [];
  const isNamed = (name: string): boolean => named === undefined || named.has(name);
  return sharedAttributes(type).flatMap(({ name }) => (values.has(name) && isNamed(name) ? [name] : []));
}

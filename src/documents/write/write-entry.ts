import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Missing } from '../../mongo/read/missing-targets.js';
import { isRanked } from '../../mongo/stored/relation.js';
import type { Store } from '../../mongo/store.js';
import type { WriteResult } from '../../mongo/write/entry-writes.js';
import { withId } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import { emptyQuery, type DocumentsContext } from '../context.js';
import { announced } from '../events/announced.js';
import { announce, announceCopy, announceLocalizations, publicationEvents } from '../events/announcement.js';
import type { Announcement } from '../events/audiences.js';
import { findSettled, first } from '../read.js';
import { previewEntry } from './conditional/dry-run.js';
import { afterCommit, finishWrite, withoutHooks } from './finish-write.js';
import { planWrites, type EntryNumbers, type EntryWrite, type WritePlan } from './plan-writes.js';
import { referenceRemovals } from './references.js';
import { presentWritten } from './shortened-entry.js';
import { explainRefusal, isTakenId, usedId } from './taken-values.js';

/**
 * Writes one entry and the dependent writes of its relations. Its targets and the entry itself are re-checked
 * afterwards, and references to those that were deleted in the meantime are removed. Returns the response.
 * @param id of the entry; undefined for a new one, which gets the next id unless code chooses one
 * @throws AppError notFound, foreignComponent, invalidValue; validation for values that are not unique
 */
export async function writeEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  write: EntryWrite,
): Promise<unknown> {
  const { store } = context;
  const { request } = write;
  const reserved = await reserve(store, type, id, write);
  const plan = await planWrites(context, type, reserved, write).catch(async (error: unknown) => {
    await reserved.release();
    throw error;
  });
  if (context.isDryRun === true) return (await previewEntry(context, plan, write))(request.presenter);
  const announcement = await announceWrite(context, plan, write);
  const isCopy = write.copy === 'save';
  let isHeld = false;
  const entry = await announced(store, [announcement], {
    record: (event) => event.record(plan.change.id, write.systemValues.get('updatedAt') as Date, plan.inserted),
    write: () => commit(store, plan, write),
    explain: async (refusal) => {
      await reserved.release(refusal);
      return explainRefusal(context, type, id, write, refusal);
    },
    finish: async (result) => {
      isHeld = result.isHeld === true;
      await removeDanglingReferences(context, result.missing);
      const find = (): Promise<LazyEntry> =>
        findWritten(context, plan, write, result, isCopy ? undefined : announcement);
      return finishWrite(isCopy ? withoutHooks(context) : context, { written: plan.change }, find);
    },
    entryOf: (found) => found,
  });
  if (!isCopy && announcement !== undefined && !isHeld)
    await afterCommit(store, () => announceLocalizations(context, plan.change, request, plan.deferred.length > 0));
  return presentWritten(entry, plan.change.id, request.presenter);
}

interface Reserved extends EntryNumbers {
  /** Nothing is stored under the reserved ids, those of components too: the next writes get them. */
  readonly release: (refusal?: unknown) => Promise<void>;
}

/** Reserves the id of a new entry, and a rank for new links. @throws AppError validation for an id that was used */
async function reserve(
  { counters, componentIds, transactions }: Store,
  type: ContentType,
  existingId: number | undefined,
  { encoded, chosenId }: EntryWrite,
): Promise<Reserved> {
  if (chosenId !== undefined && !(await counters.claim(type.uid, chosenId)))
    throw new AppError('validation', [usedId(chosenId)]);
  const isNew = existingId === undefined;
  const isLinked = encoded.links.some(({ attribute, connect }) => isRanked(attribute) && connect.length > 0);
  const hasMorphs = [...encoded.values.keys()].some((name) => type.attributes.get(name)?.kind === 'morph');
  const [ids, ranks] = [Number(isNew && chosenId === undefined), Number(isLinked || hasMorphs)];
  const numbers = ids + ranks === 0 ? { id: 0, rank: 0 } : await counters.reserve(type.uid, { ids, ranks });
  const id = existingId ?? chosenId ?? numbers.id;
  let isReserved = isNew;
  const giveBack = async (refusal?: unknown): Promise<void> => {
    const isFree = isReserved && !isTakenId(refusal, id);
    isReserved = false;
    // If this fails the id stays unused, and the client receives the original error.
    if (isFree) await counters[chosenId === undefined ? 'release' : 'unclaim'](type.uid, id).catch(() => undefined);
  };
  if (chosenId !== undefined) transactions.current()?.onAbort(() => giveBack());
  const release = async (refusal?: unknown): Promise<void> => {
    componentIds.release(encoded.componentIds);
    await giveBack(refusal);
  };
  return { id, isNew, rank: numbers.rank, release };
}

/** The event of a write that is about to begin; undefined if it has none. @throws AppError notFound */
async function announceWrite(
  context: DocumentsContext,
  { change: { action, type, id, values } }: WritePlan,
  { request, copy }: EntryWrite,
): Promise<Announcement | undefined> {
  if (copy === 'save') return announceCopy(context.audiences, type, 'update');
  const publication = action === 'update' ? await publicationEvents(context, type, id, { values, copy }) : undefined;
  return announce(context.audiences, context.store, type, action, request, publication);
}

/** @throws AppError notFound if there is no such entry, and what the store throws */
async function commit(
  store: Store,
  { primary, dependants, deferred, response, targets, check }: WritePlan,
  { conditions, publishes = false }: EntryWrite,
): Promise<WriteResult> {
  // An entry without localizations has none to share values with, and one that joins it reads it later.
  const mayBeAlone = !publishes && primary.kind === 'update' && dependants.length === 0 && deferred.length > 0;
  if (mayBeAlone && deferred.every(({ kind }) => kind === 'share')) {
    const result = await store.apply([{ ...primary, alone: true }], { targets, check, ...conditions });
    if (result.matched > 0) return result;
  }
  const result = await store.apply([primary, ...dependants], {
    deferred,
    response,
    targets,
    check,
    // All of the entry is checked, so nobody else may change it meanwhile.
    locked: publishes,
    ...conditions,
  });
  if (result.matched === 0) throw new AppError('notFound');
  return result;
}

/**
 * Removes the references to entries that were deleted while the write referred to them.
 * @throws AppError unavailable
 */
async function removeDanglingReferences({ registry, store }: DocumentsContext, missing: Missing): Promise<void> {
  for (const [target, ids] of missing) {
    for (const id of ids) await store.removeReferences(referenceRemovals(target, id, registry));
  }
}

/** The entry for the response to a write that was done. @throws AppError notFound if it was deleted since */
async function findWritten(
  { store }: DocumentsContext,
  { change: { type, id }, inserted }: WritePlan,
  { query }: EntryWrite,
  { response, missing }: WriteResult,
  announcement: Announcement | undefined,
): Promise<LazyEntry> {
  const isDeleted = missing.get(type)?.includes(id) === true;
  const stored = inserted ?? (isDeleted ? undefined : response);
  if (stored !== undefined) return stored;
  // The event must not show what another transaction undoes.
  const [found] =
    announcement === undefined
      ? (await store.find(first(query), { id })).entries
      : await findSettled(store, query, [id]);
  if (found !== undefined) return found;
  // The delete may have its position already: no event of the entry follows it.
  const { entries } = await store.find(first(withId(emptyQuery(type), id)));
  if (entries.length === 0) await announcement?.discard();
  throw new AppError('notFound');
}

import { isLocalizations, isLocalized, sharedAttributes } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import type { Store } from '../../mongo/store.js';
import { duplicateOf } from '../../mongo/errors.js';
import type { KeyUse } from '../../mongo/coordination/idempotency-keys.js';
import { insertedEntry } from '../../mongo/read/inserted-entry.js';
import type { Snapshot } from '../../mongo/read/snapshot.js';
import type { WriteOptions, WriteResult } from '../../mongo/write/apply-writes.js';
import { withId, type Filter, type Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { Changes, Mark, Rank, StoredValue, Write } from '../../query/mutation.js';
import { isRanked } from '../../mongo/stored/relation.js';
import { emptyQuery, type DocumentsContext, type EntryRequest } from '../context.js';
import { announce, finish } from '../events/announcement.js';
import { publicationEvents } from '../events/publication.js';
import { announceLocalizations } from '../events/announce-localizations.js';
import type { Change } from '../hooks.js';
import { findEntry, first } from '../read.js';
import type { Targets } from '../input/targets.js';
import { assertMayChange } from './changed-entries.js';
import type { EncodedEntry } from './encode/encode-entry.js';
import type { Encoded } from './encode/encode.js';
import { previewEntry } from './conditional/dry-run.js';
import { explainDuplicate, explainNotFound } from './explain-refusal.js';
import { rankInverse, rankMorphed } from './rank-inverse.js';
import { marksOf, ownMarks, relationWrites, removeReferenceWrites, replacedSides } from './references.js';

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
  /** And only if it is stored as it was. */
  readonly unchanged?: Snapshot | undefined;
  readonly query: Query;
  readonly request: EntryRequest;
  /** The key by which the client can repeat a creation: the new entry gets its id. */
  readonly key?: KeyUse | undefined;
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
  const { registry, store, hooks } = context;
  const reserved = await reserveNumbers(store, type, id, written);
  const entry = { id: id ?? reserved.id, isNew: id === undefined };
  const changes = changesOf(type, written, reserved);
  const release = (): Promise<void> => releaseNumbers(store, type, entry, written);

  const plan = await planWrites(context, type, entry, written, changes).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const { query, request, systemValues } = written;
  context.planned?.add(plan.primary);
  if (context.isDryRun === true) return (await previewEntry(context, { ...plan, ...written }))(request.presenter);
  const { action, values } = plan.change;
  const publication = action === 'update' ? await publicationEvents(context, type, entry.id, values) : [];
  const announcement = announce(context.audiences, store, type, action, request, publication);
  const recorded = [entry.id, systemValues.get('updatedAt') as Date, plan.inserted] as const;
  if (!entry.isNew) await announcement?.record(...recorded);
  const prepareEvent = entry.isNew ? announcement && (() => announcement.prepare(...recorded)) : undefined;
  const options = { ...written, prepareEvent };
  const { matched, response, missing } = await applyPlan(store, plan, options).catch(async (error: unknown) => {
    const duplicate = duplicateOf(error);
    const isConflict = hasCode(error, 'conflict');
    if (duplicate !== undefined || isConflict) await announcement?.discard();
    if (isConflict) await release();
    if (duplicate === undefined || duplicate.path === '_id') throw error;
    await release();
    throw await explainDuplicate(context, type, id, written.encoded, duplicate);
  });
  if (matched === 0) {
    await announcement?.discard();
    await release();
    throw await explainNotFound(store, type, entry.id, { changes, only: written.only });
  }
  const shown = await finish(announcement, async () => {
    for (const [target, ids] of missing) {
      for (const removed of ids) await store.apply(removeReferenceWrites(target, removed, registry.contentTypes));
    }
    await hooks.after(plan.change);
    const isDeleted = missing.get(type)?.includes(entry.id) === true;
    const stored = plan.inserted ?? (isDeleted ? undefined : response);
    if (stored !== undefined) return stored;
    return findEntry(context, query, entry.id).catch(async (error: unknown) => {
      // The delete may have its position already: no event of the entry follows it.
      if (hasCode(error, 'notFound') && !(await exists(store, type, entry.id))) await announcement?.discard();
      throw error;
    });
  });
  if (announcement !== undefined)
    await announceLocalizations(context, type, entry.id, request, plan.deferred.length > 0);
  return shown(request.presenter);
}

const exists = async (store: Store, type: ContentType, id: number): Promise<boolean> =>
  (await store.find(first(withId(emptyQuery(type), id)))).entries.length > 0;

/** The id of a new entry and the first rank of its links. */
interface Numbers {
  readonly id: number;
  readonly rank: number;
  /** The shared values that are written for all localizations. */
  readonly shared: readonly string[];
  /** Whether it changes an existing entry, and so decides about existing links. */
  readonly isUpdate: boolean;
}

async function reserveNumbers(
  store: Store,
  type: ContentType,
  id: number | undefined,
  written: EntryWrite,
): Promise<Numbers> {
  const { links, values } = written.encoded;
  const shared = stampedNames(type, written, id === undefined);
  const isUpdate = id !== undefined;
  const min = Number(isUpdate);
  const linked = links.reduce(
    (sum, { attribute, connect }) => sum + (isRanked(attribute) ? Math.max(connect.length, min) : 0),
    0,
  );
  const hasMorphs = [...values.keys()].some((name) => type.attributes.get(name)?.kind === 'morph');
  const ranks = linked + Math.min(shared.length, 1) + Number(hasMorphs);
  const { key } = written;
  const reservedId = key?.id();
  const ids = id === undefined && reservedId === undefined ? 1 : 0;
  if (ids === 0 && ranks === 0) return { id: reservedId ?? 0, rank: 0, shared, isUpdate };
  const numbers = await store.counters.reserve(type.uid, { ids, ranks });
  if (reservedId !== undefined) return { ...numbers, id: reservedId, shared, isUpdate };
  await key?.reserve(numbers.id);
  return { ...numbers, shared, isUpdate };
}

interface EntryId {
  readonly id: number;
  readonly isNew: boolean;
}

/** Nothing is stored under the reserved ids: the next writes get them. */
async function releaseNumbers(
  store: Store,
  type: ContentType,
  { id, isNew }: EntryId,
  { encoded: { componentIds }, key }: EntryWrite,
): Promise<void> {
  store.componentIds.release(componentIds);
  if (key !== undefined && !(await key.drop())) return;
  // If this fails the id stays unused, and the client receives the original error.
  if (isNew) await store.counters.release(type.uid, id).catch(() => undefined);
}

interface WritePlan extends Required<Pick<WriteOptions, 'deferred' | 'targets'>>, Pick<WriteOptions, 'response'> {
  readonly change: Change;
  readonly primary: Write & { readonly kind: 'insert' | 'update' };
  /** Writes to other entries that follow from its relations. */
  readonly dependants: readonly Write[];
  /** A new entry that needs no read. */
  readonly inserted: LazyEntry | undefined;
}

/** All writes of one entry: its own, those that follow from its relations, and those of plugins. */
async function planWrites(
  context: DocumentsContext,
  type: ContentType,
  { id, isNew }: EntryId,
  { encoded, query, fromClient, request: { caller, limitedBy = caller } }: EntryWrite,
  changes: Changes,
): Promise<WritePlan> {
  const { store, hooks } = context;
  const inverse = await Promise.all(encoded.inverse.map((change) => rankInverse(store, type, id, change)));
  const morphed = await Promise.all(encoded.morphed.map((change) => rankMorphed(store, change)));
  await assertMayChange(context, { type, id, changes, inverse, morphed }, { caller: limitedBy, written: fromClient });
  // A new entry has no links that could be replaced.
  const sets = isNew ? new Map<string, number>() : replacedSides(inverse, morphed);
  const marks = isNew ? [] : marksOf(changes.marks ?? [], inverse, morphed);
  const { values, links, stamps = new Map<string, number>() } = changes;
  const change = { action: isNew ? 'create' : 'update', type, id, values, links, stamps } as const;
  const deferred = await hooks.follow(change);
  const inserted = isNew ? insertedEntry(query, id, changes) : undefined;
  const { targets } = encoded;
  return {
    change,
    primary: {
      kind: isNew ? 'insert' : 'update',
      type,
      id,
      changes: { ...changes, ...(sets.size > 0 && { sets }), ...(marks.length > 0 && { marks }) },
    },
    dependants: relationWrites(type, id, links, morphed, inverse),
    deferred,
    inserted,
    // As in Strapi v4, the response does not show the deferred writes.
    response: deferred.length > 0 && inserted === undefined ? first(withId(query, id)) : undefined,
    targets: targets.size > 0 ? withEntry(targets, type, id) : targets,
  };
}

const withEntry = (targets: Targets, type: ContentType, id: number): Targets =>
  new Map([...targets, [type, new Set([...(targets.get(type) ?? []), id])]]);

async function applyPlan(
  store: Store,
  plan: WritePlan,
  { only, unchanged, prepareEvent }: Pick<EntryWrite, 'only' | 'unchanged'> & Pick<WriteOptions, 'prepareEvent'>,
): Promise<WriteResult> {
  const { primary, dependants, deferred, targets } = plan;
  // An entry without localizations has none to share values with, and one that joins it reads it later.
  const mayBeAlone = primary.kind === 'update' && dependants.length === 0 && deferred.length > 0;
  if (mayBeAlone && deferred.every(({ kind }) => kind === 'share')) {
    const result = await store.apply([{ ...primary, alone: true }], { targets, only, unchanged });
    if (result.matched > 0) return result;
  }
  const { type, id } = primary;
  // If it is deleted before its shared values are with the others, it was not found, and they stay as they were.
  const checked = primary.kind === 'update' && deferred.length > 0 ? withEntry(targets, type, id) : targets;
  return store.apply([primary, ...dependants], { ...plan, targets: checked, only, unchanged, prepareEvent });
}

/** The shared values to write to all localizations; a new entry without localizations has none. */
function stampedNames(type: ContentType, { encoded, named }: EntryWrite, isNew: boolean): readonly string[] {
  const { links, values } = encoded;
  if (!isLocalized(type) || (isNew && !links.some(({ attribute }) => isLocalizations(attribute, type)))) return [];
  const isNamed = (name: string): boolean => named === undefined || named.has(name);
  return sharedAttributes(type).flatMap(({ name }) => (values.has(name) && isNamed(name) ? [name] : []));
}

export function changesOf(
  type: ContentType,
  {
    encoded: { values, merges, links, references, uniqueKeys },
    systemValues,
  }: Pick<EntryWrite, 'encoded' | 'systemValues'>,
  { rank: firstRank, shared, isUpdate }: Omit<Numbers, 'id'>,
): Changes {
  let rank = firstRank;
  const marks: Mark[] = [];
  const ranksOf = (change: Encoded['links'][number]): readonly Rank[] => {
    const { attribute, connect } = change;
    if (isLocalizations(attribute, type)) return connect.map(({ locale = '' }) => locale);
    if (!isRanked(attribute)) return [];
    const ranks = connect.map(() => rank++);
    if (isUpdate) marks.push(...ownMarks(change, ranks.at(-1) ?? rank++));
    return ranks;
  };
  const ranked = links.map((link) => ({ ...link, ranks: ranksOf(link) }));
  const last = shared.length > 0 ? rank + 1 : rank;
  const isMorph = (name: string): boolean => type.attributes.get(name)?.kind === 'morph';
  if (isUpdate) marks.push(...[...values.keys()].filter(isMorph).map((a) => ({ a, n: last })));
  return {
    values: new Map([...values, ...systemValues]),
    merges,
    links: ranked,
    references: {
      ...references,
      add: references.add.map((reference) => (isMorph(reference.a) ? { ...reference, n: last } : reference)),
    },
    uniqueKeys,
    ...(shared.length > 0 && { stamps: new Map(shared.map((name) => [name, rank])) }),
    ...(marks.length > 0 && { marks }),
  };
}

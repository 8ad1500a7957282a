import { isLocalizations, isLocalized, sharedAttributes } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../mongo/store.js';
import { duplicateOf, type Duplicate } from '../../mongo/errors.js';
import {
  isRanked,
  type Changes,
  type Rank,
  type Reference,
  type StoredValue,
  type Write,
} from '../../query/mutation.js';
import { circularReference, unknownAnchor } from './list-order.js';
import type { DocumentsContext } from '../context.js';
import type { EncodedEntry } from './encode/encode-entry.js';
import type { Encoded } from './encode/encode.js';
import { rankInverse, rankMorphed } from './rank-inverse.js';
import { relationWrites, removeReferenceWrites, replacedSides } from './references.js';
import { findTaken, taken } from './taken-values.js';

/** What is written of an entry. */
export interface EntryWrite {
  readonly encoded: EncodedEntry;
  /** Values beside those that the data gives. */
  readonly also: ReadonlyMap<string, StoredValue | undefined>;
  /** The attributes that the data names, where it was completed since: of a localization the others are those of its group. */
  readonly named?: ReadonlySet<string>;
}

/**
 * Writes one entry and what follows from its relations. The targets and the entry itself are looked at once more
 * afterwards: what vanished meanwhile is taken out of the others. Gives the answer.
 * @param id of the entry; undefined for a new one, which gets the next id
 * @param read reads the answer
 * @throws AppError notFound, foreignComponent, invalidValue; validation for values that are not unique
 */
export async function writeEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  written: EntryWrite,
  read: (id: number, changes: Changes) => Promise<unknown>,
): Promise<unknown> {
  const { registry, store, hooks } = context;
  const { encoded } = written;
  const { links, targets } = encoded;
  const isNew = id === undefined;
  const shared = stampedNames(type, written, isNew);
  const linked = links.reduce((sum, { attribute, connect }) => sum + (isRanked(attribute) ? connect.length : 0), 0);
  const morphs = [...encoded.values.keys()].filter((name) => type.attributes.get(name)?.kind === 'morph');
  const ranks = linked + Math.min(shared.length, 1) + Math.min(morphs.length, 1);
  const reserved = isNew || ranks > 0 ? await store.counters.reserve(type.uid, { ids: isNew ? 1 : 0, ranks }) : none;
  const entry = id ?? reserved.id;
  /** Nothing is stored under the ids that were reserved: the next writes get them. */
  const release = async (): Promise<void> => {
    store.componentIds.release(encoded.componentIds);
    // Where this fails an id stays unused, and what is wrong is what is told.
    if (isNew) await store.counters.release(type.uid, entry).catch(() => undefined);
  };
  const changes = changesOf(type, written, shared, reserved.rank);
  const prepared = await prepareWrites(context, type, { id: entry, isNew }, encoded, changes).catch(
    async (error: unknown) => {
      await release();
      throw error;
    },
  );
  const { change, first, writes, follow } = prepared;
  let answer: unknown;
  const before = async (): Promise<void> => {
    answer = await read(entry, changes);
  };
  let vanished: Awaited<ReturnType<Store['missing']>> = new Map();
  const meanwhile = async (): Promise<void> => {
    if (targets.size === 0) return;
    vanished = await store.missing(new Map([...targets, [type, new Set([...(targets.get(type) ?? []), entry])]]));
  };
  const apply = (begun: readonly Write[], later: readonly Write[]): Promise<number> =>
    store.apply(begun, { writes: later, before, meanwhile }).catch(async (error: unknown) => {
      const duplicate = duplicateOf(error);
      if (duplicate === undefined || duplicate.path === '_id') throw error;
      await release();
      throw await explainDuplicate(context, type, id, encoded, duplicate);
    });
  // An entry without localizations has nobody to share with, and who joins it looks at it later.
  const mayBeAlone = first.kind === 'update' && writes.length === 1 && follow.length > 0 && follow.every(isShare);
  const found = (mayBeAlone ? await apply([{ ...first, alone: true }], []) : 0) || (await apply(writes, follow));
  if (found === 0) {
    await release();
    throw await explainUnmet(store, type, entry, changes);
  }
  for (const [target, ids] of vanished) {
    for (const gone of ids) await store.apply(removeReferenceWrites(target, gone, registry.contentTypes));
  }
  await hooks.after(change);
  return answer ?? read(entry, changes);
}

/** The writes of one entry, with those on others that follow from its relations, and those that plugins add. */
async function prepareWrites(
  { store, hooks }: DocumentsContext,
  type: ContentType,
  { id, isNew }: { readonly id: number; readonly isNew: boolean },
  encoded: Encoded,
  changes: Changes,
) {
  const inverse = await Promise.all(encoded.inverse.map((change) => rankInverse(store, type, id, change)));
  const morphed = await Promise.all(encoded.morphed.map((change) => rankMorphed(store, change)));
  // A new entry has no links that could be replaced.
  const sets = isNew ? new Map<string, number>() : replacedSides(inverse, morphed);
  const { values, links, stamps = new Map<string, number>() } = changes;
  const change = { action: isNew ? 'create' : 'update', type, id, values, links, stamps } as const;
  const first: Write & { readonly kind: 'insert' | 'update' } = {
    kind: isNew ? 'insert' : 'update',
    type,
    id,
    changes: { ...changes, ...(sets.size > 0 && { sets }) },
  };
  const writes = [first, ...relationWrites(type, id, links, morphed, inverse)];
  return { change, first, writes, follow: await hooks.follow(change) };
}

const isShare = ({ kind }: Write): boolean => kind === 'share';

/** The shared values that are written for all localizations: a new entry on its own has nobody to share with yet. */
function stampedNames(type: ContentType, { encoded, named }: EntryWrite, isNew: boolean): readonly string[] {
  const { links, values } = encoded;
  if (!isLocalized(type) || (isNew && !links.some(({ attribute }) => isLocalizations(attribute, type)))) return [];
  const isNamed = (name: string): boolean => named === undefined || named.has(name);
  return sharedAttributes(type).flatMap(({ name }) => (values.has(name) && isNamed(name) ? [name] : []));
}

const none = { id: 0, rank: 0 };

function changesOf(
  type: ContentType,
  { encoded: { values, merges, links, references, uniqueKeys }, also }: EntryWrite,
  shared: readonly string[],
  firstRank: number,
): Changes {
  let rank = firstRank;
  const ranksOf = ({ attribute, connect }: Encoded['links'][number]): readonly Rank[] => {
    if (isLocalizations(attribute, type)) return connect.map(({ locale = '' }) => locale);
    return isRanked(attribute) ? connect.map(() => rank++) : [];
  };
  const ranked = links.map((link) => ({ ...link, ranks: ranksOf(link) }));
  const last = shared.length > 0 ? rank + 1 : rank;
  const isMorph = ({ a }: Reference): boolean => type.attributes.get(a)?.kind === 'morph';
  return {
    values: new Map([...values, ...also]),
    merges,
    links: ranked,
    references: { ...references, add: references.add.map((one) => (isMorph(one) ? { ...one, n: last } : one)) },
    uniqueKeys,
    ...(shared.length > 0 && { stamps: new Map(shared.map((name) => [name, rank])) }),
  };
}

/** The error for values that other entries have already: all of them, though the database names one. */
async function explainDuplicate(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  { input, uniquePaths }: EncodedEntry,
  duplicate: Duplicate,
): Promise<AppError> {
  const all = await findTaken(context, type, input, id);
  if (all.length > 0) return new AppError('validation', all);
  const path = duplicate.path === '_unique.k' ? uniquePaths.get(String(duplicate.value)) : [duplicate.path];
  return new AppError('validation', [taken(path ?? [])]);
}

/** Why an update found nothing: the entry is not there, or it does not have what the change takes for granted. */
async function explainUnmet(store: Store, type: ContentType, id: number, changes: Changes): Promise<AppError> {
  const unmet = await store.findFailedPrecondition(type, id, changes);
  if (unmet === undefined) return new AppError('notFound');
  if (unmet.kind === 'circle') return circularReference();
  if (unmet.kind === 'neighbour') return unknownAnchor(unmet.id, unmet.position);
  const zone = type.attributes.get(unmet.attribute)?.kind === 'zone';
  return new AppError(zone ? 'foreignZoneComponent' : 'foreignComponent', unmet.attribute);
}

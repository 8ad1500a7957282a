import type { Collection, Db, Document } from 'mongodb';
import { groupBy } from '../../../config/group-by.js';
import type { ContentType, Registry, RelationAttribute } from '../../../content-types/model/types.js';
import { isRanked, linkFields, linkPaths, rankOf, storedRanks } from '../../stored/relation.js';
import { pagesOf } from '../batches.js';
import type { Violation } from '../check/violation.js';
import type { StoredEntry } from '../../stored/stored-entry.js';

/** Relations now stored in their targets, as the attribute `other`, where remaining values must move. */
export const movableRelations = ({ contentTypes }: Registry) =>
  [...contentTypes.values()].flatMap((type) =>
    [...type.attributes.values()].flatMap((attribute) => {
      if (attribute.kind !== 'relation' || attribute.side !== 'inverse') return [];
      const other = attribute.target.attributes.get(attribute.inverse ?? '');
      return other?.kind === 'relation' && other.side === 'owner' ? [{ type, attribute, other }] : [];
    }),
  );

type MovedRelation = ReturnType<typeof movableRelations>[number];

/** The number of entries to move; 0 if there are none. */
export async function countMove(db: Db, { type, attribute: { name, target } }: MovedRelation): Promise<number> {
  const stored = await sumOf(withCopies(type), (one) => countIn(db, one, { [name]: { $exists: true } }));
  return stored === 0 ? 0 : stored + (await sumOf(withCopies(target), (one) => countIn(db, one, {})));
}

/**
 * A type and that of its working copies, which come first: what is done with entries is done with their copies by then.
 */
const withCopies = (type: ContentType): readonly ContentType[] =>
  type.copies === undefined ? [type] : [type.copies, type];

const countIn = (db: Db, { collectionName }: ContentType, filter: Document): Promise<number> =>
  db.collection(collectionName).countDocuments(filter);

async function sumOf<T>(items: readonly T[], numberOf: (item: T) => Promise<number>): Promise<number> {
  return (await Promise.all(items.map(numberOf))).reduce((sum, number) => sum + number, 0);
}

/**
 * Moves a relation to the side that stores it now; yields the number of processed entries, batch by batch. Links and
 * their order on both sides are preserved. They are added to the new side before they are removed from the former one,
 * so an interrupted move can be repeated.
 */
export async function* moveRelation(
  db: Db,
  { type, attribute, other }: MovedRelation,
): AsyncGenerator<{ readonly entries: number; readonly problems: readonly Violation[] }> {
  const { name } = attribute;
  const holders = db.collection<StoredEntry>(type.collectionName);
  // The next start drops it, because no definition needs it.
  await holders.createIndex({ [name]: 1 }, { name: `cs_${name}_1` });
  for (const { collectionName } of withCopies(attribute.target)) {
    const targets = db.collection<StoredEntry>(collectionName);
    for await (const batch of pagesOf(targets, {}, linkPaths(other.name))) {
      const problems = await takeOver(holders, targets, batch, { type, attribute, other });
      yield { entries: batch.length, problems };
      if (problems.some(({ rule }) => rule === MEANWHILE)) return;
    }
  }
  for (const { collectionName } of withCopies(type)) {
    const former = db.collection<StoredEntry>(collectionName);
    for await (const batch of pagesOf(former, { [name]: { $exists: true } }, [])) {
      const ids = batch.map(({ _id }) => _id);
      await former.updateMany({ _id: { $in: ids } }, { $unset: linkFields(name, '', '') });
      yield { entries: ids.length, problems: [] };
    }
  }
}

const MEANWHILE = 'changed during the migration: run the command again';

/** Links the targets of a batch to their former owners. */
async function takeOver(
  holders: Collection<StoredEntry>,
  targets: Collection<StoredEntry>,
  batch: readonly StoredEntry[],
  { attribute, other }: MovedRelation,
): Promise<readonly Violation[]> {
  const { name } = attribute;
  const linked = await holders
    .find({ [name]: { $in: batch.map(({ _id }) => _id) } }, { projection: linkFields(name, 1, 1) })
    .toArray();
  const links = groupBy(
    linked.flatMap((holder) => linksOf(holder, name)),
    ({ to }) => to,
  );
  const writes = batch.flatMap((target) => takeOverOne(target, links.get(target._id) ?? [], other) ?? []);
  if (writes.length === 0) return [];
  const updates = writes.map(({ filter, update }) => ({ updateOne: { filter, update } }));
  const { matchedCount } = await targets.bulkWrite(updates, { ordered: false });
  const about = { collection: targets.collectionName, path: other.name };
  return [
    ...writes.flatMap(({ filter: { _id }, rule }) => (rule === undefined ? [] : [{ ...about, id: String(_id), rule }])),
    ...(matchedCount < writes.length ? [{ ...about, id: '', rule: MEANWHILE }] : []),
  ];
}

/** Links a target to its former owners, in order and before its existing links; undefined if it already has all. */
function takeOverOne(target: StoredEntry, links: readonly HeldLink[], other: RelationAttribute) {
  const current = idsOf(target[other.name]);
  if (links.every(({ from }) => current.includes(from))) return undefined;
  const added = links.toSorted((a, b) => a.order - b.order || a.from - b.from);
  const all = [...new Set([...added.map(({ from }) => from), ...current])];
  const former = target[other.name] === undefined ? { $exists: false } : { $eq: target[other.name] };
  const first = current[0] ?? all[0];
  return {
    /** Finds the target as it was read. */
    filter: { _id: target._id, [other.name]: former },
    update: { $set: other.many ? listed(target, all, added, other) : { [other.name]: first } },
    /** The links that are lost. */
    rule: other.many || all.length === 1 ? undefined : `keeps ${first} of ${all.join(', ')}: it holds only one`,
  };
}

/** The links that a former owner stores. */
function linksOf(holder: StoredEntry, name: string) {
  const ids = idsOf(holder[name]);
  const ranks = storedRanks(holder, name);
  return ids.map((to, index) => ({
    from: holder._id,
    to,
    order: Number(ranks[index] ?? 0),
    /** The position in the owner's list, counted from the end. */
    place: index - ids.length,
  }));
}

type HeldLink = ReturnType<typeof linksOf>[number];

/** The list of a target with the rank of each id: positions are below all allocated ranks. */
function listed(
  target: StoredEntry,
  all: readonly number[],
  added: readonly HeldLink[],
  other: RelationAttribute,
): Document {
  if (!isRanked(other)) return { [other.name]: all };
  const placeOf = (id: number): number =>
    added.find(({ from }) => from === id)?.place ?? rankOf(target, other.name, id);
  return linkFields(other.name, all, all.map(placeOf));
}

const idsOf = (value: unknown): readonly number[] => [(value ?? []) as number | readonly number[]].flat();

import type { Document } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import type { ContentType, MorphAttribute, RelationAttribute } from '../../content-types/model/types.js';
import { existenceOf, type Change } from '../../query/change.js';
import type { Query } from '../../query/ast.js';
import {
  arrange,
  LIST_RANK,
  linkedIds,
  placedAtEnd,
  ranksBetween,
  ranksOfList,
  replacesAll,
} from '../../query/list-order.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { DependentWrite, OwnersChange, PrimaryWrite, SharedValues } from '../../query/mutation.js';
import type { Targets } from '../read/missing-targets.js';
import { editOf, type EntryEdit } from '../stored/entry-edit.js';
import { attachOwner, detachOwner, linkOwner, linksIn, setLinks, unlinkOwner } from '../stored/links.js';
import { isRanked, RANKS, rankOf, referenceTo, someReference } from '../stored/relation.js';
import { UPDATED_BY } from '../stored/writers.js';
import { entriesOf, nameOf, type EntryKey } from '../transactions/format.js';
import type { EntryChange } from '../transactions/apply-changes.js';
import type { Transaction } from '../transactions/transaction.js';
import { changeEntry } from './change-entry.js';
import { changesOfEntries } from './changes-of-entries.js';
import { idsOf, keyOf, removalStep, takenTargets, type WriteParts } from './write-one.js';

export interface WriteOptions {
  /** Further writes, which the response does not show. */
  readonly deferred?: readonly DependentWrite[];
  /** A query for one entry, which is read before the deferred writes. */
  readonly response?: Query | undefined;
  /** Entries to which the writes refer: they are re-checked after all writes. */
  readonly targets?: Targets;
  /** The primary write changes or removes only an entry that matches it. */
  readonly condition?: Document | undefined;
  /** Called when all entries are locked, and before one of them changes: it may refuse the writes. */
  readonly check?: (() => Promise<void>) | undefined;
  /** Other statements of the transaction write none of these entries: a write of one entry that is locked waits for none of them. */
  readonly independent?: boolean;
}

export interface Executed {
  /** How many entries the primary write found; the others follow only if it found one. */
  readonly matched: number;
  /** The entry of the response query. */
  readonly response: LazyEntry | undefined;
  /** The targets that were not locked: one of them may have been deleted. */
  readonly unlocked: Targets;
}

/**
 * Executes the writes of one operation in a transaction: locks the entries that they read or change, computes these as they will be, and applies
 * that.
 * @throws the driver's error of the primary write, see `duplicateOf`; Locked; the error of the check; AppError as `changeEntry`
 */
export async function executeWrites(
  parts: WriteParts,
  transaction: Transaction,
  [primary, ...dependants]: readonly [PrimaryWrite, ...DependentWrite[]],
  { deferred = [], response, condition, check, targets = new Map() }: WriteOptions,
): Promise<Executed> {
  const writes = [...dependants, ...deferred];
  const edits = openEdits(transaction, primary, writes);
  const exclusiveTargets = primary.kind === 'remove' ? [] : takenTargets(primary);
  const holderQueries = [
    ...exclusiveTargets.map(({ attribute, id }) => ({ type: primary.type, filter: { [attribute.name]: id } })),
    // Nobody has a link to a new entry.
    ...(primary.kind === 'insert' ? [] : writes.flatMap(ownersOf)),
  ];
  const findHolders = async (): Promise<readonly EntryKey[]> =>
    (await Promise.all(holderQueries.map(({ type, filter }) => findKeys(parts, type, filter)))).flat();
  // All entries are locked in one order, so that two writes do not wait for each other. Those that get a link in the meantime follow.
  const primaryKey = primary.kind === 'insert' ? [] : [keyOf(primary)];
  const targetsTaken = exclusiveTargets.map(({ attribute, id }) => ({
    collection: attribute.target.collectionName,
    id,
  }));
  const namedKeys = await Promise.all(writes.map((write) => namedIn(parts, write)));
  await edits.lock([...primaryKey, ...targetsTaken, ...namedKeys.flat(), ...(await findHolders())]);
  if (primary.kind !== 'insert' && !(await isFound(parts, edits, primary, condition)))
    return { matched: 0, response: undefined, unlocked: targets };
  await edits.lock(await findHolders());
  for (const write of writes) if (write.kind === 'share') await lockGroup(edits, write);
  await check?.();
  if (primary.kind === 'remove') edits.remove(primary);
  else writeEntry(edits, primary);
  for (const write of dependants) await writeDependants(parts, edits, write);
  if (response !== undefined) await edits.apply();
  const shown = response && (await parts.readResponse(response));
  for (const write of deferred) await writeDependants(parts, edits, write);
  await edits.apply();
  const references = primary.kind === 'remove' ? primary.references : [];
  transaction.after(references.map(removalStep), edits.changes);
  const unlocked = [...targets].map(
    ([type, ids]) => [type, new Set([...ids].filter((id) => edits.find(type, id) === undefined))] as const,
  );
  return { matched: 1, response: shown, unlocked: new Map(unlocked) };
}

interface EditedEntry extends EntryKey {
  edit: EntryEdit;
  isNew: boolean;
}

/** The entries that a statement changes. */
function openEdits(transaction: Transaction, primary: PrimaryWrite, others: readonly DependentWrite[]) {
  const uids = new Map([primary, ...others].map(({ type }) => [type.collectionName, type.uid]));
  const entries = new Map<string, EditedEntry>();
  const removed: EntryKey[] = [];
  const changes: Change[] = [];
  const isPrimary = ({ collection, id }: EntryKey): boolean =>
    collection === primary.type.collectionName && id === primary.id;
  return {
    lock: async (keys: readonly EntryKey[]): Promise<void> => {
      const missing = keys.filter((key) => !entries.has(nameOf(key)));
      if (missing.length === 0) return;
      const documents = await transaction.lock(missing);
      for (const [index, key] of missing.entries()) {
        const document = documents[index];
        if (document !== undefined) entries.set(nameOf(key), { ...key, edit: editOf(document), isNew: false });
      }
    },
    /** A locked or new entry as it will be; undefined if it does not exist. */
    find: ({ collectionName: collection }: ContentType, id: number): EntryEdit | undefined =>
      entries.get(nameOf({ collection, id }))?.edit,
    /** All locked entries of a type. */
    all: ({ collectionName }: ContentType): readonly EditedEntry[] =>
      [...entries.values()].filter(({ collection }) => collection === collectionName),
    insert: (write: PrimaryWrite & { readonly kind: 'insert' }): void => {
      const [key, edit] = [keyOf(write), editOf(write.document)];
      entries.set(nameOf(key), { ...key, edit, isNew: true });
    },
    remove: ({ type, id }: Pick<PrimaryWrite, 'type' | 'id'>): void => {
      const name = nameOf(keyOf({ type, id }));
      changes.push(existenceOf({ type, id }, entries.get(name)?.edit.document() ?? {}));
      entries.delete(name);
      removed.push(keyOf({ type, id }));
    },
    /** What was applied. */
    changes,
    /** Applies what has changed since the last call, the primary entry first. */
    apply: async (): Promise<void> => {
      // Those of one collection follow each other, so that they share commands.
      const all = [...groupBy(entries.values(), ({ collection }) => collection).values()].flat();
      const applied = all.flatMap(({ collection, id, edit, isNew }): readonly EntryChange[] => {
        const entry = { collection, id, uid: uids.get(collection) ?? '' };
        if (isNew) return [{ ...entry, kind: 'insert', document: { ...edit.document(), _id: id } }];
        return edit.fields.size > 0 ? [{ ...entry, kind: 'update', fields: edit.fields }] : [];
      });
      // If the database refuses it, nothing has changed.
      const primaryFirst = applied.toSorted((a, b) => Number(isPrimary(b)) - Number(isPrimary(a)));
      await transaction.apply(primaryFirst);
      for (const { collection, id } of removed.splice(0)) transaction.remove(collection, [id]);
      changes.push(...changesOfEntries(primaryFirst, primary, others));
      for (const entry of entries.values()) Object.assign(entry, { edit: editOf(entry.edit.document()), isNew: false });
    },
  };
}

type EntryEdits = ReturnType<typeof openEdits>;

/** The entries that a write names, and the localizations that it serializes with others. */
async function namedIn(parts: WriteParts, write: DependentWrite): Promise<readonly EntryKey[]> {
  const { collectionName: collection } = write.type;
  if (write.kind === 'share') return (await groupOf(parts, write)).map((id) => ({ collection, id }));
  const { connect, disconnect } = write.change;
  const anchors = connect.flatMap(({ position }) => ('id' in position ? [position.id] : []));
  return [...connect.map(({ id }) => id), ...disconnect, ...anchors].map((id) => ({ collection, id }));
}

/** The localizations of an entry, or those that it joins, as they are before they are locked. */
async function groupOf({ db, timeout }: WriteParts, { type, id, joined }: SharedValues): Promise<readonly number[]> {
  const ids = joined.length > 0 ? [...joined] : [id];
  const options = { projection: { localizations: 1 }, maxTimeMS: timeout, readPreference: 'primary' } as const;
  const stored = await entriesOf(db, type.collectionName)
    .find({ _id: { $in: ids } }, options)
    .toArray();
  const linked = stored.flatMap((document) => (document as { localizations?: readonly number[] }).localizations ?? []);
  return [...new Set([...joined, ...linked])].filter((other) => other !== id);
}

/** Others may have joined it before it was locked. */
async function lockGroup(edits: EntryEdits, { type, id, joined }: SharedValues): Promise<void> {
  const known = new Set<number>();
  let next = [...joined, id];
  while (next.length > 0) {
    await edits.lock(next.filter((one) => one !== id).map((one) => ({ collection: type.collectionName, id: one })));
    for (const one of next) known.add(one);
    const found = next.flatMap((one) => edits.find(type, one) ?? []);
    next = found
      .flatMap((edit) => linksIn(edit, 'localizations'))
      .flatMap((link) => (known.has(link.id) ? [] : [link.id]));
  }
}

/** Whether the primary entry is there and matches the condition. It is locked, so this does not change any more. */
async function isFound(
  { db, timeout: maxTimeMS }: WriteParts,
  edits: EntryEdits,
  primary: PrimaryWrite,
  condition: Document | undefined,
): Promise<boolean> {
  const edit = edits.find(primary.type, primary.id);
  if (edit === undefined) return false;
  if (primary.kind === 'update' && primary.alone === true && edit.get('localizations') !== undefined) return false;
  if (condition === undefined) return true;
  const filter = { $and: [{ _id: primary.id }, condition] };
  return (await entriesOf(db, primary.type.collectionName).countDocuments(filter, { maxTimeMS })) > 0;
}

/** The search for the present owners, if they may lose their links, or if their order matters. */
function ownersOf(write: DependentWrite): readonly { readonly type: ContentType; readonly filter: Document }[] {
  if (write.kind === 'share' || !replacesAll(write.change, write.many)) return [];
  const { type, attribute, target } = write;
  const filter =
    attribute.kind === 'relation'
      ? { [attribute.name]: target.id }
      : someReference({ a: attribute.name, r: referenceTo(target.type, target.id) });
  return [{ type, filter }];
}

const findKeys = async (parts: WriteParts, type: ContentType, filter: Document): Promise<readonly EntryKey[]> =>
  (await idsOf(parts, type.collectionName, filter)).map((id) => keyOf({ type, id }));

function writeEntry(edits: EntryEdits, primary: PrimaryWrite & { readonly kind: 'insert' | 'update' }): void {
  const { type, id } = primary;
  if (primary.kind === 'insert') edits.insert(primary);
  else changeEntry(edits.find(type, id) as EntryEdit, type, primary.changes);
  for (const taken of takenTargets(primary))
    for (const { id: other, edit } of edits.all(type)) if (other !== id) unlinkOwner(edit, taken.attribute, taken.id);
}

async function writeDependants(parts: WriteParts, edits: EntryEdits, write: DependentWrite): Promise<void> {
  if (write.kind === 'share') return shareValues(edits, write);
  const { attribute } = write;
  if (attribute.kind === 'relation') return changeOwners(parts, edits, { ...write, attribute });
  return changeMorphOwners(parts, edits, { ...write, attribute });
}

async function changeOwners(
  parts: WriteParts,
  edits: EntryEdits,
  write: OwnersChange & { readonly attribute: RelationAttribute },
): Promise<void> {
  const { type, attribute, target, change } = write;
  const owners = linkedIds(write.change, write.many);
  const ranks = await ranksOf(parts, edits, write, owners);
  const isLinked = (edit: EntryEdit): boolean => linksIn(edit, attribute.name).some(({ id }) => id === target.id);
  for (const { id, edit } of edits.all(type)) {
    const rank = ranks.get(id);
    // Others that get a new rank may have lost their link before they were locked.
    if (rank !== undefined && (owners.includes(id) || isLinked(edit)))
      linkOwner(edit, attribute, target.id, isRanked(attribute) ? rank : undefined);
    else if (!owners.includes(id) && (replacesAll(change, write.many) || change.disconnect.includes(id)))
      unlinkOwner(edit, attribute, target.id);
  }
}

/** The ranks of the connected entries: those of a whole list, or for positions those beside their neighbours, or the next ones. */
async function ranksOf(
  parts: WriteParts,
  edits: EntryEdits,
  { type, attribute, target, change, many }: OwnersChange,
  owners: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const reserve = async (ranks: number): Promise<number> =>
    ranks === 0 ? 0 : (await parts.counters.reserve(type.uid, { ids: 0, ranks })).rank;
  if (many && change.replaces) return ranksOfList(owners);
  if (!many || change.connect.every(({ position }) => position.at === 'end')) {
    const first = await reserve(owners.length);
    return new Map(owners.map((id, index) => [id, first + index]));
  }
  const former = await readRanks(parts, type, attribute.name, target.id);
  const between = ranksBetween(former, change, await reserve(placedAtEnd(change.connect)));
  if (between !== undefined) return between;
  const order = arrange([...former.keys()], change);
  await edits.lock(order.map((id) => ({ collection: type.collectionName, id })));
  return ranksOfList(order);
}

/** The rank of each owner of a target, in order. */
async function readRanks(
  { db, timeout }: WriteParts,
  { collectionName }: ContentType,
  name: string,
  target: number,
): Promise<Map<number, number>> {
  const options = { projection: { [name]: 1, [RANKS]: 1 }, maxTimeMS: timeout, readPreference: 'primary' } as const;
  const stored = await entriesOf(db, collectionName)
    .find({ [name]: target }, options)
    .toArray();
  const ranks = stored.map((document) => ({ id: document._id, rank: rankOf(document, name, target) }));
  const ordered = ranks.toSorted((a, b) => a.rank - b.rank || a.id - b.id);
  return new Map(ordered.map(({ id, rank }) => [id, rank]));
}

async function changeMorphOwners(
  { counters }: WriteParts,
  edits: EntryEdits,
  write: OwnersChange & { readonly attribute: MorphAttribute },
): Promise<void> {
  const { type, attribute, target, change } = write;
  const owners = linkedIds(write.change, write.many);
  const link = { __type: target.type.uid, id: target.id };
  const needsRank = owners.length > 0 && !replacesAll(change, write.many);
  const { rank } = needsRank ? await counters.reserve(type.uid, { ids: 0, ranks: 1 }) : { rank: LIST_RANK };
  for (const { id, edit } of edits.all(type)) {
    if (owners.includes(id)) attachOwner(edit, attribute, link, rank);
    else if (replacesAll(change, write.many) || change.disconnect.includes(id)) detachOwner(edit, attribute, link);
  }
}

/** See `SharedValues`. */
function shareValues(edits: EntryEdits, write: SharedValues): void {
  const { type, id, joined, at } = write;
  const own = edits.find(type, id);
  if (own === undefined) return;
  const group = joined.length > 0 ? joinGroup(edits, write, own) : linksIn(own, 'localizations').map((link) => link.id);
  const others = group.flatMap((other) => edits.find(type, other) ?? []);
  for (const other of others) {
    for (const name of write.written) other.set(name, own.get(name));
    const former = other.get('updatedAt');
    if (former instanceof Date && former >= at) continue;
    other.set('updatedAt', at);
    other.set(UPDATED_BY, own.get(UPDATED_BY));
  }
}

/** Links a new localization and those that it joins to each other, and gives it their values. Returns these. */
function joinGroup(
  edits: EntryEdits,
  { type, id, joined, written, shared }: SharedValues,
  own: EntryEdit,
): readonly number[] {
  const attribute = type.attributes.get('localizations') as RelationAttribute;
  const linked = joined.flatMap((one) => {
    const edit = edits.find(type, one);
    return edit === undefined ? [] : [one, ...linksIn(edit, 'localizations').map((link) => link.id)];
  });
  const present = linksIn(own, 'localizations').map((link) => link.id);
  const members = [...new Set([...linked, ...present])].filter((one) => one !== id);
  const all = new Map([...members.map((one) => [one, edits.find(type, one)] as const), [id, own] as const]);
  const [source] = members.flatMap((one) => all.get(one) ?? []);
  if (source !== undefined) for (const name of shared) if (!written.includes(name)) own.set(name, source.get(name));
  for (const [one, edit] of all) {
    if (edit === undefined) continue;
    // The new one comes first, as in Strapi v4.
    const former = one === id ? [] : [id, ...linksIn(edit, 'localizations').map((link) => link.id)];
    const links = [...new Set([...former, ...all.keys()])].flatMap((other) => {
      const its = all.get(other);
      return other === one || its === undefined ? [] : [{ id: other, rank: its.get('locale') as string }];
    });
    setLinks(edit, attribute, links);
  }
  return members;
}

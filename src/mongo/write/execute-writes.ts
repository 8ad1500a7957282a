import type { Document } from 'mongodb';
import type { ContentType, MorphAttribute, RelationAttribute } from '../../content-types/model/types.js';
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
import type {
  DependentWrite,
  EntryName,
  MergedChanges,
  OwnersChange,
  PrimaryWrite,
  SharedValues,
  StoredValue,
  TakenTarget,
} from '../../query/mutation.js';
import type { Targets } from '../read/missing-targets.js';
import { editOf, type EntryEdit } from '../stored/entry-edit.js';
import { attachOwner, detachOwner, linkOwner, linksIn, unlinkOwner } from '../stored/links.js';
import { isRanked, RANKS, rankOf, referenceTo, someReference } from '../stored/relation.js';
import { REVIEW } from '../stored/review.js';
import { changesIn, COPIED } from '../stored/working-copy.js';
import { entriesOf, type EntryKey } from '../transactions/format.js';
import type { Transaction } from '../transactions/transaction.js';
import {
  changeWithCopy,
  copyKey,
  hasCopy,
  mergesCopy,
  savedCopy,
  sharedByCopy,
  splitHeld,
  takenByCopy,
} from './write-copies.js';
import { openEdits, type EntryEdits } from './entry-edits.js';
import { documentInTrash, latestOf } from './move-to-trash.js';
import { lockGroup, shareValues } from './share-values.js';
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
  /** The primary write uses only a working copy that matches it. */
  readonly copyCondition?: Document | undefined;
  /** Called when all entries are locked, and before one of them changes: it may refuse the writes. */
  readonly check?: ((merged: MergedChanges) => Promise<void>) | undefined;
  /** The check is about the entry itself, which is locked for it: the write is no single command. */
  readonly locked?: boolean;
  /**
   * Other statements of the transaction write none of these entries: a write of one entry that is locked waits for none
   * of them.
   */
  readonly independent?: boolean;
}

export interface Executed {
  /** How many entries the primary write found; the others follow only if it found one. */
  readonly matched: number;
  /** The entry of the response query. */
  readonly response: LazyEntry | undefined;
  /** Values that other localizations share were not written to them: they wait in the copy of a draft. */
  readonly isHeld?: boolean;
  /** The targets that were not locked: one of them may have been deleted. */
  readonly unlocked: Targets;
}

/**
 * Executes the writes of one operation in a transaction: locks the entries that they read or change, computes these as
 * they will be, and applies that.
 * @throws the driver's error of the primary write, see `duplicateOf`; Locked; the error of the check; AppError as
 * `changeEntry`
 */
export async function executeWrites(
  parts: WriteParts,
  transaction: Transaction,
  [primary, ...dependants]: readonly [PrimaryWrite, ...DependentWrite[]],
  { deferred = [], response, condition, copyCondition, check, targets = new Map() }: WriteOptions,
): Promise<Executed> {
  const writes = [...dependants, ...deferred];
  const { trash } = primary.type;
  const edits = openEdits(transaction, primary, writes, trash === undefined ? [] : [trash.type]);
  // What is saved in a copy takes nothing from others.
  const takesNothing = primary.kind === 'remove' || (primary.kind === 'update' && primary.copy === 'save');
  const takenByRequest = takesNothing ? [] : takenTargets(primary);
  const findHolders = async (taken: readonly TakenTarget[]): Promise<readonly EntryKey[]> => {
    const queries = [
      ...taken.map(({ attribute, id }) => ({ type: primary.type, filter: { [attribute.name]: id } })),
      // Nobody has a link to a new entry.
      ...(primary.kind === 'insert' ? [] : writes.flatMap(ownersOf)),
    ];
    return (await Promise.all(queries.map(({ type, filter }) => findKeys(parts, type, filter)))).flat();
  };
  // All entries are locked in one order, so that two writes do not wait for each other. Those that get a link in the
  // meantime follow.
  const primaryKey = primary.kind === 'insert' ? [] : [keyOf(primary)];
  const namedKeys = await Promise.all(writes.map((write) => namedIn(parts, write)));
  const holders = await findHolders(takenByRequest);
  await edits.lock([...primaryKey, ...takenByRequest.map(keyOfTarget), ...namedKeys.flat(), ...holders]);
  if (primary.kind !== 'insert' && !(await isFound(parts, edits, primary, condition)))
    return { matched: 0, response: undefined, unlocked: targets };
  const copy = await findCopy(parts, edits, primary, copyCondition);
  if (copy === MISSING) return { matched: 0, response: undefined, unlocked: targets };
  const entry = edits.find(primary.type, primary.id);
  const byCopy = takenByCopy(primary, entry, copy);
  const taken = [...takenByRequest, ...byCopy];
  await edits.lock(byCopy.map(keyOfTarget));
  // Whoever links a target has locked it, so that these are all holders.
  await edits.lock(await findHolders(taken));
  const shared = sharedByCopy(primary, entry, copy);
  for (const write of [...writes, ...(shared === undefined ? [] : [shared])])
    if (write.kind === 'share') await lockGroup(edits, write);
  await check?.({ shared: valuesOf(copy, shared?.written ?? []), taken: byCopy });
  const split = primary.kind === 'update' ? splitPrimary(edits, primary) : undefined;
  if (primary.kind === 'remove') await removeEntry(parts, edits, primary, copy);
  else writeEntry(edits, split?.now ?? primary, copy, taken);
  if (split !== undefined) saveCopy(edits, split.held, copy);
  if (shared !== undefined) await shareValues(parts, edits, shared);
  for (const write of dependants) await writeDependants(parts, edits, write);
  if (response !== undefined) await edits.apply();
  const shown = response && (await parts.readResponse(response));
  const following = split === undefined ? deferred : deferred.filter(({ kind }) => kind !== 'share');
  for (const write of following) await writeDependants(parts, edits, write);
  await edits.apply();
  const references = primary.kind === 'remove' ? primary.references : [];
  transaction.after(references.map(removalStep), edits.changes);
  if (primary.receipt !== undefined) transaction.sign([{ ...keyOf(primary), receipt: primary.receipt }]);
  const unlocked = [...targets].map(
    ([type, ids]) => [type, new Set([...ids].filter((id) => edits.find(type, id) === undefined))] as const,
  );
  return { matched: 1, response: shown, isHeld: split !== undefined, unlocked: new Map(unlocked) };
}

/** See `splitHeld`. */
function splitPrimary(edits: EntryEdits, primary: PrimaryWrite & { readonly kind: 'update' }) {
  const { type, id } = primary;
  const entry = edits.find(type, id) as EntryEdit;
  const others = linksIn(entry, 'localizations').flatMap((link) => edits.find(type, link.id) ?? []);
  return splitHeld(
    primary,
    entry,
    others.some((other) => other.get('_live') !== undefined),
  );
}

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

/** Whether the primary entry is there and matches the condition. It is locked, so this does not change any more. */
async function isFound(
  parts: WriteParts,
  edits: EntryEdits,
  primary: PrimaryWrite,
  condition: Document | undefined,
): Promise<boolean> {
  const edit = edits.find(primary.type, primary.id);
  if (edit === undefined) return false;
  if (primary.kind === 'update' && primary.alone === true && edit.get('localizations') !== undefined) return false;
  if (primary.kind === 'update' && primary.copy === 'save' && edit.get('_live') === undefined) return false;
  return matches(parts, primary.type, primary.id, condition);
}

async function matches(
  { db, timeout: maxTimeMS }: WriteParts,
  { collectionName }: ContentType,
  id: number,
  condition: Document | undefined,
): Promise<boolean> {
  if (condition === undefined) return true;
  const filter = { $and: [{ _id: id }, condition] };
  return (await entriesOf(db, collectionName).countDocuments(filter, { maxTimeMS })) > 0;
}

const MISSING = 'missing';

const valuesOf = (edit: EntryEdit | undefined, names: readonly string[]): MergedChanges['shared'] =>
  new Map(names.map((name) => [name, edit?.get(name) as StoredValue | undefined]));

const keyOfTarget = ({ attribute, id }: TakenTarget): EntryKey => ({
  collection: attribute.target.collectionName,
  id,
});

/**
 * The copy that the write of an entry uses, which is locked; undefined: none. If it does not match the condition, or
 * there is none to discard, the entry counts as missing.
 */
async function findCopy(
  parts: WriteParts,
  edits: EntryEdits,
  primary: PrimaryWrite,
  condition: Document | undefined,
): Promise<EntryEdit | undefined | typeof MISSING> {
  const { type, id } = primary;
  if (type.copies === undefined || primary.kind === 'insert') return undefined;
  const entry = edits.find(type, id);
  const isWanted = primary.kind === 'update' && primary.copy === 'discard';
  if (entry === undefined || !hasCopy(entry)) return isWanted ? MISSING : undefined;
  if (primary.kind === 'update' && primary.copy === undefined && !mergesCopy(primary)) return undefined;
  await edits.lock([copyKey(type.copies, id)]);
  if (!(await matches(parts, type.copies, id, condition))) return MISSING;
  return edits.find(type.copies, id);
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

function writeEntry(
  edits: EntryEdits,
  primary: PrimaryWrite & { readonly kind: 'insert' | 'update' },
  copy: EntryEdit | undefined,
  taken: readonly TakenTarget[],
): void {
  const { type, id } = primary;
  if (primary.kind === 'update' && primary.copy === 'save') return saveCopy(edits, primary, copy);
  if (primary.kind === 'insert') edits.insert(primary, editOf(primary.document));
  else changeWithCopy(primary, edits.find(type, id) as EntryEdit, copy);
  const entry = edits.find(type, id) as EntryEdit;
  if (copy !== undefined && type.copies !== undefined && !hasCopy(entry)) edits.remove({ type: type.copies, id });
  for (const { attribute, id: target } of taken)
    for (const { id: other, edit } of edits.all(type)) if (other !== id) unlinkOwner(edit, attribute, target);
}

async function removeEntry(
  parts: WriteParts,
  edits: EntryEdits,
  primary: PrimaryWrite & { readonly kind: 'remove' },
  copy: EntryEdit | undefined,
): Promise<void> {
  const { type, id, deletion } = primary;
  const entry = edits.find(type, id);
  if (type.trash !== undefined && deletion !== undefined && entry !== undefined) {
    const latest = latestOf(entry.document(), copy?.document());
    const document = await documentInTrash(parts, primary, { latest, deletion }, edits.lock);
    edits.insert({ type: type.trash.type, id }, editOf(document));
  }
  edits.remove({ type, id });
  if (copy !== undefined && type.copies !== undefined) edits.remove({ type: type.copies, id });
}

/** See `savedCopy`. An entry whose copy would change nothing has none. */
function saveCopy(
  edits: EntryEdits,
  primary: PrimaryWrite & { readonly kind: 'update' },
  stored: EntryEdit | undefined,
): void {
  const { type, id } = primary;
  const entry = edits.find(type, id);
  if (entry === undefined || type.copies === undefined) return;
  const copy = savedCopy(primary, entry, stored);
  if (copy !== undefined && stored === undefined) {
    edits.insert({ type: type.copies, id }, copy);
    entry.set(COPIED, 1);
  } else if (copy === undefined && stored !== undefined) {
    edits.remove({ type: type.copies, id });
    entry.set(COPIED, undefined);
    entry.set(REVIEW, undefined);
  }
}

async function writeDependants(parts: WriteParts, edits: EntryEdits, write: DependentWrite): Promise<void> {
  if (write.kind === 'share') return shareValues(parts, edits, write);
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
    const wasLinked = isLinked(edit);
    const changeOwner = (owner: EntryEdit): void => {
      // Others that get a new rank may have lost their link before they were locked.
      if (rank !== undefined && (owners.includes(id) || wasLinked))
        linkOwner(owner, attribute, target.id, isRanked(attribute) ? rank : undefined);
      else if (!owners.includes(id) && (replacesAll(change, write.many) || change.disconnect.includes(id)))
        unlinkOwner(owner, attribute, target.id);
    };
    changeOwner(edit);
    const copy = wasLinked || isLinked(edit) ? await copyChanging(edits, { type, id }, attribute) : undefined;
    // A link that the copy itself removes is not given to it again, because the entry keeps it.
    if (copy !== undefined && (wasLinked !== isLinked(edit) || isLinked(copy))) changeOwner(copy);
  }
}

/**
 * The copy of an entry if it changes a list, locked: what others link there is no change of the entry that the copy
 * replaces.
 */
async function copyChanging(
  edits: EntryEdits,
  { type, id }: EntryName,
  { name, many }: RelationAttribute,
): Promise<EntryEdit | undefined> {
  const entry = edits.find(type, id);
  if (!many || type.copies === undefined || entry === undefined || !hasCopy(entry)) return undefined;
  await edits.lock([copyKey(type.copies, id)]);
  const copy = edits.find(type.copies, id);
  return copy !== undefined && changesIn(copy).has(name) ? copy : undefined;
}

/**
 * The ranks of the connected entries: those of a whole list, or for positions those beside their neighbours, or the
 * next ones.
 */
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

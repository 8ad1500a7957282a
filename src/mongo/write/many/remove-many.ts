import type { Document } from 'mongodb';
import type { ContentType, RelationAttribute } from '../../../content-types/model/types.js';
import { changesOf } from '../../../query/change.js';
import type { ReferenceRemoval } from '../../../query/mutation.js';
import type { Transaction } from '../../transactions/transaction.js';
import { idsOf, removalStep, type WriteParts } from '../write-one.js';

/** An entry to remove, and the removals of the references to it. */
export interface Removal {
  readonly id: number;
  readonly references: readonly ReferenceRemoval[];
}

export interface Removed {
  readonly count: number;
  /** The entries that do not exist any more. */
  readonly ids: ReadonlySet<number>;
}

/**
 * Removes those of the entries that match the filter when they are locked, and the references to them, in one transaction.
 * @throws Locked; AppError unavailable; the driver's error
 */
export async function removeMany(
  parts: WriteParts,
  type: ContentType,
  removals: readonly Removal[],
  matching: Document,
): Promise<Removed> {
  const { collectionName: collection, uid } = type;
  const remove = async (transaction: Transaction): Promise<Removed> => {
    const keys = removals.map(({ id }) => ({ collection, id }));
    const documents = await transaction.lock(keys);
    const present = removals.flatMap(({ id }, index) => (documents[index] === undefined ? [] : [id]));
    const ids = new Set(await idsOf(parts, collection, { $and: [{ _id: { $in: present } }, matching] }));
    const removed = removals.filter(({ id }) => ids.has(id));
    await transaction.apply(removed.map(({ id }) => ({ kind: 'remove', collection, id, uid })));
    const references = joinUnlinks(removed.flatMap((removal) => removal.references));
    transaction.after(references.map(removalStep), changesOf([type]));
    const gone = new Set(removals.flatMap(({ id }) => (present.includes(id) && !ids.has(id) ? [] : [id])));
    return { count: ids.size, ids: gone };
  };
  const execute = (transaction: Transaction): Promise<Removed> => transaction.inTurn(() => remove(transaction));
  return parts.transactions.joinOrRepeat(execute);
}

/** One removal per relation for all entries. */
function joinUnlinks(removals: readonly ReferenceRemoval[]): readonly ReferenceRemoval[] {
  const unlinks = new Map<RelationAttribute, ReferenceRemoval & { readonly kind: 'unlink' }>();
  for (const removal of removals) {
    if (removal.kind !== 'unlink') continue;
    const targets = unlinks.get(removal.attribute)?.targets ?? [];
    unlinks.set(removal.attribute, { ...removal, targets: [...targets, ...removal.targets] });
  }
  return [...unlinks.values(), ...removals.filter(({ kind }) => kind !== 'unlink')];
}

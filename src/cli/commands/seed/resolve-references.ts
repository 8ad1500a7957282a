import type { Key, ReferenceIds } from './known-ids.js';

/** Finds the entries that are led to, with one query for each attribute that they are named by. */
export async function resolveReferences(
  references: readonly Key[],
  referenceIds: ReferenceIds,
): Promise<(reference: Key) => number | undefined> {
  const groups = new Map<string, Map<string, Key>>();
  for (const reference of references) {
    const group = groups.get(groupOf(reference)) ?? new Map<string, Key>();
    groups.set(groupOf(reference), group.set(referenceIds.textOf(reference), reference));
  }
  const found = await Promise.all(
    [...groups].map(async ([place, group]) => [place, await referenceIds.find([...group.values()])] as const),
  );
  const ids = new Map(found);
  return (reference) => ids.get(groupOf(reference))?.get(referenceIds.textOf(reference));
}

const groupOf = ({ type, key }: Key): string => `${type.uid} ${key}`;

import type { EntryInput } from './entry-input.js';

/** The number of new components of each kind, at all levels: each needs an id. */
export function countNewComponents(
  entry: EntryInput,
  counts: Map<string, number> = new Map(),
): ReadonlyMap<string, number> {
  for (const input of entry.values()) {
    if (input.kind !== 'components') continue;
    for (const { component, isNew, values } of input.components) {
      if (isNew) counts.set(component.uid, (counts.get(component.uid) ?? 0) + 1);
      countNewComponents(values, counts);
    }
  }
  return counts;
}

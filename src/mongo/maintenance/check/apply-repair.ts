import type { Store } from '../../store.js';
import type { Repair } from './violation.js';

/** Resolves a contradiction between entries. */
export async function applyRepair(store: Store, { references = [], writes = [] }: Repair): Promise<void> {
  if (references.length > 0) await store.removeReferences(references);
  for (const write of writes) await store.apply(write);
}

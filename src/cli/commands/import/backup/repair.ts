import type { Registry } from '../../../../content-types/model/types.js';
import type { Violation } from '../../../../mongo/maintenance/check/violation.js';
import { checkDatabase } from '../../../../mongo/maintenance/check/check-database.js';
import type { Database } from '../../../../mongo/connection/database.js';
import type { Store } from '../../../../mongo/store.js';

/** What a check found: how often entries were made to agree, and what is still wrong. */
export interface Repaired {
  readonly mended: number;
  readonly violations: readonly Violation[];
}

/** A mended entry may show what it hid; each round leaves fewer. */
const ROUNDS = 3;

/** Checks every rule of the storage on every entry, and lets entries that contradict each other agree. */
export async function repairDatabase(
  { db }: Database,
  registry: Registry,
  store: Store,
  onProgress: (entries: number) => void = () => undefined,
): Promise<Repaired> {
  let mended = 0;
  for (let round = 1; ; round += 1) {
    const violations: Violation[] = [];
    const before = mended;
    let entries = 0;
    for await (const checked of checkDatabase(db, registry)) {
      entries += checked.entries;
      onProgress(entries);
      for (const violation of checked.breaches) {
        if (violation.mend === undefined || round === ROUNDS) violations.push(violation);
        else {
          await store.apply([violation.mend]);
          mended += 1;
        }
      }
    }
    if (mended === before) return { mended, violations };
  }
}

import type { Registry } from '../../../../content-types/model/types.js';
import type { Violation } from '../../../../mongo/maintenance/check/violation.js';
import { checkDatabase } from '../../../../mongo/maintenance/check/check-database.js';
import type { Database } from '../../../../mongo/connection/database.js';
import type { Store } from '../../../../mongo/store.js';

/** The result of a check: the number of repairs, and the remaining violations. */
export interface Repaired {
  readonly mended: number;
  readonly violations: readonly Violation[];
}

/** A repair may reveal further violations; each round leaves fewer. */
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
    const mendedBefore = mended;
    let entries = 0;
    for await (const checked of checkDatabase(db, registry)) {
      entries += checked.entries;
      onProgress(entries);
      for (const violation of checked.violations) {
        if (violation.repair === undefined || round === ROUNDS) violations.push(violation);
        else {
          await store.apply([violation.repair]);
          mended += 1;
        }
      }
    }
    if (mended === mendedBefore) return { mended, violations };
  }
}

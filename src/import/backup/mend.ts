import type { Registry } from '../../content-types/types.js';
import type { Breach } from '../../mongo/check/breach.js';
import { checkDatabase } from '../../mongo/check/check-database.js';
import type { Database } from '../../mongo/database.js';
import type { Store } from '../../mongo/store.js';

/** What a check found: how often entries were made to agree, and what is still wrong. */
export interface Mended {
  readonly mended: number;
  readonly breaches: readonly Breach[];
}

/** A mended entry may show what it hid; each round leaves fewer. */
const ROUNDS = 3;

/** Checks every rule of the storage on every entry, and lets entries that contradict each other agree. */
export async function mendDatabase(
  { db }: Database,
  registry: Registry,
  store: Store,
  tell: (entries: number) => void = () => undefined,
): Promise<Mended> {
  let mended = 0;
  for (let round = 1; ; round += 1) {
    const breaches: Breach[] = [];
    const before = mended;
    let entries = 0;
    for await (const checked of checkDatabase(db, registry)) {
      entries += checked.entries;
      tell(entries);
      for (const breach of checked.breaches) {
        if (breach.mend === undefined || round === ROUNDS) breaches.push(breach);
        else {
          await store.apply([breach.mend]);
          mended += 1;
        }
      }
    }
    if (mended === before) return { mended, breaches };
  }
}

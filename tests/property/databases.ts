import fc from '../support/fast-check.js';
import { openStore, type Store } from '../../src/mongo/store.js';
import type { TestService } from '../../src/testing.js';
import type { World } from '../support/evaluate-filter.js';
import { seed } from '../support/scaled.js';
import { corpus } from '../support/service.js';
import { choicesOf } from './choices.js';
import { fillWorld, readWorld } from './random-data.js';

/** The content types of the worlds, with a word for people. */
export const folders = [
  ['the corpus', corpus],
  ['components that lead to entries', 'tests/property/content-types'],
] as const;

/** Numbers to make choices from. */
export const tape = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.noBias(fc.nat(0xff_ff)), { minLength: length, maxLength: length, size: 'max' });

/** A new world of `size` entries in the service's database, and a store that has seen no other. */
export async function makeWorld(service: TestService, size: number): Promise<{ world: World; store: Store }> {
  const [numbers = []] = fc.sample(tape(5000), { seed: seed + size, numRuns: 1 });
  await fillWorld(service, size, choicesOf(numbers));
  const { db } = service.database;
  return { world: await readWorld(db, service.registry), store: openStore(db, { timeout: 60_000, exclusive: true }) };
}

import { afterEach, expect, jest, test } from '@jest/globals';
import fc from '../../../tests/support/fast-check.js';
import { settledRecords } from '../src/list.js';

afterEach(() => void jest.restoreAllMocks());

/** The ids of an export after one. */
async function exported(stored: ReadonlySet<number>, createdAt: string, after: number): Promise<readonly number[]> {
  async function* records() {
    for (const id of [...stored].toSorted((a, b) => a - b)) if (id > after) yield { id, createdAt };
  }
  const ids: number[] = [];
  for await (const { id } of settledRecords(records(), after)) ids.push(id);
  return ids;
}

test('exports that each go on after the last record have every record once, whoever stores them in which order', async () => {
  const createdAt = new Date().toISOString();
  // Numbers that are taken, in the order in which their records are stored, some never; and exports between them.
  const events = fc
    .uniqueArray(fc.integer({ min: 1, max: 30 }))
    .chain((ids) => fc.tuple(fc.constant(ids), fc.array(fc.nat({ max: 30 }), { maxLength: 8 })));
  await fc.assert(
    fc.asyncProperty(events, async ([ids, exports]) => {
      const stored = new Set<number>();
      const known: number[] = [];
      const go = async (): Promise<void> => void known.push(...(await exported(stored, createdAt, known.at(-1) ?? 0)));
      for (const [index, id] of ids.entries()) {
        stored.add(id);
        if (exports.includes(index)) await go();
      }
      jest.spyOn(Date, 'now').mockReturnValue(Date.parse(createdAt) + 61_000);
      await go();
      jest.restoreAllMocks();
      expect(known).toEqual(ids.toSorted((a, b) => a - b));
    }),
  );
});

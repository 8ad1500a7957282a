import { expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import { createIdSet } from '../../../../src/mongo/maintenance/check/id-set.js';

test('a set of ids contains the same ids as a Set', () => {
  const ids = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 4080, max: 4110 }), fc.maxSafeNat());
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 200 }), (list) => {
      const [set, expected] = [createIdSet(), new Set<number>()];
      for (const id of list) {
        expect(set.add(id)).toBe(!expected.has(id));
        expected.add(id);
        expect([set.has(id), set.has(id + 1)]).toEqual([true, expected.has(id + 1)]);
      }
    }),
  );
});

import { expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import { jsonSize } from '../../../src/documents/response/response-body.js';

/** Escapes are not counted, nor are letters of short texts that take several bytes. */
const letters = fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' '), maxLength: 700 });
const { tree: value } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    letters,
    fc.integer({ min: -999_999, max: 999_999 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('tree')),
    fc.dictionary(letters, tie('tree')),
  ),
}));

test('the estimated size of a value is at least its JSON size and close to it', () => {
  fc.assert(
    fc.property(value, (one) => {
      const written = Buffer.byteLength(JSON.stringify(one));
      const size = jsonSize(one, Number.MAX_SAFE_INTEGER);
      expect(size).toBeGreaterThanOrEqual(written - 2);
      expect(size).toBeLessThanOrEqual(8 * written);
    }),
  );
});

test('strings count with their bytes', () => {
  expect(jsonSize('x'.repeat(10_000), 1e9)).toBe(10_002);
  expect(jsonSize({ body: '–'.repeat(10_000) }, 1e9)).toBeGreaterThan(30_000);
});

test('repeated values count each time, and counting stops at the limit', () => {
  const text = 'x'.repeat(20_000);
  const many = Array.from({ length: 1000 }, () => ({ text }));
  expect(jsonSize(many, 1e9)).toBeGreaterThan(20_000_000);
  let looked = 0;
  const watched = many.map((one) => ({
    get text() {
      looked += 1;
      return one.text;
    },
  }));
  expect(jsonSize(watched, 100_000)).toBeGreaterThan(100_000);
  expect(looked).toBeLessThan(10);
});

test('dates and values with toJSON count as their JSON', () => {
  expect(jsonSize(new Date(0), 1e9)).toBe(JSON.stringify(new Date(0)).length);
  expect(jsonSize({ toJSON: () => 'x'.repeat(1000) }, 1e9)).toBe(1002);
});

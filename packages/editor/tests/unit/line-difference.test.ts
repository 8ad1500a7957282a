import { expect, test } from '@jest/globals';
import { lineDifference } from '../../src/browser/builder/review/line-difference.js';
import fc from '../../../../tests/support/fast-check.js';

test('a difference has the lines of both texts in their order', () => {
  expect(lineDifference('a\nb\nc\n', 'a\nx\nc\nd\n')).toBe(' a\n-b\n+x\n c\n+d');
  expect(lineDifference('', 'a\n')).toBe('+a');
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDifference(before.join('\n'), after.join('\n')).split('\n');
      const without = (sign: string): string[] => lines.filter((line) => line[0] !== sign).map((line) => line.slice(1));
      expect([without('+'), without('-')]).toEqual([before, after]);
      expect(before.join() === after.join()).toBe(lines.every((line) => line.startsWith(' ')));
    }),
  );
});

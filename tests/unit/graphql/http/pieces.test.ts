import { expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import { toPieces } from '../../../../src/graphql/http/serve.js';

test('a long string is sent in chunks of complete characters, a short one at once', () => {
  const text = fc.record({ before: fc.nat(3), unit: fc.constantFrom('a', 'é', '😀'), times: fc.nat(2 ** 19) });
  fc.assert(
    fc.property(text, ({ before, unit, times }) => {
      const whole = 'x'.repeat(before) + unit.repeat(times);
      const pieces = toPieces(whole);
      expect(typeof pieces === 'string').toBe(whole.length <= 2 ** 18);
      const sent = Buffer.concat([...(typeof pieces === 'string' ? [pieces] : pieces)].map((one) => Buffer.from(one)));
      expect(sent.equals(Buffer.from(whole))).toBe(true);
      expect([...pieces].every((one) => one.length <= 2 ** 18 + 1)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

import { expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import { writeDateTime } from '../../../src/content-types/model/dates.js';

test('a timestamp is written like by JSON.stringify', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: false }), (moment) => {
      expect(writeDateTime(moment)).toBe(moment.toJSON());
    }),
  );
  for (const time of [0, -1, 1, Date.UTC(10_000, 0) - 1, Date.UTC(10_000, 0), Date.UTC(2024, 1, 29), Number.NaN]) {
    expect(writeDateTime(new Date(time))).toBe(new Date(time).toJSON());
  }
});

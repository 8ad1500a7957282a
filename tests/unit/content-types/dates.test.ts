import { expect, test } from '@jest/globals';
import { writeDateTime } from '../../../src/content-types/model/dates.js';

test.each([0, -1, Date.UTC(10_000, 0), Date.UTC(2024, 1, 29), Number.NaN])(
  'the timestamp %s is written like by JSON.stringify',
  (time) => {
    expect(writeDateTime(new Date(time))).toBe(new Date(time).toJSON());
  },
);

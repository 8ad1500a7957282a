import { expect, test } from '@jest/globals';
import { parseInterval } from '../../../src/config/plugins/interval.js';

test.each([
  [60_000, 60_000],
  ['1000', 1000],
  [{ min: 5 }, 300_000],
  [{ hour: 1, sec: 30 }, 3_630_000],
  [{ minutes: 5 }, NaN],
  [{ min: 'x' }, NaN],
  [undefined, NaN],
])('%j is an interval of %d milliseconds', (interval, milliseconds) => {
  expect(parseInterval(interval)).toBe(milliseconds);
});

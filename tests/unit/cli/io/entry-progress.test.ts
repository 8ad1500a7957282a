import { expect, test } from '@jest/globals';
import { describeProgress } from '../../../../src/cli/io/entry-progress.js';

test.each([
  [0, 0, 0, '0 %  0 of 0 entries'],
  [0, 100, 0, '0 %  0 of 100 entries'],
  [42_000, 100_000, 2, '42 %  42,000 of 100,000 entries  21,000 a second  3 s left'],
  [1000, 100_000, 1, '1 %  1,000 of 100,000 entries  1,000 a second  1 min 39 s left'],
  [100, 100, 4, '100 %  100 of 100 entries  25 a second'],
  [120, 100, 4, '100 %  100 of 100 entries  30 a second'],
])('%d of %d entries after %d seconds are shown as "%s"', (done, total, seconds, line) => {
  expect(describeProgress(done, total, seconds)).toBe(line);
});

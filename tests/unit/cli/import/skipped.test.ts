import { expect, test } from '@jest/globals';
import { gatherSkipped } from '../../../../src/cli/commands/import/skipped.js';

test('what an archive has without a meaning here is counted in a list that stays short', () => {
  const skipped = gatherSkipped();
  for (let index = 0; index < 5000; index += 1) skipped.skip(`an entry of api::t${index % 1000}.t${index % 1000}`);
  const lines = skipped.lines();
  expect(lines).toHaveLength(102);
  expect(lines[1]).toBe('  5 × an entry of api::t0.t0');
  expect(lines.at(-1)).toBe('  4,500 × others');
});

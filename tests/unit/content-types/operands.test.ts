import { expect, test } from '@jest/globals';
import { idOperand } from '../../../src/content-types/model/attribute-types.js';
import { processorTimeOf } from '../../support/processor-time.js';

test('an id is a number as SQLite reads it', () => {
  const texts = ['1', ' 1 ', '+1.', '1.5', '.5', '-1e3', '1.e2', '', '.', '1x', '1e', '1.2.3', '0x1'];
  expect(texts.map((text) => idOperand(text))).toEqual([1, 1, 1, 1.5, 0.5, -1000, 100, ...Array(6).fill(undefined)]);
});

test('a long string that is not an id is refused in linear time', async () => {
  // A body can be that long; a search that goes back from each digit takes hours.
  const texts = [
    `${'1'.repeat(200_000)}x`,
    `${'1'.repeat(100_000)}.${'1'.repeat(100_000)}x`,
    `1${' '.repeat(200_000)}x`,
  ];
  expect(await processorTimeOf(() => texts.map((text) => idOperand(text)))).toBeLessThan(1000);
});

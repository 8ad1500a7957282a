import { expect, test } from '@jest/globals';
import { noSelection, toggle, toggleAll, without } from '../../src/browser/model/library/selection.js';

const shown = [9, 7, 5, 3, 1];

test('a click selects a file, and another one takes it out again', () => {
  const one = toggle(noSelection, shown, 7, false);
  expect(one).toEqual({ ids: [7], anchor: 7 });
  const two = toggle(one, shown, 3, false);
  expect(two).toEqual({ ids: [7, 3], anchor: 3 });
  expect(toggle(two, shown, 7, false).ids).toEqual([3]);
});

test('a click with Shift changes all from the last one to this one, in both directions, as this one changes', () => {
  const one = toggle(noSelection, shown, 7, false);
  const range = toggle(one, shown, 3, true);
  expect(range).toEqual({ ids: [7, 5, 3], anchor: 3 });
  expect(toggle(range, shown, 9, true).ids).toEqual([9, 7, 5, 3]);
  expect(toggle(range, shown, 5, true).ids).toEqual([7]);
});

test('a range has a beginning that is shown', () => {
  expect(toggle(noSelection, shown, 3, true).ids).toEqual([3]);
  expect(toggle({ ids: [8], anchor: 8 }, shown, 3, true).ids).toEqual([8, 3]);
});

test('all that is shown is selected, and then nothing', () => {
  const all = toggleAll({ ids: [7], anchor: 7 }, shown);
  expect(all.ids).toEqual(shown);
  expect(toggleAll(all, shown)).toEqual(noSelection);
});

test('what is done is not selected any more', () => {
  expect(without({ ids: [7, 5, 3], anchor: 3 }, [7, 3])).toEqual({ ids: [5], anchor: 3 });
});

import { expect, test } from '@jest/globals';
import {
  firstState,
  libraryAddress,
  openedBy,
  pagesOf,
  parseLibraryState,
  stepFrom,
} from '../../src/browser/model/library/library-state.js';

test('the address has what differs from the first state, and nonsense in it is left out', () => {
  const state = {
    folder: 3,
    kind: 'images',
    worklist: 'unused',
    text: 'a & b',
    order: 'largest',
    page: 2,
    pageSize: 48,
  } as const;
  expect(libraryAddress(state)).toBe(
    '/files?folder=3&kind=images&worklist=unused&order=largest&page=2&pageSize=48&search=a+%26+b',
  );
  expect(parseLibraryState(libraryAddress(state).split('?')[1] ?? '')).toEqual(state);
  expect(libraryAddress(firstState)).toBe('/files');
  expect(parseLibraryState('folder=x&page=-1&order=toString&worklist=all&pageSize=5000&other=1')).toEqual(firstState);
});

test.each([
  [0, 1],
  [24, 1],
  [25, 2],
  [5000, 209],
])('%i files have %i pages', (total, pages) => {
  expect(pagesOf(total, 24)).toBe(pages);
});

test('the next file is on the page, or the first of the next page; the previous one is the last of the page before', () => {
  const shown = { ids: [7, 5, 3], page: 2, hasNext: true };
  expect(stepFrom({ id: 7, at: 0 }, 1, shown)).toEqual({ id: 5, at: 1 });
  expect(stepFrom({ id: 5, at: 1 }, -1, shown)).toEqual({ id: 7, at: 0 });
  const [next, previous] = [
    { page: 3, edge: 'first' },
    { page: 1, edge: 'last' },
  ] as const;
  expect(stepFrom({ id: 3, at: 2 }, 1, shown)).toEqual(next);
  expect(stepFrom({ id: 7, at: 0 }, -1, shown)).toEqual(previous);
  expect(stepFrom({ id: 3, at: 2 }, 1, { ...shown, hasNext: false })).toBeUndefined();
  expect(stepFrom({ id: 7, at: 0 }, -1, { ...shown, page: 1 })).toBeUndefined();
  expect([next, previous].map((step) => openedBy(step, [9, 8]))).toEqual([
    { id: 9, at: 0 },
    { id: 8, at: 1 },
  ]);
  expect(openedBy(next, [])).toBeUndefined();
});

test('a file that is not shown any more has the neighbours that it had', () => {
  const shown = { ids: [7, 3], page: 1, hasNext: false };
  expect(stepFrom({ id: 5, at: 1 }, 1, shown)).toEqual({ id: 3, at: 1 });
  expect(stepFrom({ id: 5, at: 1 }, -1, shown)).toEqual({ id: 7, at: 0 });
  expect(stepFrom({ id: 2, at: 2 }, 1, shown)).toBeUndefined();
});

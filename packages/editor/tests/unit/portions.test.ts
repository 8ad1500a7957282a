import { expect, test } from '@jest/globals';
import type { Refusal } from '../../src/browser/model/lists/bulk.js';
import { writeInPortions, type PortionedWork } from '../../src/browser/model/lists/portions.js';

interface Item {
  readonly id: number;
}

const itemsUpTo = (count: number): readonly Item[] => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

class Refused extends Error {
  readonly refusals: readonly Refusal[] | undefined;
  constructor(refusals: readonly Refusal[] | undefined) {
    super('refused');
    this.refusals = refusals;
  }
}
const about = (index: number | undefined, message: string): Refusal => ({ index, issue: { path: '', message } });

interface Options extends Partial<Pick<PortionedWork<Item, string>, 'current' | 'isStopped'>> {
  readonly refuse?: (ids: readonly number[]) => readonly Refusal[] | undefined;
  readonly isDown?: (ids: readonly number[]) => boolean;
}

/** What is sent, and what becomes of it. */
async function run(count: number, size: number, { refuse, isDown, ...others }: Options = {}) {
  const sent: (readonly number[])[] = [];
  const progress: number[] = [];
  const outcome = await writeInPortions<Item, string>({
    items: itemsUpTo(count),
    size,
    current: async (portion) => portion,
    write: async (portion) => {
      const ids = portion.map(({ id }) => id);
      sent.push(ids);
      if (isDown?.(ids) === true) throw new Refused(undefined);
      const refusals = refuse?.(ids);
      if (refusals !== undefined && refusals.length > 0) throw new Refused(refusals);
      return ids.map((id) => `written ${id}`);
    },
    refusalsOf: (error) => (error as Refused).refusals,
    isStopped: () => false,
    onProgress: (ended) => progress.push(ended),
    ...others,
  });
  const { written, refused, left } = outcome;
  return {
    ...outcome,
    sent,
    progress,
    written: written.map(({ item, result }) => [item.id, result]),
    refused: refused.map(({ item, issues }) => [item.id, issues.map(({ message }) => message).join()]),
    left: left.map(({ id }) => id),
  };
}

test('entries are written a portion at a time', async () => {
  const { sent, progress, written, refused, left, skipped } = await run(5, 2);
  expect(sent).toEqual([[1, 2], [3, 4], [5]]);
  expect(progress).toEqual([2, 4, 5]);
  expect(written[4]).toEqual([5, 'written 5']);
  expect([refused, left, skipped]).toEqual([[], [], 0]);
});

test('the others are written without those that a refusal names', async () => {
  const { sent, written, refused } = await run(4, 4, {
    refuse: (ids) => ids.flatMap((id, index) => (id === 2 || id === 3 ? [about(index, `not ${id}`)] : [])),
  });
  expect(sent).toEqual([
    [1, 2, 3, 4],
    [1, 4],
  ]);
  expect(written.map(([id]) => id)).toEqual([1, 4]);
  expect(refused).toEqual([[2, 'not 2'], [3, 'not 3']]); // prettier-ignore
});

test('a refusal that names none is looked for in halves', async () => {
  const { written, refused } = await run(8, 8, {
    refuse: (ids) => (ids.includes(6) ? [about(undefined, 'somewhere')] : []),
  });
  expect(written.map(([id]) => id)).toEqual([1, 2, 3, 4, 5, 7, 8]);
  expect(refused).toEqual([[6, 'somewhere']]);
});

test('what others have changed in the meantime is skipped', async () => {
  const { sent, skipped, progress } = await run(4, 2, {
    current: async (portion) => portion.filter(({ id }) => id !== 2),
  });
  expect([sent, skipped, progress]).toEqual([[[1], [3, 4]], 1, [2, 4]]);
});

test('stopping leaves what was not reached', async () => {
  let portions = 0;
  const { written, left } = await run(6, 2, { isStopped: () => portions > 1, current: async (portion) => {
    portions += 1;
    return portion;
  } }); // prettier-ignore
  // The second portion was read, and is not written any more.
  expect(written.map(([id]) => id)).toEqual([1, 2]);
  expect(left).toEqual([3, 4, 5, 6]);
});

test('where nothing can be written any more, the rest is left, with the reason', async () => {
  const { written, left, refused, error } = await run(6, 2, { isDown: (ids) => ids.includes(3) });
  expect(written.map(([id]) => id)).toEqual([1, 2]);
  expect([left, refused, error]).toEqual([[3, 4, 5, 6], [], new Refused(undefined)]);
});

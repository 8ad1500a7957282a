import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createCountCache } from '../../../../src/mongo/cache/count-cache.js';
import { versionsOf } from '../../../support/versions.js';
import type { ReadPlan } from '../../../../src/mongo/compile/plan.js';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const start = performance.now();
/** The cache looks at the clock, and not more often than once in a millisecond. */
function passTo(milliseconds: number): void {
  jest.spyOn(performance, 'now').mockReturnValue(start + milliseconds);
  jest.advanceTimersByTime(10);
}

test('a total is counted again if its version changed, and after a minute', async () => {
  passTo(0);
  const cache = createCountCache();
  const plan = {
    before: [],
    count: { collection: 'tags', filter: {}, dependencies: new Map([['tag', new Set(['id'])]]) },
  } as unknown as ReadPlan;
  let counted = 0;
  const count = (): Promise<number> => Promise.resolve((counted += 1));
  const total = (version: string): Promise<number> => {
    const page = {
      entries: [() => ({})],
      places: [],
      filter: {},
      ids: () => new Map(),
      versions: versionsOf({ tag: version }),
    };
    return cache.get(plan, page, { form: 'offset', start: 0, limit: 1, withCount: true }, count);
  };
  expect([await total('1'), await total('1'), await total('2'), await total('2')]).toEqual([1, 1, 2, 2]);
  passTo(59_000);
  expect(await total('2')).toBe(2);
  passTo(61_000);
  expect(await total('2')).toBe(3);
});

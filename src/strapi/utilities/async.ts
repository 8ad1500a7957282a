import lodash from 'lodash';
import type { Anything } from '../strapi.js';

type List = readonly unknown[];
type Mapper = (item: Anything, index: number) => unknown;
interface Concurrency {
  readonly concurrency?: number;
}

/** Maps a list, at most `concurrency` items at a time; the results are in the order of the list. */
async function mapConcurrently(
  list: List,
  map: Mapper,
  { concurrency = Infinity }: Concurrency = {},
): Promise<unknown[]> {
  const results: unknown[] = [];
  const entries = list.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await map(await item, index);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, list.length) }, work));
  return results;
}

/** The functions of `@strapi/utils` that run other functions and wait for them. */
export const asyncUtilities = {
  pipeAsync:
    (...steps: readonly ((...args: Anything[]) => unknown)[]) =>
    async (...args: Anything[]): Promise<unknown> => {
      const [first, ...others] = steps;
      let result = await first?.(...args);
      for (const step of others) result = await step(result);
      return result;
    },
  /** Curried, as in Strapi v4. */
  mapAsync: lodash.curry(mapConcurrently, 2),
  reduceAsync:
    (list: List) => async (reduce: (result: Anything, item: Anything, index: number) => unknown, initial?: unknown) => {
      let result = initial;
      for (const [index, item] of list.entries()) result = await reduce(result, await item, index);
      return result;
    },
  forEachAsync: async (list: List, work: Mapper, options?: Concurrency): Promise<void> => {
    await mapConcurrently(list, work, options);
  },
};

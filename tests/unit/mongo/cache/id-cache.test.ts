import { expect, test } from '@jest/globals';
import { createIdCache } from '../../../../src/mongo/cache/id-cache.js';

test('ids are read again if the version of a type changed, and for other types or conditions', async () => {
  const cache = createIdCache();
  let reads = 0;
  const get = (types: readonly string[], version: string, locale = 'fr') => {
    const query = { collection: 'articles', pipeline: [{ $match: { locale } }], type: 'article' };
    return cache.get(query, { types, version }, () => Promise.resolve([(reads += 1)]));
  };
  expect([await get(['article'], '1'), await get(['article'], '1'), await get(['article'], '2')]).toEqual([
    [1],
    [1],
    [2],
  ]);
  expect(await get(['article'], '2', 'en')).toEqual([3]);
  // The same versions of other types.
  expect([await get(['article', 'tag'], '2 2'), await get(['article', 'author'], '2 2')]).toEqual([[4], [5]]);
  expect(await get(['article', 'tag'], '2 2')).toEqual([4]);
});

test('lists that do not fit into the cache are read each time', async () => {
  const cache = createIdCache();
  const ids = Array.from({ length: 3_000_000 }, () => 1);
  let reads = 0;
  const read = () => {
    reads += 1;
    return Promise.resolve(ids);
  };
  const query = { collection: 'articles', pipeline: [], type: 'article' };
  for (let round = 0; round < 2; round += 1) await cache.get(query, { types: ['article'], version: '1' }, read);
  expect(reads).toBe(2);
});

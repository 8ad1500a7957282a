import { expect, test } from '@jest/globals';
import { createIdCache } from '../../../../src/mongo/cache/id-cache.js';
import { planKey } from '../../../../src/mongo/cache/plan-key.js';
import { versionsOf } from '../../../support/versions.js';

test('ids are read again if the version of their type changed, and for other conditions', async () => {
  const cache = createIdCache();
  let reads = 0;
  const get = (version: string, locale = 'fr', collection = 'articles') => {
    const query = { collection, pipeline: [{ $match: { locale } }], type: 'article' };
    return cache.get(query, versionsOf({ article: version }), () => Promise.resolve([(reads += 1)]));
  };
  expect([await get('1'), await get('1'), await get('2')]).toEqual([[1], [1], [2]]);
  expect([await get('2', 'en'), await get('2', 'en', 'tags'), await get('2')]).toEqual([[3], [4], [2]]);
});

test('a read of another version does not share one that has begun', async () => {
  const cache = createIdCache();
  const get = (version: string, ids: readonly number[]) =>
    cache.get({ collection: 'tags', pipeline: [], type: 'tag' }, versionsOf({ tag: version }), () =>
      Promise.resolve(ids),
    );
  expect(await Promise.all([get('1', [1]), get('1', [2]), get('2', [3])])).toEqual([[1], [1], [3]]);
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
  for (let round = 0; round < 2; round += 1) await cache.get(query, versionsOf({ article: '1' }), read);
  expect(reads).toBe(2);
});

test('the key of a long condition is as long as that of a short one', () => {
  const keyOf = (text: string): string => planKey('articles', [{ $match: { title: { $eq: text } } }]);
  expect(keyOf('a'.repeat(1_000_000))).toHaveLength(keyOf('a').length);
  expect(new Set([keyOf('a'), keyOf('b'), keyOf('a')]).size).toBe(2);
});

import { expect, test } from '@jest/globals';
import { createVersionedCache } from '../../../../src/mongo/cache/versioned-cache.js';
import { versionsOf } from '../../../support/versions.js';

const versions = versionsOf({ article: '1' });
/** What a query that selects many attributes depends on: about 40 kB. */
const makeDependencies = () =>
  new Map([['article', new Set(Array.from({ length: 500 }, (_, index) => `attribute${index}`))]]);

async function countKept(dependenciesOf: () => ReturnType<typeof makeDependencies>): Promise<number> {
  const cache = createVersionedCache<number>({ bytes: 200_000, sizeOf: () => 8 });
  const keys = Array.from({ length: 100 }, (_, index) => `${index}`);
  for (const key of keys) cache.set(key, { versions, dependencies: dependenciesOf() }, 1);
  const found = await Promise.all(keys.map((key) => cache.get(key, versions)));
  return found.filter((value) => value !== undefined).length;
}

test('what values depend on counts, once for all that share it', async () => {
  const shared = makeDependencies();
  expect(await countKept(() => shared)).toBe(100);
  expect(await countKept(makeDependencies)).toBeLessThan(10);
});

test('what values that are dropped or replaced depended on no longer counts', async () => {
  const cache = createVersionedCache<number>({ bytes: 200_000, sizeOf: () => 8 });
  for (let index = 0; index < 1000; index += 1) cache.set('a', { versions, dependencies: makeDependencies() }, index);
  const shared = makeDependencies();
  cache.set('b', { versions, dependencies: shared }, 1);
  expect(await cache.get('a', versions)).toBe(999);
  expect(await cache.get('b', versions)).toBe(1);
});

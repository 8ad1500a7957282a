import { expect, test } from '@jest/globals';
import { createVersionedCache } from '../../../../src/mongo/cache/versioned-cache.js';
import { createSingleFlight } from '../../../../src/mongo/coordination/coalesce.js';
import { versionsOf } from '../../../support/versions.js';

/** A read that is answered by the test; each run returns its number. */
function openRead() {
  let [answer, fail]: [() => void, (error: Error) => void] = [() => undefined, () => undefined];
  const gate = new Promise<void>((resolve, reject) => {
    [answer, fail] = [resolve, reject];
  });
  let runs = 0;
  const read = async (): Promise<number> => {
    runs += 1;
    const run = runs;
    await gate;
    return run;
  };
  return { read, answer, fail, runs: () => runs };
}

test('callers with the same key share a read while it runs, and not afterwards', async () => {
  const once = createSingleFlight<number>();
  const { read, answer } = openRead();
  const results = ['a', 'a', 'b'].map((key) => once(key, read));
  answer();
  expect(await Promise.all(results)).toEqual([1, 1, 2]);
  expect(await once('a', read)).toBe(3);
});

test('those who wait for a read that fails read for themselves', async () => {
  const once = createSingleFlight<number>();
  const { read, fail } = openRead();
  const first = once('a', read);
  const second = once('a', () => Promise.resolve(42));
  fail(new Error('the client has gone away'));
  await expect(first).rejects.toThrow('the client has gone away');
  expect(await second).toBe(42);
});

test('a cache shares a read among callers with the same versions only', async () => {
  const cache = createVersionedCache<number>({ bytes: 2 ** 20, sizeOf: () => 0 });
  const { read, answer, runs } = openRead();
  const sources = (version?: string) => ({
    versions: versionsOf(version === undefined ? {} : { tag: version }),
    dependencies: new Map([['tag', 'all' as const]]),
  });
  const versions = ['1', '1', '2', undefined, undefined];
  const results = versions.map((version) => cache.getOrRead('key', sources(version), read));
  answer();
  await Promise.all(results);
  // Callers without a version know nothing of the writes between them.
  expect(runs()).toBe(4);
});

import { afterEach, expect, jest, test } from '@jest/globals';
import { createTtlCache } from '../../../../src/plugins/contract/ttl-cache.js';

afterEach(() => void jest.restoreAllMocks());

test('a change counts for the next look-up, and one that it overtakes is not kept', async () => {
  let finish: (value: string) => void = () => undefined;
  const first = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const load = jest.fn<() => Promise<string>>().mockReturnValueOnce(first).mockResolvedValue('revoked');
  const cache = createTtlCache(10, load);
  const early = cache.get(1);
  cache.clear();
  finish('granted');
  expect(await early).toBe('granted');
  expect(await cache.get(1)).toBe('revoked');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a look-up counts for a second from its start, however long it takes', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(5000);
  let finish: (value: string) => void = () => undefined;
  const slow = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const load = jest.fn<() => Promise<string>>().mockReturnValueOnce(slow).mockResolvedValue('revoked');
  const cache = createTtlCache(10, load);
  const early = cache.get(1);
  now.mockReturnValue(5900);
  finish('granted');
  expect(await early).toBe('granted');
  now.mockReturnValue(6000);
  expect(await cache.get(1)).toBe('granted');
  now.mockReturnValue(6001);
  expect(await cache.get(1)).toBe('revoked');
});

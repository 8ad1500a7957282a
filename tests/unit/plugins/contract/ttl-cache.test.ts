import { expect, jest, test } from '@jest/globals';
import { createTtlCache } from '../../../../src/plugins/contract/ttl-cache.js';

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

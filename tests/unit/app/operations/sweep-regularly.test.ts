import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { sweepRegularly } from '../../../../src/app/operations/sweep-regularly.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('sweeps do not overlap, and a failed one is logged and retried', async () => {
  const ends: ((error?: Error) => void)[] = [];
  const sweep = (): Promise<number> =>
    new Promise((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve(0) : reject(error)));
    });
  const lines: string[] = [];
  const log = { error: (_: object, message: string) => void lines.push(message) };
  const end = sweepRegularly({ store: { sweep }, rateLimits: { sweep: () => Promise.resolve() } }, log);
  await jest.advanceTimersByTimeAsync(120_000);
  expect(ends).toHaveLength(1);
  ends[0]?.(new Error('The database is away'));
  await jest.advanceTimersByTimeAsync(60_000);
  expect([ends.length, lines]).toEqual([2, ['Regular maintenance failed; it runs again at the next interval']]);
  end();
  ends[1]?.();
  await jest.advanceTimersByTimeAsync(120_000);
  expect(ends).toHaveLength(2);
});

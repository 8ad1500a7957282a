import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { AppError } from '../../../../src/errors/app-error.js';
import { repeat } from '../../../../src/mongo/coordination/repeat.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('failed runs are reported, but not that the database is away, and work goes on', async () => {
  const errors = [new AppError('unavailable'), new Error('A bug'), new AppError('unavailable')];
  const reported: unknown[] = [];
  let runs = 0;
  const work = async (): Promise<void> => {
    runs += 1;
    const error = errors[runs - 1];
    if (error !== undefined) throw error;
  };
  const end = repeat(1000, work, (error) => reported.push(String(error)));
  await jest.advanceTimersByTimeAsync(4000);
  await end();
  expect([runs, reported]).toEqual([4, ['Error: A bug']]);
});

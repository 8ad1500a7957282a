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

test('while a run hangs, none is added to it', async () => {
  let runs = 0;
  let finish = (): void => undefined;
  const work = (): Promise<void> => {
    runs += 1;
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  const end = repeat(1000, work, () => undefined);
  await jest.advanceTimersByTimeAsync(4000);
  expect(runs).toBe(1);
  finish();
  await jest.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(2);
  finish();
  await end();
});

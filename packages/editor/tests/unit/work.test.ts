import { expect, test } from '@jest/globals';
import {
  advance,
  begin,
  endedIn,
  isRunning,
  leftIn,
  runEach,
  type Progress,
} from '../../src/browser/model/library/work.js';

test('work is running until each file has ended, and knows those that failed', () => {
  const begun = begin('delete', [{ name: 'mill.png' }, { name: 'loaf.png' }]);
  const error = new Error('Not Found');
  const half = advance(advance(begun, 0, { state: 'failed', error }), 1, { state: 'running' });
  expect([isRunning(undefined), isRunning(begun), isRunning(half)]).toEqual([false, true, true]);
  expect(endedIn(half)).toBe(1);
  const ended = advance(half, 1, { state: 'done' });
  expect(isRunning(ended)).toBe(false);
  expect(leftIn(ended)).toEqual([{ name: 'mill.png', state: 'failed', error }]);
});

test('a few items are worked on at once, and a failure stops none of the others', async () => {
  const states: Progress[] = [];
  const sent: number[] = [];
  const finish: (() => void)[] = [];
  const work = (item: string, onSent: (sent: number) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      onSent(0.5);
      finish.push(() => (item === 'b' ? reject(new Error('too bad')) : resolve()));
    });
  const all = runEach(['a', 'b', 'c', 'd'], 2, work, (index, progress) => {
    states[index] = progress;
    if (progress.sent !== undefined) sent[index] = progress.sent;
  });
  expect(finish).toHaveLength(2);
  for (let next = 0; next < 4; next += 1) {
    finish[next]?.();
    await new Promise(setImmediate);
  }
  await all;
  expect(sent).toEqual([0.5, 0.5, 0.5, 0.5]);
  expect(states).toEqual([
    { state: 'done' },
    { state: 'failed', error: new Error('too bad') },
    { state: 'done' },
    { state: 'done' },
  ]);
});

test('what has not begun is left when the work is stopped', async () => {
  const states: Progress[] = [];
  let isStopped = false;
  const work = async (): Promise<void> => {
    isStopped = true;
  };
  await runEach(
    ['a', 'b', 'c'],
    1,
    work,
    (index, progress) => (states[index] = progress),
    () => isStopped,
  );
  expect(states.map(({ state }) => state)).toEqual(['done', 'stopped', 'stopped']);
  const { jobs } = begin('upload', [{ name: 'a' }]);
  expect(leftIn({ kind: 'upload', jobs: jobs.map((job) => ({ ...job, state: 'stopped' })) })).toHaveLength(1);
});

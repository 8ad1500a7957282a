import { expect, test } from '@jest/globals';
import { createCallLimit } from '../src/limit-calls.js';

test('a caller makes a limited number of requests at a time, and others do not wait for it', async () => {
  const inTurn = createCallLimit(2);
  const begun: string[] = [];
  const endings: (() => void)[] = [];
  const send = (caller: string, name: string): Promise<void> =>
    inTurn(caller, () => {
      begun.push(name);
      return new Promise((resolve) => endings.push(resolve));
    });
  const all = [send('a', 'a1'), send('a', 'a2'), send('a', 'a3'), send('b', 'b1')];
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  endings[0]?.();
  await all[0];
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const end of endings) end();
  await Promise.all(all);
});

test('work that fails gives its place back', async () => {
  const inTurn = createCallLimit(1);
  await expect(inTurn('a', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(await inTurn('a', () => Promise.resolve('next'))).toBe('next');
});

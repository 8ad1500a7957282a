import { expect, test } from '@jest/globals';
import { createTurns } from '../../../../src/plugins/upload/images/turns.js';

/** Work that ends when the test says so; `begun` has its names in order. */
function useWork(atOnce: number) {
  const turns = createTurns(atOnce);
  const begun: string[] = [];
  const endings = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  const send = (caller: string, name: string): Promise<void> =>
    turns.run(caller, () => {
      begun.push(name);
      return new Promise((resolve, reject) => endings.set(name, { resolve, reject }));
    });
  return { turns, begun, send, endings };
}

test('callers have turns, however much one of them sends', async () => {
  const { begun, send, endings } = useWork(1);
  const all = [send('a', 'a1'), send('a', 'a2'), send('a', 'a3'), send('b', 'b1'), send('c', 'c1'), send('b', 'b2')];
  for (const [index] of all.entries()) {
    endings.get(begun[index] ?? '')?.resolve();
    await all[['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].indexOf(begun[index] ?? '')];
  }
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('a second piece of a caller goes behind the first of those who wait', async () => {
  const { begun, send, endings } = useWork(1);
  const first = send('a', 'a1');
  void send('b', 'b1');
  void send('c', 'c1');
  endings.get('a1')?.resolve();
  await first;
  void send('a', 'a2');
  for (const name of ['b1', 'c1', 'a2']) {
    expect(begun.at(-1)).toBe(name);
    endings.get(name)?.resolve();
    await Promise.resolve().then(() => new Promise(setImmediate));
  }
});

test('only so much runs at a time, and work that fails gives its place back', async () => {
  const { turns, begun, send, endings } = useWork(2);
  const failing = send('a', 'a1');
  const others = [send('a', 'a2'), send('a', 'a3')];
  expect(begun).toEqual(['a1', 'a2']);
  endings.get('a1')?.reject(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  for (const { resolve } of endings.values()) resolve();
  await Promise.all(others);
  expect(turns.running).toBe(0);
});

import { expect, test } from '@jest/globals';
import { createCreations } from '../../../../src/cli/commands/shadow/creations.js';
import { createSequence } from '../../../../src/cli/commands/shadow/sequence.js';
import { tolerateMirrored } from '../../../../src/cli/commands/shadow/tolerance.js';

test('reads run together, a write alone, all in their order', async () => {
  const { add, settled } = createSequence(2);
  const log: string[] = [];
  const run = (name: string) => async (): Promise<void> => {
    log.push(`${name} begins`);
    await Promise.resolve();
    log.push(`${name} ends`);
  };
  for (const name of ['r1', 'r2', 'r3', 'w1', 'r4']) add(name.startsWith('w') ? 'write' : 'read', run(name));
  await settled();
  expect(log.slice(0, 2)).toEqual(['r1 begins', 'r2 begins']);
  expect(log.slice(-4)).toEqual(['w1 begins', 'w1 ends', 'r4 begins', 'r4 ends']);
  expect(log.indexOf('w1 begins')).toBe(6);
});

test('a failure does not stop the sequence', async () => {
  const { add, settled } = createSequence(1);
  let ran = false;
  add('write', () => Promise.reject(new Error('away')));
  add('read', async () => {
    ran = true;
  });
  await settled();
  expect(ran).toBe(true);
});

test('of creations that overlap the lowest id goes first', async () => {
  const { begin, answered, next } = createCreations<string>();
  const [endFirst, endSecond] = [begin('/api/tags'), begin('/api/tags')];
  answered('/api/tags', 6, 'six');
  endSecond();
  const first = next('/api/tags');
  answered('/api/tags', 5, 'five');
  endFirst();
  expect([await first, await next('/api/tags'), await next('/api/tags')]).toEqual(['five', 'six', undefined]);
});

test.each([
  ['data.attributes.updatedAt', '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:02.000Z', true],
  ['data.attributes.updatedAt', '2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z', false],
  ['[0].url', '/uploads/a_0123456789.png', '/uploads/a_abcdef0123.png', true],
  ['[0].url', '/uploads/a_0123456789.png', '/uploads/b_abcdef0123.png', false],
  ['jwt', 'a.b.c', 'a.b.d', true],
  ['data.id', 1, 2, false],
])('%s: %p and %p count as equal: %p', (at, first, second, isEqual) => {
  expect(tolerateMirrored(0)(at, first, second)).toBe(isEqual);
});

test('the times of both sides may differ as long as a write has waited', () => {
  const times = ['updatedAt', '2024-01-01T00:00:00.000Z', '2024-01-01T00:02:00.000Z'] as const;
  expect([59_000, 60_000].map((waitedMs) => tolerateMirrored(waitedMs)(...times))).toEqual([false, true]);
});

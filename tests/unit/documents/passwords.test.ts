import bcrypt from 'bcrypt';
import { expect, test } from '@jest/globals';
import { createPasswords } from '../../../src/documents/write/passwords.js';

/** With the least work that bcrypt can do. */
const quick = bcrypt.hash('secret', 4);

test('password comparisons are limited in concurrency and queue, and refused beyond that', async () => {
  const passwords = createPasswords(4);
  const hash = await quick;
  const answers = await Promise.allSettled(Array.from({ length: 300 }, () => passwords.matches('secret', hash)));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  expect(refused.length).toBeGreaterThanOrEqual(97);
  expect(refused.length).toBeLessThanOrEqual(99);
  for (const reason of refused) expect(reason).toMatchObject({ code: 'overloaded' });
  expect(await passwords.matches('secret', hash)).toBe(true);
});

test('a comparison without a hash fails in the same time', async () => {
  const passwords = createPasswords(10);
  const start = performance.now();
  expect(await passwords.matches('secret', undefined)).toBe(false);
  expect(performance.now() - start).toBeGreaterThan(10);
});

test('S50: a password of more than 72 bytes does not match the hash of its prefix', async () => {
  const beginning = 'x'.repeat(72);
  const hash = await bcrypt.hash(beginning, 4);
  const { matches } = createPasswords(4);
  expect([await matches(beginning, hash), await matches(`${beginning}y`, hash)]).toEqual([true, false]);
});

import bcrypt from 'bcrypt';
import { expect, test } from '@jest/globals';
import { createPasswords } from '../../../src/documents/write/passwords.js';

/** With the least work that bcrypt can do. */
const quick = bcrypt.hash('secret', 4);

test('a few passwords are compared at a time; so many wait, and those beyond are told to come again', async () => {
  const passwords = createPasswords();
  const hash = await quick;
  const answers = await Promise.allSettled(Array.from({ length: 300 }, () => passwords.matches('secret', hash)));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  expect(refused.length).toBeGreaterThanOrEqual(97);
  expect(refused.length).toBeLessThanOrEqual(99);
  for (const reason of refused) expect(reason).toMatchObject({ code: 'overloaded' });
  expect(await passwords.matches('secret', hash)).toBe(true);
});

test('without a hash nothing matches, and it takes as long as with one', async () => {
  const passwords = createPasswords();
  const start = performance.now();
  expect(await passwords.matches('secret', undefined)).toBe(false);
  expect(performance.now() - start).toBeGreaterThan(10);
});

test('S50: more than 72 bytes match nothing, not even the hash of their beginning', async () => {
  const beginning = 'x'.repeat(72);
  const hash = await bcrypt.hash(beginning, 4);
  const { matches } = createPasswords();
  expect([await matches(beginning, hash), await matches(`${beginning}y`, hash)]).toEqual([true, false]);
});

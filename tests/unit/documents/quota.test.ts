import { expect, test } from '@jest/globals';
import { callerKey, createQuota } from '../../../src/documents/quota.js';

const quotaOf = () => createQuota({ all: 10, perCaller: 4 }, 'full');

test('one caller holds at most its part of the quota', () => {
  const { open } = quotaOf();
  const [one, another] = [open('a'), open('a')];
  one.set(3);
  expect(() => another.set(2)).toThrow(expect.objectContaining({ code: 'tooManyRequests' }));
  another.set(1);
  one.set(2);
  another.set(2);
  open('b').set(4);
});

test('all callers together hold at most all of them', () => {
  const { open } = quotaOf();
  for (const [caller, number] of Object.entries({ a: 4, b: 4, c: 2 })) open(caller).set(number);
  expect(() => open('d').set(1)).toThrow(expect.objectContaining({ code: 'overloaded' }));
});

test('what was refused is not held, what is given back is free, also if it is given back twice', () => {
  const counted = quotaOf();
  const [one, another] = [counted.open('a'), counted.open('a')];
  one.set(4);
  expect(() => another.set(1)).toThrow(expect.objectContaining({ code: 'tooManyRequests' }));
  one.close();
  one.close();
  another.set(4);
  expect(counted.count).toBe(4);
  another.set(1);
  expect(counted.count).toBe(1);
  another.close();
  const leave = counted.take('a');
  leave();
  leave();
  expect(counted.count).toBe(0);
});

test('callers without credentials share the quota of their network', () => {
  const key = (kind: 'public' | 'user', address: string) => callerKey({ kind, user: 1, may: () => true }, address);
  expect(key('public', '2001:db8::1')).toBe(key('public', '2001:db8::2'));
  expect(key('user', '2001:db8::1')).toBe(key('user', '192.0.2.1'));
  expect(key('user', '192.0.2.1')).not.toBe(key('public', '192.0.2.1'));
});

import { expect, test } from '@jest/globals';
import type { Caller } from '../../../src/documents/caller.js';
import { onceKeyOf } from '../../../src/calls/once.js';

const may = () => true;
const send = (caller: Caller, authorization: string, body: object = { data: {} }, originalUrl = '/api/tags') => {
  const headers = { 'idempotency-key': 'k', authorization };
  return onceKeyOf({ method: 'POST', originalUrl, headers, message: undefined, body }, caller);
};
const user = (id: number): Caller => ({ kind: 'user', may, user: id });
const token = (id: number): Caller => ({ kind: 'token', may, credentials: { id } });
const foreign: Caller = { kind: 'token', may };

test('a key belongs to a user or token, also after another login', () => {
  expect(send(user(1), 'first')).toEqual(send(user(1), 'second'));
  expect(send(token(1), 'first')).toEqual(send(token(1), 'first'));
  const keys = [send(user(1), ''), send(user(2), ''), send(token(1), ''), send(foreign, 'a'), send(foreign, 'b')];
  expect(new Set(keys.map((keyed) => keyed?.key)).size).toBe(keys.length);
});

test('the hash distinguishes bodies and URLs', () => {
  const hashes = [
    send(user(1), ''),
    send(user(1), '', { data: { a: 1 } }),
    send(user(1), '', {}, '/api/tags?fields=id'),
  ];
  expect(new Set(hashes.map((keyed) => keyed?.hash)).size).toBe(hashes.length);
  expect(new Set(hashes.map((keyed) => keyed?.key)).size).toBe(1);
});

test('a caller without credentials cannot use up the key of another one', () => {
  const anonymous: Caller = { kind: 'public', may };
  const keys = [send(anonymous, ''), send(anonymous, '', { data: { a: 1 } }), send(anonymous, '', {}, '/api/tags/1')];
  expect(new Set(keys.map((keyed) => keyed?.key)).size).toBe(keys.length);
  expect(send(anonymous, '')).toEqual(keys[0]);
});

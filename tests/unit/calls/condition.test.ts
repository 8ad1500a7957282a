import { expect, test } from '@jest/globals';
import { conditionOf, onlyCreates, uselessFor } from '../../../src/calls/condition.js';

const { creation, entry, named } = uselessFor;

test.each([
  [{}, named, undefined],
  [{ 'if-match': '*' }, entry, { match: '*' }],
  [{ 'if-match': ' * ' }, entry, { match: '*' }],
  [{ 'if-match': '"a"' }, entry, { match: new Set(['"a"']) }],
  [{ 'if-match': 'W/"a", "b"' }, named, { match: new Set(['"a"', '"b"']) }],
  [{ 'if-none-match': '*' }, named, { absent: true }],
])('%j is the condition %j', (headers, useless, condition) => {
  expect(conditionOf(headers, useless)).toEqual(condition);
});

test.each([
  [{ 'if-match': 'a' }, entry, 'If-Match must be * or a list of ETags'],
  [{ 'if-match': '' }, entry, 'If-Match must be * or a list of ETags'],
  [{ 'if-none-match': '"a"' }, named, 'If-None-Match of a write must be *'],
  [{ 'if-match': '*', 'if-none-match': '*' }, named, 'If-Match and If-None-Match exclude each other'],
  [
    { 'if-none-match': '*' },
    entry,
    'If-None-Match is not supported here: it needs a PUT by a key, or of a single type',
  ],
  [{ 'if-match': '*' }, creation, 'If-Match is not supported here: a POST creates an entry'],
  [{ 'if-none-match': '*' }, creation, 'If-None-Match is not supported here: a POST creates an entry'],
])('%j is refused', (headers, useless, message) => {
  expect(() => conditionOf(headers, useless)).toThrow(message);
});

test('only the absence of an entry makes a write create', () => {
  expect([undefined, { match: '*' } as const, { absent: true } as const].map(onlyCreates)).toEqual([
    false,
    false,
    true,
  ]);
});

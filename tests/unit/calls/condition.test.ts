import { expect, test } from '@jest/globals';
import { conditionOf, onlyCreates } from '../../../src/calls/condition.js';

test.each([
  [{}, undefined],
  [{ 'if-match': '*' }, { match: '*' }],
  [{ 'if-match': ' * ' }, { match: '*' }],
  [{ 'if-match': '"a"' }, { match: new Set(['"a"']) }],
  [{ 'if-match': 'W/"a", "b"' }, { match: new Set(['"a"', '"b"']) }],
  [{ 'if-none-match': '*' }, { absent: true }],
])('%j is the condition %j', (headers, condition) => {
  expect(conditionOf(headers)).toEqual(condition);
});

test.each([
  [{ 'if-match': 'a' }, 'If-Match must be * or a list of ETags'],
  [{ 'if-match': '' }, 'If-Match must be * or a list of ETags'],
  [{ 'if-none-match': '"a"' }, 'If-None-Match of a write must be *'],
  [{ 'if-match': '*', 'if-none-match': '*' }, 'If-Match and If-None-Match exclude each other'],
])('%j is refused', (headers, message) => {
  expect(() => conditionOf(headers)).toThrow(message);
});

test('only the absence of an entry makes a write create', () => {
  expect([undefined, { match: '*' } as const, { absent: true } as const].map(onlyCreates)).toEqual([
    false,
    false,
    true,
  ]);
});

import { expect, test } from '@jest/globals';
import { findDifferences } from '../../../../src/cli/commands/compare/find-differences.js';

const answer = (body: unknown) => ({ status: 200, type: 'application/json', body: JSON.stringify(body) });
const causes = (reference: unknown, ours: unknown): readonly string[] =>
  findDifferences(answer(reference), answer(ours)).map(({ cause }) => cause);

test('a list with the same elements in another order is one difference', () => {
  const [ada, bo] = [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bo' },
  ];
  expect(causes({ data: [{ related: [ada, bo] }] }, { data: [{ related: [bo, ada] }] })).toEqual([
    'data[].related: other order',
  ]);
  expect(causes({ data: [ada, bo] }, { data: [bo, { ...ada, name: 'Eve' }] })).toEqual([
    'data[].id: different value',
    'data[].name: different value',
    'data[].id: different value',
    'data[].name: different value',
  ]);
});

test('a line feed at the end is no difference', () => {
  const ours = answer({ data: { tags: [] } });
  expect(findDifferences({ ...ours, body: `${ours.body}\n` }, ours)).toEqual([]);
});

test('an operation that Strapi failed to execute is one difference', () => {
  const errors = [{ message: 'Missing schema', extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
  expect(causes({ errors, data: { a: null, b: null } }, { data: { a: 1, b: 2 } })).toEqual([
    'status: Strapi 500 within GraphQL',
  ]);
});

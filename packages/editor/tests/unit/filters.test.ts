import { expect, test } from '@jest/globals';
import { operators } from '../../../../src/query/operators.js';
import { operatorsByKind } from '../../src/browser/model/lists/filters.js';

test.each(Object.values(operatorsByKind).flat())('the service has $name, which compares as lists ask', (operator) => {
  const rule = new Map(Object.entries(operators)).get(operator.name);
  expect({ exists: rule !== undefined, unary: rule?.operands === 'flag' }).toEqual({
    exists: true,
    unary: operator.unary,
  });
});

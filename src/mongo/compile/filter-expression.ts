import type { Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import type { ScalarValue } from '../../content-types/attribute-types.js';
import type { Filter } from '../../query/ast.js';
import type { Operator } from '../../query/operators.js';
import { comparisons } from './operators.js';

type Operands = readonly ScalarValue[];
type Compare = (value: string, operands: Operands) => unknown;

const isNull = (value: string): Document => ({ $eq: [{ $ifNull: [value, null] }, null] });
const present = (value: string, condition: Document): Document => ({ $and: [{ $not: [isNull(value)] }, condition] });
const literals = (operands: Operands): Document => ({ $literal: operands });
const compare =
  (operator: string): Compare =>
  (value, [operand]) =>
    present(value, { [operator]: [value, { $literal: operand }] });

/** A text operator by the pattern that it becomes in a query; other values than texts never match. */
const pattern =
  (operator: Operator): Compare =>
  (value, operands) => {
    const { $regex: regex, $options: options = '' } = comparisons[operator](operands) as Record<string, string>;
    const input = { $cond: [{ $eq: [{ $type: value }, 'string'] }, value, null] };
    return { $regexMatch: { input, regex, options } };
  };
const without =
  (positive: Operator): Compare =>
  (value, operands) =>
    present(value, { $not: [pattern(positive)(value, operands)] });

/** What each operator becomes as an expression, where a query cannot look: inside the lists of an entry. */
const expressions: Readonly<Record<Operator, Compare>> = {
  $eq: (value, [operand]) => ({ $eq: [value, { $literal: operand }] }),
  $ne: compare('$ne'),
  $lt: compare('$lt'),
  $lte: compare('$lte'),
  $gt: compare('$gt'),
  $gte: compare('$gte'),
  $in: (value, operands) => ({ $in: [value, literals(operands)] }),
  $notIn: (value, operands) => present(value, { $not: [{ $in: [value, literals(operands)] }] }),
  $between: (value, [low, high]) => ({
    $and: [{ $gte: [value, { $literal: low }] }, { $lte: [value, { $literal: high }] }],
  }),
  $null: isNull,
  $notNull: (value) => ({ $not: [isNull(value)] }),
  $eqi: pattern('$eqi'),
  $nei: without('$eqi'),
  $contains: pattern('$contains'),
  $containsi: pattern('$containsi'),
  $notContains: without('$contains'),
  $notContainsi: without('$containsi'),
  $startsWith: pattern('$startsWith'),
  $startsWithi: pattern('$startsWithi'),
  $endsWith: pattern('$endsWith'),
  $endsWithi: pattern('$endsWithi'),
};

/**
 * Compiles a filter on components to an expression; `path` leads to the component. Conditions on relations are refused.
 * @throws AppError invalidParameter
 */
export function compileExpression(filter: Filter, path: string, negated = false): unknown {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((part) => compileExpression(part, path, negated));
      return (filter.kind === 'and') === negated ? { $or: parts } : { $and: parts };
    }
    case 'not':
      return compileExpression(filter.filter, path, !negated);
    case 'comparison': {
      const value = `${path}.${filter.field.name}`;
      const holds = expressions[filter.operator](value, filter.operands);
      if (!negated) return holds;
      const tellsNull = filter.operator === '$null' || filter.operator === '$notNull';
      return tellsNull ? { $not: [holds] } : present(value, { $not: [holds] });
    }
    case 'component':
      if (!filter.attribute.repeatable) {
        return compileExpression(filter.filter, `${path}.${filter.attribute.name}`, negated);
      }
      throw new AppError('invalidParameter', filter.attribute.name);
    case 'related':
      throw new AppError('invalidParameter', filter.attribute.name);
    case 'live':
    case 'refers':
    case 'search':
    case 'never':
      return false;
    default:
      return filter satisfies never;
  }
}

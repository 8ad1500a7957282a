import type { Document } from 'mongodb';
import type { ScalarValue } from '../../../content-types/model/attribute-types.js';
import type { Comparison, Filter } from '../../../query/ast.js';
import type { Operator } from '../../../query/operators.js';
import { matchesNullRow, rowsWithin, type Related, type RelatedFilter, type Truth } from './semi-join.js';
import { comparisons, needsTextCast, textCastOf, textsOf } from './operators.js';

type Operands = readonly ScalarValue[];
type Compare = (value: unknown, operands: Operands, texts: ReturnType<typeof textsOf>) => unknown;

const isNull = (value: unknown): Document => ({ $eq: [{ $ifNull: [value, null] }, null] });
const present = (value: unknown, condition: unknown): Document => ({ $and: [{ $not: [isNull(value)] }, condition] });
const literals = (operands: Operands): Document => ({ $literal: operands });
const compare =
  (operator: string): Compare =>
  (value, [operand]) =>
    present(value, { [operator]: [value, { $literal: operand }] });

/** A string operator as an expression of the pattern that a query would use; null never matches. */
const pattern =
  (operator: Operator): Compare =>
  (input, operands, texts) => {
    const { $regex: regex, $options: options } = comparisons[operator](operands, texts) as Record<string, string>;
    return { $regexMatch: { input, regex, ...(options !== undefined && { options }) } };
  };
const without =
  (positive: Operator): Compare =>
  (value, operands, texts) =>
    present(value, { $not: [pattern(positive)(value, operands, texts)] });

/** Each operator as an expression, for places that a query cannot address. */
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

/** A comparison as an expression on the value at a path. */
export function compareExpression(comparison: Comparison, path: string, negated: boolean): unknown {
  const { field, operator, operands } = comparison;
  const value = needsTextCast(comparison) ? textCastOf(field)?.(path) : path;
  const result = expressions[operator](value, operands, textsOf(field));
  if (!negated) return result;
  const tellsNull = operator === '$null' || operator === '$notNull';
  return tellsNull ? { $not: [result] } : present(path, { $not: [result] });
}

/**
 * Compiles a filter on a component to an expression; `path` is the path of the component.
 * @param related adds the read of the ids for a condition behind a relation, and returns a placeholder for them
 */
export function compileExpression(filter: Filter, path: string, negated: boolean, related: Related): unknown {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const conditions = filter.filters.map((part) => compileExpression(part, path, negated, related));
      return (filter.kind === 'and') === negated ? { $or: conditions } : { $and: conditions };
    }
    case 'not':
      return compileExpression(filter.filter, path, !negated, related);
    case 'except': {
      const condition = compileExpression(filter.filter, path, false, related);
      return negated ? condition : { $not: [condition] };
    }
    case 'comparison':
      return compareExpression(filter, `${path}.${filter.field.name}`, negated);
    case 'component':
    case 'zone': {
      const inner = `${path}.${filter.attribute.name}`;
      if (isAlone(filter)) return compileExpression(filter.filter, inner, negated, related);
      return someComponent(filter, inner, negated, related);
    }
    case 'related':
      return compileRelated(filter, `${path}.${filter.attribute.name}`, negated, related);
    case 'live':
    case 'copied':
    case 'refers':
    case 'search':
    case 'fallback':
    case 'never':
      return false;
    default:
      return filter satisfies never;
  }
}

/** `idsPath` is the path of the ids in a component. */
function compileRelated(
  { filter, only, ...relation }: RelatedFilter,
  idsPath: string,
  negated: boolean,
  related: Related,
): unknown {
  const ids = (condition: Filter, truth: Truth): Document => ({
    $literal: related(relation, condition, truth),
  });
  const { many } = relation.attribute;
  const matching =
    only === undefined ? ids(filter, negated ? 'false' : 'true') : ids(rowsWithin(only, filter, negated), 'true');
  const list = { $ifNull: [idsPath, []] };
  const isMatch = many ? { $ne: [{ $setIntersection: [list, matching] }, []] } : { $in: [idsPath, matching] };
  if (!matchesNullRow(filter, negated)) return isMatch;
  if (only === undefined) return { $or: [isMatch, isNull(idsPath)] };
  const ignored = ids(only, 'not true');
  const none = many ? [{ $setIsSubset: [list, ignored] }] : [isNull(idsPath), { $in: [idsPath, ignored] }];
  return { $or: [isMatch, ...none] };
}

export type ComponentFilter = Extract<Filter, { readonly kind: 'component' | 'zone' }>;

/** Whether it is a condition on a single component. */
export const isAlone = (filter: ComponentFilter): boolean =>
  filter.kind === 'component' && !filter.attribute.repeatable;

/**
 * One component, in a zone one of its kind, must satisfy the whole condition; if there is none, that counts as one row
 * of nulls.
 */
export function someComponent(filter: ComponentFilter, path: string, negated: boolean, related: Related): unknown {
  const all = { $ifNull: [path, []] };
  const isOfKind = filter.kind === 'zone' && { $eq: ['$$component.__component', filter.component.uid] };
  const input = isOfKind ? { $filter: { input: all, as: 'component', cond: isOfKind } } : all;
  const each = compileExpression(filter.filter, '$$component', negated, related);
  const isMatch = { $anyElementTrue: { $map: { input, as: 'component', in: each } } };
  if (!matchesNullRow(filter.filter, negated)) return isMatch;
  return { $or: [isMatch, isOfKind ? { $eq: [input, []] } : isNull(path)] };
}

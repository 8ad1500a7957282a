import type { Document } from 'mongodb';
import type { ScalarValue } from '../../../content-types/model/attribute-types.js';
import type { Operator } from '../../../query/operators.js';

type Operands = readonly ScalarValue[];

/** A string as a pattern that matches it literally. A BSON pattern ends at NUL, so NUL is written as its code. */
const literal = ([text]: Operands): string =>
  String(text)
    .replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
    .replaceAll('\0', String.raw`\x00`);

const contains = (operands: Operands): Document => ({ $regex: literal(operands) });
const startsWith = (operands: Operands): Document => ({ $regex: `^${literal(operands)}` });
// `\z` and not `$`, which would also match before a final line break.
const endsWith = (operands: Operands): Document => ({ $regex: String.raw`${literal(operands)}\z` });
const equals = (operands: Operands): Document => ({ $regex: String.raw`^${literal(operands)}\z` });
const anyCase = (condition: Document): Document => ({ ...condition, $options: 'i' });
const notNull = (condition: Document): Document => ({ $not: condition, $ne: null });

/** What each operator becomes, on the path of a value. Absent and null are the same; negative operators match neither. */
export const comparisons: Readonly<Record<Operator, (operands: Operands) => Document>> = {
  $eq: ([value]) => ({ $eq: value }),
  $ne: ([value]) => ({ $nin: [value, null] }),
  $lt: ([value]) => ({ $lt: value }),
  $lte: ([value]) => ({ $lte: value }),
  $gt: ([value]) => ({ $gt: value }),
  $gte: ([value]) => ({ $gte: value }),
  $in: (values) => ({ $in: values }),
  $notIn: (values) => ({ $nin: [...values, null] }),
  $between: ([low, high]) => ({ $gte: low, $lte: high }),
  $null: () => ({ $eq: null }),
  $notNull: () => ({ $ne: null }),
  $eqi: (text) => anyCase(equals(text)),
  $nei: (text) => notNull(anyCase(equals(text))),
  $contains: contains,
  $containsi: (text) => anyCase(contains(text)),
  $notContains: (text) => notNull(contains(text)),
  $notContainsi: (text) => notNull(anyCase(contains(text))),
  $startsWith: startsWith,
  $startsWithi: (text) => anyCase(startsWith(text)),
  $endsWith: endsWith,
  $endsWithi: (text) => anyCase(endsWith(text)),
};

/** What `$not` makes of each operator where that is an operator too; the others are negated as they are, without null. */
const opposites: Partial<Readonly<Record<Operator, Operator>>> = {
  $ne: '$eq',
  $notIn: '$in',
  $null: '$notNull',
  $notNull: '$null',
  $nei: '$eqi',
  $notContains: '$contains',
  $notContainsi: '$containsi',
};

/** The condition for values that are not null and for which the operator does not hold. */
export function negate(operator: Operator, operands: Operands): Document {
  const opposite = opposites[operator];
  return opposite === undefined ? notNull(comparisons[operator](operands)) : comparisons[opposite](operands);
}

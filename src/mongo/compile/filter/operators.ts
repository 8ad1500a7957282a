import type { Document } from 'mongodb';
import { attributeTypes, type ScalarValue, type StoredShape } from '../../../content-types/model/attribute-types.js';
import { type Operator, operators } from '../../../query/operators.js';
import type { Comparison, Field } from '../../../query/ast.js';

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

/** Each operator as a condition on the path of a value. Absent and null are equal; negative operators match neither. */
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

/** The condition for values that are not null and do not match the operator. */
export function negate(operator: Operator, operands: Operands): Document {
  const { opposite } = operators[operator];
  return opposite === undefined ? notNull(comparisons[operator](operands)) : comparisons[opposite](operands);
}

/** An expression for a value as text; null for a missing value. */
type Writing = (path: string) => unknown;

const asWhole: Writing = (value) => ({ $toString: { $toLong: value } });

/** From here on SQLite and MongoDB write numbers with an exponent in different formats. */
const LARGE = 1e15;

/** SQLite always writes a decimal number with a point: `10.0`. */
const asDecimal: Writing = (value) => ({
  $cond: [
    { $and: [{ $eq: [{ $trunc: value }, value] }, { $lt: [{ $abs: value }, LARGE] }] },
    { $concat: [{ $toString: { $toLong: value } }, '.0'] },
    { $toString: value },
  ],
});

/**
 * The text of values that are not strings, for operators that compare text: as in SQLite, which Strapi v4
 * compares. Dates, times and JSON are stored as strings.
 */
const writings: Readonly<Partial<Record<StoredShape, Writing>>> = {
  integer: asWhole,
  long: asWhole,
  decimal: asDecimal,
  boolean: (value) => ({ $toString: { $toInt: value } }),
  instant: asWhole,
};

/** Converts the values of a field to text; undefined for a field of strings. */
export const textCastOf = (field: Field): Writing | undefined =>
  writings[field.kind === 'id' ? 'integer' : attributeTypes[field.type].shape];

/** Whether the comparison needs its values converted to text first. */
export const needsTextCast = ({ field, operator }: Comparison): boolean =>
  operators[operator].text === true && textCastOf(field) !== undefined;

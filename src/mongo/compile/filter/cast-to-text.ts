import type { ScalarType } from '../../../content-types/model/types.js';
import type { Comparison, Field } from '../../../query/ast.js';
import { operators } from '../../../query/operators.js';

/** An expression for the text of a value; null for one that is not there. */
type Writing = (path: string) => unknown;

const asWhole: Writing = (value) => ({ $toString: { $toLong: value } });

/** From here on SQLite and MongoDB write numbers with an exponent, each in its own way. */
const LARGE = 1e15;

/** SQLite writes a decimal number with its point, whatever follows: `10.0`. */
const asDecimal: Writing = (value) => ({
  $cond: [
    { $and: [{ $eq: [{ $trunc: value }, value] }, { $lt: [{ $abs: value }, LARGE] }] },
    { $concat: [{ $toString: { $toLong: value } }, '.0'] },
    { $toString: value },
  ],
});

/**
 * How values that are not strings are written where an operator compares texts: as SQLite has them, which is what Strapi v4
 * compares. Days, times and JSON are stored as strings.
 */
const writings: Readonly<Partial<Record<ScalarType, Writing>>> = {
  integer: asWhole,
  biginteger: asWhole,
  decimal: asDecimal,
  float: asDecimal,
  boolean: (value) => ({ $toString: { $toInt: value } }),
  datetime: asWhole,
  timestamp: asWhole,
};

/** What writes the values of a field as text; undefined for a field whose values are strings. */
export const textCastOf = (field: Field): Writing | undefined => writings[field.kind === 'id' ? 'integer' : field.type];

/** Does the comparison need its values written as text first? */
export const needsTextCast = ({ field, operator }: Comparison): boolean =>
  operators[operator].text && textCastOf(field) !== undefined;

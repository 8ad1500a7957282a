import type { Document } from 'mongodb';
import { attributeTypes, type ScalarValue, type StoredShape } from '../../../content-types/model/attribute-types.js';
import { type Operator, operators } from '../../../query/operators.js';
import type { ScalarAttribute } from '../../../content-types/model/types.js';
import type { Dialect } from '../../../content-types/model/dialects.js';
import { literal } from './text-patterns.js';
import type { Comparison, Field } from '../../../query/ast.js';

type Operands = readonly ScalarValue[];

type Texts = Pick<Dialect, 'collation' | 'ignored' | 'hasEscapes'>;

/** How texts are compared; an id is a number. */
export const textsOf = (field: Field): Texts =>
  field.kind === 'id' ? { collation: undefined, ignored: 'nothing', hasEscapes: false } : field.dialect;

type Condition = (operands: Operands, texts: Texts) => Document;

const textOf = ([text]: Operands, { hasEscapes }: Texts): string =>
  hasEscapes ? String(text).replaceAll(/\\(.)/gsu, '$1') : String(text);

const literalOf = (operands: Operands, texts: Texts): string => literal(textOf(operands, texts), texts.ignored);

const ignoresCase = ({ ignored }: Texts): boolean => ignored === 'case' || ignored === 'case and accents';

const contains: Condition = (operands, texts) => ({ $regex: literalOf(operands, texts) });
// `\z` and not `$`, which would also match before a final line break.
const endsWith: Condition = (operands, texts) => ({ $regex: String.raw`${literalOf(operands, texts)}\z` });
/** No pattern is found in an index that has a collation; equality is, and holds for every text that matches. */
const equals: Condition = (operands, texts) => ({
  $regex: String.raw`^${literalOf(operands, texts)}\z`,
  ...(ignoresCase(texts) && { $eq: textOf(operands, texts) }),
});

const startsWith: Condition = (operands, texts) => ({
  $regex: `^${literalOf(operands, texts)}`,
  ...rangeOf(textOf(operands, texts), texts),
});

/** In some languages letters together are after all texts with the first of them. */
const rangeOf = (start: string, { collation }: Texts): Document =>
  collation?.locale === 'en' ? { $gte: start, $lt: `${start}\uFFFF` } : {};

/** Ignores the case of all letters; other conditions beside the pattern hold only if the collation ignores it, too. */
const anyCase =
  (condition: Condition): Condition =>
  (operands, texts) => {
    if (ignoresCase(texts)) return { ...condition(operands, texts), $options: 'i' };
    const { $regex } = condition(operands, { ...texts, ignored: 'nothing' });
    return { $regex, $options: 'i' };
  };
const notNull = (condition: Document): Document => ({ $not: condition, $ne: null });

/** Each operator as a condition on the path of a value. Absent and null are equal; negative operators match neither. */
export const comparisons: Readonly<Record<Operator, Condition>> = {
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
  $eqi: anyCase(equals),
  $nei: (...text) => notNull(anyCase(equals)(...text)),
  $contains: contains,
  $containsi: anyCase(contains),
  $notContains: (...text) => notNull(contains(...text)),
  $notContainsi: (...text) => notNull(anyCase(contains)(...text)),
  $startsWith: startsWith,
  $startsWithi: anyCase(startsWith),
  $endsWith: endsWith,
  $endsWithi: anyCase(endsWith),
};

/** The condition for values that are not null and do not match the operator. */
export function negate(operator: Operator, operands: Operands, texts: Texts): Document {
  const { opposite } = operators[operator];
  return opposite === undefined
    ? notNull(comparisons[operator](operands, texts))
    : comparisons[opposite](operands, texts);
}

/** An expression for a value as text; null for a missing value. */
type Writing = (path: string) => unknown;

const asWhole: Writing = (value) => ({ $toString: { $toLong: value } });

/** From here on SQL and MongoDB write numbers with an exponent in different formats. */
const LARGE = 1e15;

/** Always with a point: `10.0`. */
const asDecimal: Writing = (value) => ({
  $cond: [
    { $and: [{ $eq: [{ $trunc: value }, value] }, { $lt: [{ $abs: value }, LARGE] }] },
    { $concat: [{ $toString: { $toLong: value } }, '.0'] },
    { $toString: value },
  ],
});

const withPlaces =
  (places: number): Writing =>
  (value) => ({ $toString: { $round: [{ $toDecimal: value }, places] } });

/**
 * The text of values that are not strings, for operators that compare text: as in the database that Strapi v4
 * compares in. Dates, times and JSON are stored as strings.
 */
const writings: Readonly<Partial<Record<StoredShape, (field: ScalarAttribute) => Writing>>> = {
  integer: () => asWhole,
  long: () => asWhole,
  decimal: ({ type, dialect: { asText, decimalPlaces = 0 } }) =>
    type === 'decimal' && asText.decimal === 'stored' ? withPlaces(decimalPlaces) : asDecimal,
  boolean:
    ({ dialect }) =>
    (value) => ({ $toString: dialect.asText.boolean === 'word' ? value : { $toInt: value } }),
  instant: ({ dialect }) => {
    const { instant } = dialect.asText;
    if (instant === undefined) return asWhole;
    const { format, trimmed } = instant;
    return (date) => {
      const text = { $dateToString: { date, format } };
      return trimmed ? { $rtrim: { input: { $rtrim: { input: text, chars: '0' } }, chars: '.' } } : text;
    };
  },
};

/** Converts the values of a field to text; undefined for a field of strings. */
export function textCastOf(field: Field): Writing | undefined {
  return field.kind === 'id' ? asWhole : writings[attributeTypes[field.type].shape]?.(field);
}

/** Whether the comparison needs its values converted to text first. */
export const needsTextCast = ({ field, operator }: Comparison): boolean =>
  operators[operator].text === true && textCastOf(field) !== undefined;

import type { Document } from 'mongodb';
import { attributeTypes, type ValueKind } from '../../../content-types/model/attribute-types.js';
import type { Field, ValuePath } from '../../../query/ast.js';
import type { DatePart } from '../../../query/measures.js';

/** An expression for a value. */
export type Expression = unknown;

/** A value that the entry itself has, in its components too. */
export const storedValue = ({ through, field }: ValuePath): string =>
  `$${[...through.map(({ name }) => name), field.kind === 'id' && through.length === 0 ? '_id' : field.name].join('.')}`;

/** Whether there is a value: all are above null, which is above what is missing. */
export const isPresent = (value: Expression): Document => ({ $gt: [value, null] });

/** Null where it is missing: both are one group. */
export const orNull = (value: Expression): Document => ({ $ifNull: [value, null] });

/**
 * What `$dateToString` writes. Source: https://www.mongodb.com/docs/manual/reference/operator/aggregation/dateToString/
 */
const formats: Readonly<Record<Exclude<DatePart, 'quarter'>, string>> = {
  year: '%Y',
  month: '%Y-%m',
  week: '%G-W%V',
  day: '%Y-%m-%d',
  hour: '%Y-%m-%dT%H',
};

const quarterOf = (year: Expression, month: Expression): Document => ({
  $concat: [year, '-Q', { $toString: { $toInt: { $ceil: { $divide: [month, 3] } } } }],
});

/** Years that can be written with four digits: the database refuses others. */
const FIRST = new Date('0000-01-02T00:00:00Z');
const LAST = new Date('9999-12-30T23:59:59Z');

/** The part of a moment as text; of one whose year has not four digits, null. */
function partOfInstant(part: DatePart, date: Expression, timezone: string): Document {
  const text =
    part === 'quarter'
      ? quarterOf({ $dateToString: { date, timezone, format: formats.year } }, { $month: { date, timezone } })
      : { $dateToString: { date, timezone, format: formats[part] } };
  return { $cond: [{ $and: [{ $gte: [date, FIRST] }, { $lte: [date, LAST] }] }, text, null] };
}

/** Days are stored as texts: a longer part is the beginning of it. */
function partOfDay(part: DatePart, day: Expression): Expression {
  const start = (length: number): Document => ({ $substrBytes: [day, 0, length] });
  switch (part) {
    case 'year':
      return start(4);
    case 'month':
      return start(7);
    case 'quarter':
      return quarterOf(start(4), { $toInt: { $substrBytes: [day, 5, 2] } });
    case 'week':
      return { $dateToString: { date: { $dateFromString: { dateString: day, onError: null } }, format: formats.week } };
    case 'day':
    case 'hour':
      return day;
    default:
      return part satisfies never;
  }
}

/** The text by which values of a kind are grouped; null for none. */
export function partOf(field: Field, part: DatePart, value: Expression, timeZone: string): Expression {
  const kind = field.kind === 'id' ? 'number' : attributeTypes[field.type].kind;
  if (kind === 'instant') return partOfInstant(part, value, timeZone);
  const text = kind === 'time' ? { $substrBytes: [value, 0, 2] } : partOfDay(part, value);
  return { $cond: [isPresent(value), text, null] };
}

/** Values that are stored as texts of any form. */
const written: ReadonlySet<ValueKind | 'json'> = new Set(['text', 'json']);

/** Collations of this strength tell all texts apart, except different forms of the same characters. */
const IDENTICAL = 5;

/**
 * Whether values of a field can be equal for the database, and different: an answer has that of the entry with the
 * lowest id.
 */
export const isAmbiguous = (field: Field): boolean =>
  field.kind !== 'id' &&
  (field.dialect.collation?.strength ?? IDENTICAL) < IDENTICAL &&
  written.has(attributeTypes[field.type].kind);

/**
 * Whether an index has the values of a field themselves: of texts with a collation it has only what they are sorted by.
 */
export const isInIndex = (field: Field): boolean =>
  field.kind === 'id' ||
  field.dialect.collation === undefined ||
  ['number', 'boolean', 'instant'].includes(attributeTypes[field.type].kind);

/** A number that is added without loss: sums of decimal fractions, and of integers beyond 2^53, have 34 digits. */
export const exactNumber = (field: Field, value: Expression): Expression =>
  isInteger(field) ? value : { $toDecimal: value };

/** A sum in the type of its results. */
export const sumOf = (field: Field, sum: Expression): Expression =>
  isInteger(field) || (field.kind === 'scalar' && field.type === 'biginteger') ? sum : { $toDouble: sum };

const isInteger = (field: Field): boolean => field.kind === 'id' || field.type === 'integer';

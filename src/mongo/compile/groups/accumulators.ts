import type { Document } from 'mongodb';
import type { Field, Measure } from '../../../query/ast.js';
import type { MeasureFunction } from '../../../query/measures.js';
import { exactNumber, isAmbiguous, isPresent, sumOf, type Expression } from './values.js';

/** What one document has for a measure. */
export interface Measured {
  readonly field: Field;
  /** A value, or with `isList` all values of an entry. */
  readonly value: Expression;
  readonly isList: boolean;
  /** The id of the entry, or of the first of the entries that the document stands for. */
  readonly id: Expression;
  /** The number of entries that the document stands for; undefined: it is one. */
  readonly weight?: Expression;
}

interface Computation {
  /** Accumulators of a group, which can be accumulated again where several groups become one. */
  readonly parts: (measured: Measured) => Readonly<Record<string, Document>>;
  /** The result, of what was accumulated. @param part the path of a part */
  readonly result: (part: (name: string) => string, field: Field) => Expression;
}

const added = ({ field, value, isList, weight }: Measured): Expression => {
  if (isList) return { $sum: { $map: { input: value, as: 'value', in: exactNumber(field, '$$value') } } };
  const number = exactNumber(field, value);
  return weight === undefined ? number : { $multiply: [weight, number] };
};

const counted = ({ value, isList, weight = 1 }: Measured): Expression =>
  isList
    ? { $size: { $filter: { input: value, as: 'value', cond: isPresent('$$value') } } }
    : { $cond: [isPresent(value), weight, 0] };

/** Of texts that are equal for the database the one of the first entry is the lowest. */
const extreme = (operator: '$min' | '$max'): Computation => ({
  parts: ({ field, value, isList, id }) => {
    const one = isList ? { [operator]: value } : value;
    if (!isAmbiguous(field)) return { a: { [operator]: one } };
    const ordered = { $cond: [isPresent('$$value'), { value: '$$value', id }, null] };
    return { a: { [operator]: { $let: { vars: { value: one }, in: ordered } } } };
  },
  result: (part, field) => (isAmbiguous(field) ? `${part('a')}.value` : part('a')),
});

const computations: Readonly<Record<MeasureFunction, Computation>> = {
  countDistinct: {
    parts: ({ value }) => ({ a: { $addToSet: { $ifNull: [value, '$$REMOVE'] } } }),
    result: (part) => ({ $size: part('a') }),
  },
  sum: {
    parts: (measured) => ({ a: { $sum: added(measured) } }),
    result: (part, field) => sumOf(field, part('a')),
  },
  avg: {
    parts: (measured) => ({ a: { $sum: added(measured) }, c: { $sum: counted(measured) } }),
    result: (part) => ({
      $cond: [{ $eq: [part('c'), 0] }, null, { $toDouble: { $divide: [part('a'), part('c')] } }],
    }),
  },
  min: extreme('$min'),
  max: extreme('$max'),
};

/** The fields of a group in which a measure is accumulated, with their accumulators. */
export const accumulate = (measure: Measure, index: number, measured: Measured): Document =>
  Object.fromEntries(
    Object.entries(computations[measure.function].parts(measured)).map(([name, part]) => [name + String(index), part]),
  );

/** The same, where several groups become one. */
export const accumulateAgain = (accumulators: Document): Document =>
  Object.fromEntries(
    Object.entries(accumulators).map(([name, part]: readonly [string, Document]) => [
      name,
      { [Object.keys(part)[0] ?? '']: `$${name}` },
    ]),
  );

/** The result of a measure, of a group in which it was accumulated. */
export const resultOf = (measure: Measure, index: number): Expression =>
  computations[measure.function].result((name) => `$${name}${index}`, measure.path.field);

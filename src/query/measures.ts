import { attributeTypes, type ValueKind } from '../content-types/model/attribute-types.js';
import type { ScalarType } from '../content-types/model/types.js';

type Kind = ValueKind | 'json';

interface DatePartRow {
  /** What has this part. */
  readonly of: readonly Kind[];
  /** An example of its text; the texts of one part sort as the times do. */
  readonly example: string;
}

/**
 * The parts of dates and times by which entries can be grouped, the longest first. To add one, add a row and its
 * expressions in `mongo/compile/groups`.
 */
const parts = {
  year: { of: ['instant', 'day'], example: '2024' },
  quarter: { of: ['instant', 'day'], example: '2024-Q1' },
  month: { of: ['instant', 'day'], example: '2024-01' },
  /** The week that ISO 8601 counts, with the year that it belongs to. */
  week: { of: ['instant', 'day'], example: '2024-W05' },
  day: { of: ['instant', 'day'], example: '2024-01-31' },
  hour: { of: ['instant', 'time'], example: '2024-01-31T18' },
} as const satisfies Readonly<Record<string, DatePartRow>>;

export type DatePart = keyof typeof parts;
export const dateParts: Readonly<Record<DatePart, DatePartRow>> = parts;

export const isDatePart = (name: string): name is DatePart => Object.hasOwn(parts, name);

/** Whether values of a type have this part. */
export const hasPart = (type: ScalarType, part: DatePart): boolean =>
  dateParts[part].of.includes(attributeTypes[type].kind);

interface MeasureRow {
  readonly description: string;
  /** What it can be computed of. */
  readonly of: readonly Kind[];
  /** The attribute type that its results have. */
  readonly result: (type: ScalarType) => ScalarType;
  /** Its result over no values; undefined: null. */
  readonly empty?: 0;
}

const all: readonly Kind[] = ['number', 'text', 'boolean', 'day', 'time', 'instant'];

/**
 * What can be computed of the values in a group, beside `count`, in the order of answers. To add one, add a row and its
 * expressions in `mongo/compile/groups`.
 */
const rows = {
  countDistinct: {
    description: 'how many different values there are',
    of: [...all, 'json'],
    result: () => 'integer',
    empty: 0,
  },
  /** The sum of integers can be larger than each of them can be. */
  sum: {
    description: 'the sum',
    of: ['number'],
    result: (type) => (type === 'integer' ? 'float' : type),
    empty: 0,
  },
  avg: { description: 'the average', of: ['number'], result: () => 'float' },
  min: { description: 'the lowest value', of: all, result: (type) => type },
  max: { description: 'the highest value', of: all, result: (type) => type },
} as const satisfies Readonly<Record<string, MeasureRow>>;

export type MeasureFunction = keyof typeof rows;
export const measures: Readonly<Record<MeasureFunction, MeasureRow>> = rows;
export const measureFunctions = Object.keys(rows) as readonly MeasureFunction[];

/** Whether a measure can be computed of values of a type. */
export const isMeasured = (type: ScalarType, measure: MeasureFunction): boolean =>
  measures[measure].of.includes(attributeTypes[type].kind);

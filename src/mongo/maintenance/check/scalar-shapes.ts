import { attributeTypes, type StoredShape } from '../../../content-types/model/attribute-types.js';
import { parseDay, parseTimeOfDay } from '../../../content-types/model/dates.js';
import type { ScalarAttribute } from '../../../content-types/model/types.js';
import { kindOf } from './stored-kinds.js';

interface ShapeRule {
  readonly test: (value: unknown, attribute: ScalarAttribute) => boolean;
  /** A description of the expected value. */
  readonly expected: string | ((attribute: ScalarAttribute) => string);
}

/** Null, absent and empty values are checked elsewhere. */
const shapes: Readonly<Record<StoredShape, ShapeRule>> = {
  string: { test: (value) => typeof value === 'string', expected: 'a string' },
  hash: { test: (value) => typeof value === 'string' && BCRYPT.test(value), expected: 'a bcrypt hash' },
  member: {
    test: (value, attribute) => attribute.enum?.some((member) => member === value) === true,
    expected: ({ enum: allowed = [] }) => `one of ${allowed.join(', ')}`,
  },
  integer: { test: Number.isInteger, expected: 'a whole number' },
  long: { test: (value) => isPromoted(value) || isLong(value), expected: 'a 64-bit integer' },
  decimal: { test: Number.isFinite, expected: 'a number' },
  boolean: { test: (value) => typeof value === 'boolean', expected: 'true or false' },
  day: { test: (value) => isReadAsItIs(value, parseDay), expected: 'a day as yyyy-MM-dd' },
  time: { test: (value) => isReadAsItIs(value, parseTimeOfDay), expected: 'a time as HH:mm:ss.SSS' },
  instant: { test: (value) => value instanceof Date && !Number.isNaN(value.getTime()), expected: 'a date' },
  json: { test: (value) => parseJson(value) !== null, expected: 'JSON as text' },
  list: { test: (value) => Array.isArray(parseJson(value)), expected: 'a JSON list as text' },
};

/** A description of the expected value of a scalar; undefined if the stored value is valid. */
export function misshape(stored: unknown, attribute: ScalarAttribute): string | undefined {
  // Migrations read every Long as a bigint.
  const value = typeof stored === 'bigint' && isPromoted(Number(stored)) ? Number(stored) : stored;
  const { test, expected } = shapes[attributeTypes[attribute.type].shape];
  if (test(value, attribute)) return undefined;
  return typeof expected === 'string' ? expected : expected(attribute);
}

const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** The driver returns a Long as a number up to and including 2^53. */
const isPromoted = (value: unknown): boolean => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 53;

const isLong = (value: unknown): boolean => typeof value === 'bigint' || kindOf(value) === 'Long';

/** Null for invalid JSON, as for the string `null`, which is not stored either. */
function parseJson(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : null;
  } catch {
    return null;
  }
}

function isReadAsItIs(value: unknown, parse: (value: unknown) => string): boolean {
  try {
    return parse(value) === value;
  } catch {
    return false;
  }
}

import { parseDay, parseTimeOfDay } from '../../../content-types/model/dates.js';
import type { ScalarAttribute, ScalarType } from '../../../content-types/model/types.js';
import { kindOf } from './stored-kinds.js';

/** How the values of a type are stored. */
interface StoredShape {
  readonly holds: (value: unknown, attribute: ScalarAttribute) => boolean;
  /** What a value must be. */
  readonly must: string | ((attribute: ScalarAttribute) => string);
}

const text: StoredShape = { holds: (value) => typeof value === 'string', must: 'a string' };
const number: StoredShape = { holds: (value) => Number.isFinite(value), must: 'a number' };
const moment: StoredShape = {
  holds: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  must: 'a date',
};
const json: StoredShape = { holds: (value) => parseJson(value) !== null, must: 'JSON as text' };

/** By type; what null, absent and empty mean is not asked here. */
const shapes: Readonly<Record<ScalarType, StoredShape>> = {
  string: text,
  text,
  richtext: text,
  email: text,
  uid: text,
  password: { holds: (value) => typeof value === 'string' && BCRYPT.test(value), must: 'a bcrypt hash' },
  enumeration: {
    holds: (value, attribute) => attribute.enum?.some((one) => one === value) === true,
    must: ({ enum: allowed = [] }) => `one of ${allowed.join(', ')}`,
  },
  integer: { holds: Number.isInteger, must: 'a whole number' },
  biginteger: { holds: (value) => isPromoted(value) || isLong(value), must: 'a 64-bit integer' },
  decimal: number,
  float: number,
  boolean: { holds: (value) => typeof value === 'boolean', must: 'true or false' },
  date: { holds: (value) => isReadAsItIs(value, parseDay), must: 'a day as yyyy-MM-dd' },
  time: { holds: (value) => isReadAsItIs(value, parseTimeOfDay), must: 'a time as HH:mm:ss.SSS' },
  datetime: moment,
  timestamp: moment,
  json,
  blocks: json,
  array: { holds: (value) => Array.isArray(parseJson(value)), must: 'a JSON list as text' },
};

/** What the value of a scalar must be and is not; undefined when it is stored as it should be. */
export function misshape(value: unknown, attribute: ScalarAttribute): string | undefined {
  const { holds, must } = shapes[attribute.type];
  if (holds(value, attribute)) return undefined;
  return typeof must === 'string' ? must : must(attribute);
}

const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** The driver hands out a Long as a number up to 2^53, that one included. */
const isPromoted = (value: unknown): boolean => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 53;

const isLong = (value: unknown): boolean => typeof value === 'bigint' || kindOf(value) === 'Long';

/** Null for what is no JSON, as for the text `null`, which is not stored either. */
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

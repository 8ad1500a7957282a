import { parseDay, parseDateTime, parseTimeOfDay, writeDateTime } from './dates.js';
import type { ScalarAttribute, ScalarType } from './types.js';

/** The internal form of a plain value, which is compared, sorted and stored. */
export type ScalarValue = string | number | bigint | boolean | Date;

/** The behaviour of an attribute type. To add a type, add an entry and its tests. */
interface AttributeType {
  /** Strapi's cast of a written value before validation; values that cannot be cast are unchanged. */
  readonly cast: (value: unknown) => unknown;
  /** The JSON Schema fragment that a cast value (not null) satisfies. */
  readonly schema: (attribute: ScalarAttribute) => Readonly<Record<string, unknown>>;
  /** The stored form of a valid value. @throws AppError invalidValue */
  readonly encode: (value: unknown) => ScalarValue;
  /** An operand of a filter; undefined when no stored value can equal it. @throws AppError invalidValue */
  readonly operand: (value: unknown) => ScalarValue | undefined;
  /** The form of a stored value in responses and for code; absent: unchanged. */
  readonly decode?: (value: unknown) => unknown;
}

const same = (value: unknown): unknown => value;
const asStored = (value: unknown): ScalarValue => value as ScalarValue;
const text = (value: unknown): string | undefined => (typeof value === 'object' ? undefined : String(value));

/** Yup's number cast: ignores white space; an empty string is not a number. */
function castNumber(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const digits = value.replaceAll(/\s/g, '');
  const number = digits === '' ? Number.NaN : Number(digits);
  return Number.isNaN(number) ? value : number;
}

function castBoolean(value: unknown): unknown {
  const word = typeof value === 'number' || typeof value === 'string' ? String(value).toLowerCase() : '';
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : value;
}

const truths = new Set<unknown>(['true', 't', '1', 1, true]);
const falsehoods = new Set<unknown>(['false', 'f', '0', 0, false]);

/** Strapi's database layer parses the listed words; other values are true if they are not empty. */
export function booleanOperand(value: unknown): boolean {
  if (truths.has(value)) return true;
  return falsehoods.has(value) ? false : Boolean(value);
}

/** As Strapi v4 casts it: blanks are 0. */
function numberOperand(value: unknown): number | undefined {
  const number = typeof value === 'object' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const NUMERIC = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** A number as SQLite parses it from a string, for values that Strapi v4 does not cast, such as ids; blanks are not a number. */
export function idOperand(value: unknown): number | undefined {
  return typeof value !== 'object' && NUMERIC.test(String(value)) ? numberOperand(value) : undefined;
}

const INTEGER = /^[+-]?\d{1,19}$/;
const [LOWEST, HIGHEST] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Parses a 64-bit integer; undefined if it is not one. */
export function parseBigInteger(value: unknown): bigint | undefined {
  if (typeof value === 'object' || (typeof value === 'number' && !Number.isSafeInteger(value))) return undefined;
  const digits = typeof value === 'string' ? value.trim() : String(value);
  if (!INTEGER.test(digits)) return undefined;
  const integer = BigInt(digits.replace(/^\+/, ''));
  return integer >= LOWEST && integer <= HIGHEST ? integer : undefined;
}

/** Is every surrogate one of a pair? UTF-8, and so the database, has no form for one alone. */
export const isWellFormed = (value: string): boolean => !/\p{Surrogate}/u.test(value);

const lengths = ({ minLength, maxLength, regex, required }: ScalarAttribute): Record<string, unknown> => ({
  type: 'string',
  wellFormed: true,
  ...(minLength !== undefined && { minLength }),
  ...(maxLength !== undefined && { maxLength }),
  ...(regex !== undefined && { matches: { source: regex.source, empty: !required } }),
});
const bounds = ({ min, max }: ScalarAttribute): Record<string, unknown> => ({
  ...(typeof min === 'number' && { minimum: min }),
  ...(typeof max === 'number' && { maximum: max }),
});

const string: AttributeType = { cast: same, schema: lengths, encode: asStored, operand: text };
const decimal: AttributeType = {
  cast: castNumber,
  schema: (attribute) => ({ type: 'number', ...bounds(attribute) }),
  encode: asStored,
  operand: numberOperand,
};
const json: AttributeType = {
  cast: same,
  schema: () => ({ json: true }),
  encode: (value) => JSON.stringify(value),
  operand: text,
  decode: (value) => JSON.parse(value as string) as unknown,
};
const UID = { source: '^[A-Za-z0-9-_.~]*$', empty: true };
/** Any value but null; encoding finds other errors. */
const anyValue = (): Record<string, unknown> => ({ type: ['string', 'number', 'boolean', 'object', 'array'] });

const dateTime: AttributeType = {
  cast: same,
  schema: anyValue,
  encode: parseDateTime,
  operand: parseDateTime,
  decode: (value) => (value instanceof Date ? writeDateTime(value) : value),
};

/** The identifier of the schema of blocks; one without a colon would be relative to that of a component. */
export const BLOCKS = 'type:blocks';

/** Strapi v4's attribute types for plain values. */
export const attributeTypes: Readonly<Record<ScalarType, AttributeType>> = {
  string,
  text: string,
  richtext: string,
  password: string,
  email: { ...string, schema: (attribute) => ({ minLength: 1, ...lengths(attribute), format: 'email' }) },
  uid: { ...string, schema: (attribute) => ({ matches: UID, ...lengths(attribute) }) },
  enumeration: {
    ...string,
    schema: ({ enum: values = [] }) => ({ type: ['string', 'number', 'boolean'], enum: values }),
  },
  integer: { ...decimal, schema: (attribute) => ({ type: 'number', integer: true, ...bounds(attribute) }) },
  decimal,
  float: decimal,
  biginteger: {
    // Beyond 2^53 JSON has rounded a number already: it is refused.
    cast: (value) => (Number.isSafeInteger(value) || typeof value === 'string' ? String(value) : value),
    schema: ({ min, max }) => ({
      bigInteger: { ...(min !== undefined && { min: String(min) }), ...(max !== undefined && { max: String(max) }) },
    }),
    encode: (value) => parseBigInteger(value) ?? 0n,
    operand: (value) => parseBigInteger(value) ?? idOperand(value),
    decode: String,
  },
  boolean: { cast: castBoolean, schema: () => ({ type: 'boolean' }), encode: asStored, operand: booleanOperand },
  date: { cast: same, schema: anyValue, encode: parseDay, operand: parseDay },
  time: { cast: same, schema: anyValue, encode: parseTimeOfDay, operand: parseTimeOfDay },
  datetime: dateTime,
  // SQLite stores a timestamp in milliseconds, and Strapi returns it as a string.
  timestamp: { ...dateTime, decode: (value) => String((value as Date).getTime()) },
  json,
  blocks: {
    ...json,
    // Deeper values are not searched.
    schema: () => ({ if: { json: true }, then: { $ref: BLOCKS }, else: { json: true } }),
  },
  array: { ...json, schema: () => ({ type: 'array', json: true }) },
};

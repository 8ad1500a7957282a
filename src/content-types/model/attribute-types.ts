import { parseDay, parseDateTime, parseTimeOfDay } from './dates.js';
import type { ScalarAttribute, ScalarType } from './types.js';

/** A plain value as the service holds it between its edges: what is compared, sorted and stored. */
export type ScalarValue = string | number | bigint | boolean | Date;

/** What one attribute type means. One entry per type; adding a type is one entry and its tests. */
interface AttributeType {
  /** Strapi's casts of written values, before they are validated; what cannot be cast stays as it is. */
  readonly cast: (value: unknown) => unknown;
  /** The JSON Schema fragment that a cast value (not null) satisfies. */
  readonly schema: (attribute: ScalarAttribute) => Readonly<Record<string, unknown>>;
  /** A valid value as it is stored. @throws AppError invalidValue */
  readonly encode: (value: unknown) => ScalarValue;
  /** An operand of a filter; undefined when no stored value can equal it. @throws AppError invalidValue */
  readonly operand: (value: unknown) => ScalarValue | undefined;
  /** A stored value as a client sees it; absent: as it is. */
  readonly decode?: (value: unknown) => unknown;
}

const same = (value: unknown): unknown => value;
const asStored = (value: unknown): ScalarValue => value as ScalarValue;
const text = (value: unknown): string | undefined => (typeof value === 'object' ? undefined : String(value));

/** Yup's number cast: white space is dropped, an empty text is no number. */
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

/** How Strapi's database layer reads a boolean: the listed words, else whether the value is empty. */
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

/** A number as SQLite reads it out of a text where Strapi v4 casts nothing, as it is with ids; blanks are none. */
export function idOperand(value: unknown): number | undefined {
  return NUMERIC.test(String(value)) ? numberOperand(value) : undefined;
}

const INTEGER = /^[+-]?\d{1,19}$/;
const [LOWEST, HIGHEST] = [-(2n ** 63n), 2n ** 63n - 1n];

/** A 64-bit integer out of its digits; undefined when it is none. */
export function parseBigInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
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
/** Not null; what else is wrong with it shows when it is encoded. */
const anyValue = (): Record<string, unknown> => ({ type: ['string', 'number', 'boolean', 'object', 'array'] });

const dateTime: AttributeType = { cast: same, schema: anyValue, encode: parseDateTime, operand: parseDateTime };

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
  // SQLite keeps a timestamp as milliseconds, and Strapi hands them out as text.
  timestamp: { ...dateTime, decode: (value) => String((value as Date).getTime()) },
  json,
  blocks: json,
  array: { ...json, schema: () => ({ type: 'array', json: true }) },
};

import * as shapes from './settings-schema.js';
import type { Schema } from './settings-schema.js';
import { isRecord } from '../../config/record.js';
import { parseDay, parseDateTime, parseTimeOfDay, trimTime, writeDateTime } from './dates.js';
import type { Dialect } from './dialects.js';
import type { ScalarAttribute, ScalarType } from './types.js';

/** The internal form of a plain value, which is compared, sorted and stored. */
export type ScalarValue = string | number | bigint | boolean | Date;

/** What values are: those of one kind can be compared with each other. */
export type ValueKind = 'number' | 'text' | 'boolean' | 'day' | 'time' | 'instant';

/** The GraphQL scalars that values of attributes have. */
export type ScalarName = 'String' | 'Boolean' | 'Int' | 'Float' | 'Long' | 'JSON' | 'Date' | 'Time' | 'DateTime';

/** The form of stored values. `hash`: of a password; `member`: of an enumeration; `json` and `list`: JSON as text. */
export type StoredShape =
  | 'string'
  | 'hash'
  | 'member'
  | 'integer'
  | 'long'
  | 'decimal'
  | 'boolean'
  | 'day'
  | 'time'
  | 'instant'
  | 'json'
  | 'list';

/** A JSON Schema of the 2020-12 draft, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Everything about an attribute type that is not MongoDB's. To add a type, add its name to `ScalarType`, a row here,
 * and its tests.
 */
export interface AttributeType {
  readonly kind: ValueKind | 'json';
  readonly shape: StoredShape;

  /** Strapi's cast of a written value before validation; values that cannot be cast are unchanged. */
  readonly cast: (value: unknown) => unknown;
  /** The JSON Schema fragment that a cast value (not null) satisfies. */
  readonly schema: (attribute: ScalarAttribute) => JsonSchema;
  /** Strapi v4 does not check its type: it refuses null as a value that is missing. */
  readonly untyped?: true | undefined;
  /** The stored form of a valid value. @throws AppError invalidValue */
  readonly encode: (value: unknown, dialect: Dialect) => ScalarValue;
  /** An operand of a filter; undefined when no stored value can equal it. @throws AppError invalidValue */
  readonly operand: (value: unknown) => ScalarValue | undefined;
  /** The form of a stored value in responses and for code; absent: unchanged. */
  readonly decode?: (value: unknown, dialect: Dialect) => unknown;

  /** The scalar in GraphQL; of an enumeration in filters only. */
  readonly graphql: ScalarName;
  /** The TypeScript types of values in responses, if not null, and of accepted values, if they are wider. */
  readonly typescript: { readonly answered: (attribute: ScalarAttribute) => string; readonly input?: string };
  /** The schemas in OpenAPI of values in responses, except null, and of values in requests, if they differ. */
  readonly openApi: { readonly answered: JsonSchema; readonly input?: (attribute: ScalarAttribute) => JsonSchema };
  /** What its values are, for assistants. */
  readonly description: string;
  /** A value that can be written; undefined where a pattern decides. */
  readonly example: (attribute: ScalarAttribute) => unknown;

  // Which options of an attribute count. Source: the entity validator and the search of Strapi v4.
  /** `minLength`, `maxLength` and `regex` count. */
  readonly lengths?: true | undefined;
  /** The rule for `min` and `max`; absent: they have no effect. */
  readonly limits?: Schema<number | string>;
  readonly unique: 'always' | 'declared' | 'never';
  /** `_q` searches it. */
  readonly searched?: true | undefined;
  /** The rule for `default`; absent: any value. */
  readonly default?: Schema<unknown>;
  /** It can be the `targetField` of a `uid`. */
  readonly named?: true | undefined;
  /** Seed files can find entries by it, if its values are unique. */
  readonly key?: true | undefined;
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

const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/**
 * A number as SQLite parses it from a string, for values that Strapi v4 does not cast, such as ids; blanks are not a
 * number.
 */
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

const lengths = ({ minLength, maxLength, regex, required }: ScalarAttribute): JsonSchema => ({
  type: 'string',
  wellFormed: true,
  ...(minLength !== undefined && { minLength }),
  ...(maxLength !== undefined && { maxLength }),
  ...(regex !== undefined && { matches: { source: regex.source, empty: !required } }),
});

/** Of a text on one line, which the databases with a limit store in a column of that length. */
const shortLengths = (attribute: ScalarAttribute): JsonSchema => {
  const { maxLength = Number.POSITIVE_INFINITY, dialect } = attribute;
  const { characters = Number.POSITIVE_INFINITY } = dialect.largest;
  return lengths(characters < maxLength ? { ...attribute, maxLength: characters } : attribute);
};

/** @param largest the magnitude of the largest value that can be stored; default: any */
function bounds({ min, max }: ScalarAttribute, largest?: number): JsonSchema {
  const limits = { min: [min, largest && -largest].filter(isNumber), max: [max, largest].filter(isNumber) };
  return {
    ...(limits.min.length > 0 && { minimum: Math.max(...limits.min) }),
    ...(limits.max.length > 0 && { maximum: Math.min(...limits.max) }),
  };
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Rounded as SQL does: the decimal digits count, and halves are rounded away from zero. */
function roundDecimal(value: number, places: number): number {
  const digits = String(Math.abs(value));
  // Written with an exponent: too small for any place, or too large to have one.
  if (digits.includes('e')) return Math.abs(value) < 1 ? 0 : value;
  return Math.sign(value) * Number(`${Math.round(Number(`${digits}e${places}`))}e-${places}`) || 0;
}

/** A value with the keys of its objects by length, then by bytes, at every level: PostgreSQL's `jsonb`. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).map((key) => ({ key, bytes: Buffer.from(key) }));
  const sorted = keys.toSorted((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes));
  return Object.fromEntries(sorted.map(({ key }) => [key, withSortedKeys(value[key])]));
}

/** What OpenAPI says of the length and form of strings. */
const openLengths = ({ minLength, maxLength, regex }: ScalarAttribute): JsonSchema => ({
  ...(minLength !== undefined && { minLength }),
  ...(maxLength !== undefined && { maxLength }),
  ...(regex !== undefined && { pattern: regex.source }),
});

/** Any value; encoding finds other errors. */
const anyValue = (): JsonSchema => ({});

/** An example of a text that keeps the rules of its attribute. */
const like =
  (example: string): AttributeType['example'] =>
  ({ minLength = 0, maxLength, regex }) =>
    regex === undefined ? example.padEnd(minLength, '-').slice(0, maxLength) : undefined;

const string: AttributeType = {
  kind: 'text',
  shape: 'string',
  cast: same,
  schema: shortLengths,
  encode: asStored,
  operand: text,
  graphql: 'String',
  typescript: { answered: () => 'string' },
  openApi: {
    answered: { type: 'string' },
    input: (attribute) => ({ type: 'string', ...openLengths(attribute) }),
  },
  description: 'Text on one line',
  example: like('Text'),
  lengths: true,
  unique: 'declared',
  searched: true,
  default: shapes.string,
  named: true,
  key: true,
};

const float: AttributeType = {
  kind: 'number',
  shape: 'decimal',
  cast: castNumber,
  schema: (attribute) => ({ type: 'number', ...bounds(attribute) }),
  encode: asStored,
  operand: numberOperand,
  graphql: 'Float',
  typescript: { answered: () => 'number' },
  openApi: { answered: { type: 'number' }, input: (attribute) => ({ type: 'number', ...bounds(attribute) }) },
  description: 'A number',
  example: ({ min, max }) => min ?? max ?? 1,
  limits: shapes.number,
  unique: 'declared',
  searched: true,
  default: shapes.number,
};

const json: AttributeType = {
  kind: 'json',
  shape: 'json',
  cast: same,
  schema: () => ({ json: true }),
  untyped: true,
  encode: (value, { sortsKeys }) => {
    const text = JSON.stringify(value);
    return sortsKeys ? JSON.stringify(withSortedKeys(JSON.parse(text))) : text;
  },
  operand: text,
  decode: (value) => JSON.parse(value as string) as unknown,
  graphql: 'JSON',
  typescript: { answered: () => 'Json' },
  openApi: { answered: {} },
  description: 'Any JSON',
  example: () => ({ key: 'value' }),
  unique: 'never',
};

const dateTime: AttributeType = {
  kind: 'instant',
  shape: 'instant',
  cast: same,
  schema: anyValue,
  untyped: true,
  encode: parseDateTime,
  operand: parseDateTime,
  decode: (value) => (value instanceof Date ? writeDateTime(value) : value),
  graphql: 'DateTime',
  typescript: { answered: () => 'string', input: 'string | Date' },
  openApi: { answered: { type: 'string', format: 'date-time' } },
  description: 'A moment in ISO 8601',
  example: () => '2030-01-31T18:30:00.000Z',
  unique: 'declared',
  default: shapes.numberOrText,
};

const UID = '^[A-Za-z0-9-_.~]*$';
/** Digits of a number that JSON may not represent exactly. */
const digits: JsonSchema = { type: 'string', pattern: String.raw`^-?\d+$` };

/** The identifier of the schema of blocks; one without a colon would be relative to that of a component. */
export const BLOCKS = 'type:blocks';

/** Strapi v4's attribute types for plain values. */
export const attributeTypes: Readonly<Record<ScalarType, AttributeType>> = {
  string,
  text: { ...string, schema: lengths, description: 'Text' },
  richtext: {
    ...string,
    schema: lengths,
    description: 'Markdown',
    example: like('Some **bold** text'),
    key: undefined,
  },
  email: {
    ...string,
    schema: (attribute) => {
      // As in Strapi v4, whose rule that an address is not empty replaces minLength.
      const { minLength: _, ...others } = shortLengths(attribute);
      return { notEmpty: 'cannot be empty', ...others, format: 'email' };
    },
    openApi: {
      answered: { type: 'string' },
      input: (attribute) => ({ type: 'string', format: 'email', ...openLengths({ ...attribute, minLength: 1 }) }),
    },
    description: 'An email address',
    example: () => 'somebody@example.org',
  },
  uid: {
    ...string,
    schema: (attribute) => ({ matches: { source: UID, empty: true }, ...shortLengths(attribute) }),
    openApi: {
      answered: { type: 'string' },
      input: (attribute) => ({ type: 'string', pattern: UID, ...openLengths(attribute) }),
    },
    description: 'A name in addresses: letters, digits and -_.~',
    example: like('a-name'),
    unique: 'always',
  },
  // The length, uniqueness and content of a password cannot be checked on its hash; lengths apply to the plain text.
  password: {
    ...string,
    schema: lengths,
    shape: 'hash',
    description: 'A password, which nobody can read',
    example: like('a long password'),
    unique: 'never',
    searched: undefined,
    named: undefined,
    key: undefined,
  },
  enumeration: {
    ...string,
    shape: 'member',
    schema: ({ enum: values = [] }) => ({ type: ['string', 'number', 'boolean'], member: values }),
    typescript: {
      answered: ({ enum: values = [] }) => values.map((value) => JSON.stringify(value)).join(' | ') || 'never',
    },
    openApi: { answered: { type: 'string' }, input: ({ enum: values = [] }) => ({ type: 'string', enum: values }) },
    description: 'One of the listed values',
    example: ({ enum: values }) => values?.[0],
    key: undefined,
    lengths: undefined,
    unique: 'never',
  },
  integer: {
    ...float,
    shape: 'integer',
    schema: (attribute) => ({
      type: 'number',
      integer: true,
      ...bounds(attribute, attribute.dialect.largest.integer),
    }),
    graphql: 'Int',
    openApi: { answered: { type: 'integer' }, input: (attribute) => ({ type: 'integer', ...bounds(attribute) }) },
    description: 'An integer',
    default: shapes.integer,
    key: true,
  },
  biginteger: {
    ...float,
    shape: 'long',
    // Beyond 2^53 JSON has rounded a number already: it is refused.
    cast: (value) =>
      Number.isSafeInteger(value) || ['string', 'bigint'].includes(typeof value) ? String(value) : value,
    schema: ({ min, max }) => ({
      bigInteger: { ...(min !== undefined && { min: String(min) }), ...(max !== undefined && { max: String(max) }) },
    }),
    untyped: true,
    encode: (value) => parseBigInteger(value) ?? 0n,
    operand: (value) => parseBigInteger(value) ?? idOperand(value),
    decode: String,
    graphql: 'Long',
    typescript: { answered: () => 'string', input: 'string | number' },
    openApi: {
      answered: digits,
      input: () => ({ type: ['string', 'integer'], description: 'A 64-bit integer; beyond 2^53 as a string' }),
    },
    description: 'A 64-bit integer, as a string of digits',
    example: ({ min, max }) => String(min ?? max ?? 1),
    limits: shapes.bigInteger,
    default: shapes.bigInteger,
    key: true,
  },
  decimal: {
    ...float,
    schema: (attribute) => ({ type: 'number', ...bounds(attribute, attribute.dialect.largest.decimal) }),
    encode: (value, { decimalPlaces }) =>
      decimalPlaces === undefined ? asStored(value) : roundDecimal(value as number, decimalPlaces),
  },
  float,
  boolean: {
    kind: 'boolean',
    shape: 'boolean',
    cast: castBoolean,
    schema: () => ({ type: 'boolean' }),
    encode: asStored,
    operand: booleanOperand,
    graphql: 'Boolean',
    typescript: { answered: () => 'boolean' },
    openApi: { answered: { type: 'boolean' } },
    description: 'true or false',
    example: () => true,
    unique: 'never',
    default: shapes.boolean,
  },
  date: {
    kind: 'day',
    shape: 'day',
    cast: same,
    schema: anyValue,
    untyped: true,
    encode: parseDay,
    operand: parseDay,
    graphql: 'Date',
    typescript: { answered: () => 'string' },
    openApi: { answered: { type: 'string', format: 'date' } },
    description: 'A day, YYYY-MM-DD',
    example: () => '2030-01-31',
    unique: 'declared',
    default: shapes.string,
  },
  time: {
    kind: 'time',
    shape: 'time',
    cast: same,
    schema: anyValue,
    untyped: true,
    encode: parseTimeOfDay,
    operand: parseTimeOfDay,
    decode: (value, { trimsTimes }) => (trimsTimes ? trimTime(value as string) : value),
    graphql: 'Time',
    typescript: { answered: () => 'string' },
    openApi: { answered: { type: 'string', examples: ['18:30:00.000'] } },
    description: 'A time of day, HH:mm:ss.SSS',
    example: () => '18:30:00.000',
    unique: 'declared',
    default: shapes.string,
  },
  datetime: dateTime,
  timestamp: {
    ...dateTime,
    // SQLite stores a timestamp in milliseconds, and Strapi returns it as a string.
    decode: (value) => String((value as Date).getTime()),
    typescript: { answered: () => 'string', input: 'string | number | Date' },
    openApi: {
      answered: { ...digits, description: 'Milliseconds since 1970' },
      input: () => ({ type: ['string', 'integer'] }),
    },
    description: 'A moment in ISO 8601, returned in milliseconds since 1970',
  },
  json,
  blocks: {
    ...json,
    // Deeper values are not searched.
    schema: () => ({ if: { json: true }, then: { $ref: BLOCKS }, else: { json: true } }),
    untyped: undefined,
    typescript: { answered: () => 'Blocks', input: 'Blocks | readonly Json[]' },
    openApi: { answered: {}, input: () => ({ type: 'array', items: { type: 'object' } }) },
    description: 'A list of blocks: paragraph, heading, list, quote, code, image',
    example: () => [{ type: 'paragraph', children: [{ type: 'text', text: 'Text' }] }],
    default: shapes.list,
  },
  array: {
    ...json,
    shape: 'list',
    schema: () => ({ type: 'array', json: true }),
    untyped: undefined,
    typescript: { answered: () => 'readonly Json[]' },
    openApi: { answered: { type: 'array' } },
    description: 'A list of JSON values',
    example: () => ['value'],
    default: shapes.list,
  },
};

export const isScalarType = (type: string): type is ScalarType => Object.hasOwn(attributeTypes, type);

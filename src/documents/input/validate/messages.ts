import type { ErrorObject } from 'ajv';
import type { Issue, Rule } from '../../../errors/codes.js';
import { shorten } from '../../../errors/shorten.js';
import { MUST_BE_DEFINED } from './schema.js';

type Params = Readonly<Record<string, unknown>>;

interface Keyword {
  /** The rule that the value breaks. */
  readonly rule: Rule | ((error: ErrorObject) => Rule);
  /** What the rule allows. */
  readonly limit?: (error: ErrorObject) => unknown;
  /** With the text of Strapi v4 (that is, yup), for the value at `label`. */
  readonly message: (label: string, params: Params, error: ErrorObject) => string;
}

const schemaOf = ({ schema }: ErrorObject): unknown => schema;
const limitOf = ({ params }: ErrorObject): unknown => (params as Params)['limit'];

/** What the keywords of the schemas say of a value. */
const keywords: Readonly<Record<string, Keyword>> = {
  type: { rule: 'type', message: (label, _, error) => typeMessage(label, error) },
  required: {
    rule: ({ params, parentSchema }) =>
      missingIn(params, parentSchema) === undefined ? (isStrict(parentSchema) ? 'component' : 'required') : 'blocks',
    message: (label, params, { parentSchema }) =>
      missingIn(params, parentSchema) ??
      `${label} ${isStrict(parentSchema) ? 'is a required field' : 'must be defined.'}`,
  },
  notNull: {
    rule: ({ schema }) => (schema === MUST_BE_DEFINED ? 'required' : 'notNull'),
    message: (label, _, { schema }) => `${label} ${String(schema)}.`,
  },
  notEmpty: { rule: 'notEmpty', message: (label, _, { schema }) => `${label} ${String(schema)}` },
  minLength: {
    rule: 'minLength',
    limit: schemaOf,
    message: (label, _, { schema }) => `${label} must be at least ${String(schema)} characters`,
  },
  maxLength: {
    rule: 'maxLength',
    limit: schemaOf,
    message: (label, _, { schema }) => `${label} must be at most ${String(schema)} characters`,
  },
  minimum: {
    rule: 'min',
    limit: limitOf,
    message: (label, { limit }) => `${label} must be greater than or equal to ${String(limit)}`,
  },
  maximum: {
    rule: 'max',
    limit: limitOf,
    message: (label, { limit }) => `${label} must be less than or equal to ${String(limit)}`,
  },
  integer: {
    rule: 'integer',
    // Beyond 2^53 JSON has rounded a number already.
    message: (label, _, { data }) =>
      Number.isInteger(data)
        ? `${label} must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`
        : `${label} must be an integer`,
  },
  enum: { rule: 'enum', message: (label, { allowedValues }) => oneOf(label, allowedValues as readonly unknown[]) },
  // Strapi v4 lists null as the last value of an enumeration, which prints as nothing.
  member: {
    rule: 'enum',
    message: (label, _, { schema }) => oneOf(label, [...(schema as readonly unknown[]), null]),
  },
  wellFormed: { rule: 'text', message: (label) => `${label} must not contain half of a surrogate pair` },
  matches: {
    rule: 'regex',
    limit: ({ schema }) => (schema as { source: string }).source,
    message: (label, _, { schema }) => {
      const { source } = schema as { source: string };
      return `${label} must match the following: "${String(new RegExp(source))}"`;
    },
  },
  format: { rule: 'email', message: (label) => `${label} must be a valid email` },
  minItems: {
    rule: ({ parentSchema }) => (parentSchema?.['tooFew'] === undefined ? 'minItems' : 'blocks'),
    limit: limitOf,
    message: (label, { limit }, { parentSchema }) =>
      String(parentSchema?.['tooFew'] ?? `${label} field must have at least ${String(limit)} items`),
  },
  maxItems: {
    rule: 'maxItems',
    limit: limitOf,
    message: (label, { limit }) => `${label} field must have less than or equal to ${String(limit)} items`,
  },
  link: { rule: 'blocks', message: () => 'Please specify a valid link.' },
  not: { rule: 'blocks', message: (_label, _params, { parentSchema }) => String(parentSchema?.['message']) },
  json: { rule: 'json', message: (label) => `${label} must be JSON of at most 100 levels` },
  bigInteger: {
    rule: 'integer',
    message: (label, _, { data, schema }) => bigIntegerMessage(label, data, schema as Params),
  },
};

/** What the schema says of a property that is missing, in place of the name of the rule. */
const missingIn = ({ missingProperty }: Params, parentSchema: ErrorObject['parentSchema']): string | undefined =>
  (parentSchema?.['missing'] as Readonly<Record<string, string>> | undefined)?.[String(missingProperty)];
const isStrict = (parentSchema: ErrorObject['parentSchema']): boolean => parentSchema?.['isStrict'] === true;

const oneOf = (label: string, values: readonly unknown[]): string =>
  `${label} must be one of the following values: ${values.join(', ')}`;

/** The rule, its limit and the message for one error of the validator; undefined for those that only repeat another. */
export function explain(label: string, error: ErrorObject): Pick<Issue, 'rule' | 'limit' | 'message'> | undefined {
  // An empty string is reported as too short, not as an invalid address.
  if (error.keyword === 'format' && error.data === '') return undefined;
  const keyword = keywords[error.keyword];
  if (keyword === undefined) return undefined;
  const { rule, limit, message } = keyword;
  return {
    rule: typeof rule === 'string' ? rule : rule(error),
    limit: limit?.(error) as Issue['limit'],
    message: message(label, error.params as Params, error),
  };
}

const inList = /\]$/;

function typeMessage(label: string, { schema, data }: ErrorObject): string {
  const expected = String(Array.isArray(schema) ? schema[0] : schema);
  const isNumber = expected === 'number';
  const isCast = data !== null && (isNumber || (expected === 'object' && (label === 'this' || inList.test(label))));
  const value = isNumber ? 'NaN' : isCast ? 'null' : print(data);
  const origin = isCast ? ` (cast from the value \`${print(data)}\`)` : '';
  return `${label} must be a \`${expected}\` type, but the final value was: \`${value}\`${origin}.`;
}

function bigIntegerMessage(label: string, data: unknown, { min, max }: Params): string {
  const bounds = [min === undefined ? '' : ` from ${String(min)}`, max === undefined ? '' : ` up to ${String(max)}`];
  return `${label} must be a 64-bit integer${bounds.join('')}, but the final value was: \`${print(data)}\`.`;
}

/** Characters of a value that are printed: a message is for people. */
const PRINTED = 200;

/**
 * A value as yup prints it: strings quoted, the parts of objects and lists printed again. The end of a long one is left
 * out.
 */
export function print(value: unknown): string {
  const copy = copyStart(value, 0, { left: PRINTED });
  return shorten(typeof copy === 'string' ? copy : JSON.stringify(copy, undefined, 2), PRINTED);
}

/** The parts of a value that fit: each takes its characters, and those before it on its line. */
function copyStart(value: unknown, level: number, space: { left: number }): unknown {
  if (!isNested(value)) {
    const text = printPlain(value);
    space.left -= text.length;
    return text;
  }
  space.left -= 2 * level + 1;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (const part of value) {
      if (space.left < 0) break;
      copy.push(copyStart(part, level + 1, space));
    }
    return copy;
  }
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, part] of Object.entries(value)) {
    if (space.left < 0) break;
    space.left -= name.length;
    copy[name] = copyStart(part, level + 1, space);
  }
  return copy;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
const printPlain = (value: unknown): string =>
  typeof value === 'string' ? `"${value.slice(0, PRINTED)}"` : String(value);

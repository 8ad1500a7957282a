import type { ErrorObject } from 'ajv';

type Params = Readonly<Record<string, unknown>>;

/** What the value at `label` is told, for each keyword of our schemas, in the words of Strapi v4 (which are yup's). */
const messages: Readonly<Record<string, (label: string, params: Params, error: ErrorObject) => string>> = {
  type: (label, _, error) => typeMessage(label, error),
  required: (label, { missingProperty }) =>
    missingProperty === '__component' ? `${label} is a required field` : `${label} must be defined.`,
  minLength: (label, { limit }, { parentSchema }) =>
    limit === 1 && parentSchema?.['format'] === 'email'
      ? `${label} cannot be empty`
      : `${label} must be at least ${String(limit)} characters`,
  maxLength: (label, { limit }) => `${label} must be at most ${String(limit)} characters`,
  minimum: (label, { limit }) => `${label} must be greater than or equal to ${String(limit)}`,
  maximum: (label, { limit }) => `${label} must be less than or equal to ${String(limit)}`,
  integer: (label) => `${label} must be an integer`,
  enum: (label, { allowedValues }) => {
    const values = (allowedValues as readonly string[]).join(', ');
    // Strapi v4 lists null as the last of an enumeration's values, which prints as nothing.
    return `${label} must be one of the following values: ${values}${label.endsWith('__component') ? '' : ', '}`;
  },
  matches: (label, _, { schema }) => {
    const { source } = schema as { source: string };
    return `${label} must match the following: "${String(new RegExp(source))}"`;
  },
  format: (label) => `${label} must be a valid email`,
  minItems: (label, { limit }) => `${label} field must have at least ${String(limit)} items`,
  maxItems: (label, { limit }) => `${label} field must have less than or equal to ${String(limit)} items`,
  json: (label) => `${label} must be JSON of at most 100 levels`,
  bigInteger: (label, _, { data, schema }) => bigIntegerMessage(label, data, schema as Params),
};

/** The message for one error of the validator; undefined for those that only repeat another. */
export function messageOf(label: string, error: ErrorObject): string | undefined {
  // An empty text is told that it is too short, not that it is no address.
  if (error.keyword === 'format' && error.data === '') return undefined;
  return messages[error.keyword]?.(label, error.params as Params, error);
}

const inList = /\]$/;

function typeMessage(label: string, { schema, data }: ErrorObject): string {
  const expected = String(Array.isArray(schema) ? schema[0] : schema);
  const isCast =
    data !== null && (expected === 'number' || (expected === 'object' && (label === 'this' || inList.test(label))));
  const cast = expected === 'number' ? 'NaN' : 'null';
  const value = isCast ? `\`${cast}\` (cast from the value \`${print(data)}\`)` : `\`${print(data)}\``;
  return `${label} must be a \`${expected}\` type, but the final value was: ${value}.`;
}

function bigIntegerMessage(label: string, data: unknown, { min, max }: Params): string {
  const bounds = [min === undefined ? '' : ` from ${String(min)}`, max === undefined ? '' : ` up to ${String(max)}`];
  return `${label} must be a 64-bit integer${bounds.join('')}, but the final value was: \`${print(data)}\`.`;
}

/** A value as yup prints it: texts quoted, the parts of objects and lists printed once more. */
export function print(value: unknown): string {
  if (typeof value !== 'object' || value === null) return printPlain(value);
  return JSON.stringify(value, (key, part: unknown) => (key === '' || isNested(part) ? part : printPlain(part)), 2);
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
const printPlain = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value));

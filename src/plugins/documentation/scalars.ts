import slugify from '@sindresorhus/slugify';
import type { ScalarAttribute, ScalarType } from '../../content-types/model/types.js';

/** A JSON Schema of the 2020-12 draft, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;

interface ScalarFormat {
  /** The schema of values in responses, except null. */
  readonly answered: Schema;
  /** The schema of values in requests, if it differs. */
  readonly input?: (attribute: ScalarAttribute) => Schema;
}

const lengths = ({ minLength, maxLength, regex }: ScalarAttribute): Schema => ({
  ...(minLength !== undefined && { minLength }),
  ...(maxLength !== undefined && { maxLength }),
  ...(regex !== undefined && { pattern: regex.source }),
});
const bounds = ({ min, max }: ScalarAttribute): Schema => ({
  ...(typeof min === 'number' && { minimum: min }),
  ...(typeof max === 'number' && { maximum: max }),
});

const text: ScalarFormat = {
  answered: { type: 'string' },
  input: (attribute) => ({ type: 'string', ...lengths(attribute) }),
};
const number: ScalarFormat = {
  answered: { type: 'number' },
  input: (attribute) => ({ type: 'number', ...bounds(attribute) }),
};

/** The values of each attribute type, as they go over the wire. */
export const scalars: Readonly<Record<ScalarType, ScalarFormat>> = {
  string: text,
  text,
  richtext: text,
  email: {
    answered: text.answered,
    input: (attribute) => ({ type: 'string', format: 'email', ...lengths(attribute) }),
  },
  password: text,
  uid: {
    answered: text.answered,
    input: (attribute) => ({
      type: 'string',
      pattern: '^[A-Za-z0-9-_.~]*$',
      ...lengths(attribute),
      // Without one Swagger UI makes a random text of the pattern.
      ...(attribute.regex === undefined && { example: slugify(`my ${attribute.targetField ?? attribute.name}`) }),
    }),
  },
  enumeration: { answered: text.answered, input: ({ enum: values = [] }) => ({ type: 'string', enum: values }) },
  integer: {
    answered: { type: 'integer' },
    input: (attribute) => ({ type: 'integer', ...bounds(attribute) }),
  },
  biginteger: {
    answered: { type: 'string', pattern: '^-?\\d+$' },
    input: () => ({ type: ['string', 'integer'], description: 'A 64-bit integer; beyond 2^53 as a string' }),
  },
  decimal: number,
  float: number,
  boolean: { answered: { type: 'boolean' } },
  date: { answered: { type: 'string', format: 'date' } },
  time: { answered: { type: 'string', examples: ['18:30:00.000'] } },
  datetime: { answered: { type: 'string', format: 'date-time' } },
  timestamp: {
    answered: { type: 'string', pattern: '^-?\\d+$', description: 'Milliseconds since 1970' },
    input: () => ({ type: ['string', 'integer'] }),
  },
  json: { answered: {} },
  blocks: { answered: {}, input: () => ({ type: 'array', items: { type: 'object' } }) },
  array: { answered: { type: 'array' } },
};

/** The same, or null. */
export function orNull(schema: Schema): Schema {
  if (Object.keys(schema).length === 0) return schema;
  const { type, enum: values } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...(values as readonly unknown[]), null] }),
  };
}

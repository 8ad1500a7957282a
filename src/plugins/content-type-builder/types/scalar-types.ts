import type { ScalarAttribute, ScalarType } from '../../../content-types/model/types.js';

interface ScalarTypes {
  /** The type in responses, if not null. */
  readonly answered: (attribute: ScalarAttribute) => string;
  /** The accepted type, if it is wider. */
  readonly input?: string;
}

const text: ScalarTypes = { answered: () => 'string' };
const number: ScalarTypes = { answered: () => 'number' };
const dateTime: ScalarTypes = { answered: () => 'string', input: 'string | Date' };

/** The TypeScript types of each attribute type's values. */
export const scalarTypes: Readonly<Record<ScalarType, ScalarTypes>> = {
  string: text,
  text,
  richtext: text,
  uid: text,
  email: text,
  password: text,
  enumeration: {
    answered: ({ enum: values = [] }) => values.map((value) => JSON.stringify(value)).join(' | ') || 'never',
  },
  integer: number,
  biginteger: { answered: () => 'string', input: 'string | number' },
  decimal: number,
  float: number,
  boolean: { answered: () => 'boolean' },
  date: text,
  time: text,
  datetime: dateTime,
  timestamp: { answered: () => 'string', input: 'string | number | Date' },
  json: { answered: () => 'Json' },
  blocks: { answered: () => 'Blocks', input: 'Blocks | readonly Json[]' },
  array: { answered: () => 'readonly Json[]' },
};

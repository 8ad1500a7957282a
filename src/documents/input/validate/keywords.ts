import type { KeywordDefinition } from 'ajv';
import { isWellFormed, parseBigInteger } from '../../../content-types/model/attribute-types.js';

const MAX_DEPTH = 100;

/** Levels of nesting, counted without recursion, up to one more than is allowed. */
function depthOf(value: unknown): number {
  let level: readonly unknown[] = [value];
  let depth = 0;
  while (level.length > 0 && depth <= MAX_DEPTH) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    depth += 1;
  }
  return depth;
}

const length = (keyword: string, allows: (length: number, limit: number) => boolean): KeywordDefinition => ({
  keyword,
  type: 'string',
  schemaType: 'number',
  validate: (limit: number, data: string) => allows(data.length, limit),
  errors: false,
});

/**
 * JSON Schema's keywords that mean something else here: a length counts UTF-16 code units, as in Strapi v4, where
 * JSON Schema counts code points.
 */
export const replacedKeywords: KeywordDefinition[] = [
  length('minLength', (units, limit) => units >= limit),
  length('maxLength', (units, limit) => units <= limit),
];

/** The keywords that our schemas use beside those of JSON Schema. */
export const keywords: KeywordDefinition[] = [
  {
    keyword: 'integer',
    type: 'number',
    validate: (_: unknown, data: number) => Number.isSafeInteger(data),
    errors: false,
  },
  { keyword: 'wellFormed', type: 'string', validate: (_: unknown, data: string) => isWellFormed(data), errors: false },
  {
    keyword: 'matches',
    type: 'string',
    validate: ({ source, empty }: { source: string; empty: boolean }, data: string) =>
      (empty && data === '') || new RegExp(source).test(data),
    errors: false,
  },
  {
    keyword: 'bigInteger',
    validate: ({ min, max }: { min?: string; max?: string }, data: unknown) => {
      const integer = parseBigInteger(data);
      if (integer === undefined) return false;
      return (min === undefined || integer >= BigInt(min)) && (max === undefined || integer <= BigInt(max));
    },
    errors: false,
  },
  {
    keyword: 'json',
    validate: (_: unknown, data: unknown) => data !== null && depthOf(data) <= MAX_DEPTH,
    errors: false,
  },
];

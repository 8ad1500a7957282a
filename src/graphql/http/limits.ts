import { GraphQLError } from 'graphql';
import type { Limits } from '../settings.js';
import type { Measures } from './measure.js';

/** Introspection nests types in types; its own queries need 15. */
const SCHEMA_DEPTH = 20;
/** The cost of comparing fields with each other grows with the square of these. */
const REPEATS = 20;
const FRAGMENTS = 250;

interface Rule {
  readonly measured: (measures: Measures) => number;
  readonly limit: (limits: Limits) => number;
  readonly message: (limit: number, documents: readonly Measures[]) => string;
  /** Added up over several documents. */
  readonly shared: boolean;
}

const rules: readonly Rule[] = [
  {
    measured: ({ depth }) => depth,
    limit: ({ depth }) => depth,
    // The wording of graphql-depth-limit, which Strapi v4 uses.
    message: (limit, documents) => {
      const name = documents.find(({ depth }) => depth > limit)?.deepest ?? '';
      return `'${name}' exceeds maximum operation depth of ${limit}`;
    },
    shared: false,
  },
  {
    measured: ({ schemaDepth }) => schemaDepth,
    limit: () => SCHEMA_DEPTH,
    message: (limit) => `The query nests too deep: at most ${limit} levels of the schema`,
    shared: false,
  },
  {
    measured: ({ aliases }) => aliases,
    limit: ({ aliases }) => aliases,
    message: (limit) => `The query has too many aliases: at most ${limit} (aliasLimit)`,
    shared: true,
  },
  {
    measured: ({ roots }) => roots,
    limit: ({ roots }) => roots,
    message: (limit) => `Too many queries and mutations at once: at most ${limit} (rootLimit)`,
    shared: true,
  },
  {
    measured: ({ cost }) => cost,
    limit: ({ cost }) => cost,
    message: (limit) => `The query costs too much: at most ${limit} fields, with fragments expanded (costLimit)`,
    shared: true,
  },
  {
    measured: ({ repeats }) => repeats,
    limit: () => REPEATS,
    message: (limit) => `A field is repeated too often: at most ${limit} times in one place`,
    shared: false,
  },
  {
    measured: ({ fragments }) => fragments,
    limit: () => FRAGMENTS,
    message: (limit) => `The query has too many fragments: at most ${limit}`,
    shared: true,
  },
];

/** The error for the first limit that these documents exceed together; undefined if there is none. */
export function beyondLimits(documents: readonly Measures[], limits: Limits): GraphQLError | undefined {
  for (const { measured, limit, message, shared } of rules) {
    const values = documents.map(measured);
    const value = shared ? values.reduce((sum, number) => sum + number, 0) : Math.max(...values);
    if (value > limit(limits)) {
      return new GraphQLError(message(limit(limits), documents), { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
    }
  }
  return undefined;
}

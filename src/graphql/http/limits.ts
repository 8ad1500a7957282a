import { GraphQLError } from 'graphql';
import type { Limits } from '../settings.js';
import type { Measures } from './measure.js';

/** Introspection nests types in types; its own queries need 15. */
const SCHEMA_DEPTH = 20;
/** Comparing fields with each other takes the square of these. */
const REPEATS = 20;
const FRAGMENTS = 250;

interface Rule {
  readonly of: (measures: Measures) => number;
  readonly most: (limits: Limits) => number;
  readonly says: (limit: number) => string;
  /** Those of several documents are added up. */
  readonly shared: boolean;
}

const rules: readonly Rule[] = [
  {
    of: ({ depth }) => depth,
    most: ({ depth }) => depth,
    says: (limit) => `The query nests too deep: at most ${limit} levels of fields (depthLimit)`,
    shared: false,
  },
  {
    of: ({ schemaDepth }) => schemaDepth,
    most: () => SCHEMA_DEPTH,
    says: (limit) => `The query nests too deep: at most ${limit} levels of the schema`,
    shared: false,
  },
  {
    of: ({ aliases }) => aliases,
    most: ({ aliases }) => aliases,
    says: (limit) => `The query has too many aliases: at most ${limit} (aliasLimit)`,
    shared: true,
  },
  {
    of: ({ roots }) => roots,
    most: ({ roots }) => roots,
    says: (limit) => `Too many queries and mutations at once: at most ${limit} (rootLimit)`,
    shared: true,
  },
  {
    of: ({ cost }) => cost,
    most: ({ cost }) => cost,
    says: (limit) => `The query costs too much: at most ${limit} fields, fragments spread out (costLimit)`,
    shared: true,
  },
  {
    of: ({ repeats }) => repeats,
    most: () => REPEATS,
    says: (limit) => `A field is repeated too often: at most ${limit} times in one place`,
    shared: false,
  },
  {
    of: ({ fragments }) => fragments,
    most: () => FRAGMENTS,
    says: (limit) => `The query has too many fragments: at most ${limit}`,
    shared: true,
  },
];

/** The first limit that these documents go beyond together; undefined: none. */
export function beyondLimits(documents: readonly Measures[], limits: Limits): GraphQLError | undefined {
  for (const { of, most, says, shared } of rules) {
    const values = documents.map(of);
    const value = shared ? values.reduce((sum, one) => sum + one, 0) : Math.max(...values);
    if (value > most(limits)) {
      return new GraphQLError(says(most(limits)), { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
    }
  }
  return undefined;
}

import { GraphQLError } from 'graphql';
import type { Limits } from '../settings.js';
import type { Measures } from './measure.js';

/** The limits that no setting changes. */
const fixed = {
  /** Introspection nests types in types; its own queries need 15. */
  schemaDepth: 20,
  /** The cost of comparing fields with each other grows with the square of these. */
  repeats: 20,
  fragments: 250,
} as const;

interface Rule {
  readonly name: (keyof Limits | keyof typeof fixed) & keyof Measures;
  readonly message: (limit: number, documents: readonly Measures[]) => string;
  /** Added up over several documents. */
  readonly shared: boolean;
}

const rules: readonly Rule[] = [
  {
    name: 'depth',
    // The wording of graphql-depth-limit, which Strapi v4 uses.
    message: (limit, documents) => {
      const name = documents.find(({ depth }) => depth > limit)?.deepest ?? '';
      return `'${name}' exceeds maximum operation depth of ${limit}`;
    },
    shared: false,
  },
  {
    name: 'schemaDepth',
    message: (limit) => `The query nests too deep: at most ${limit} levels of the schema`,
    shared: false,
  },
  {
    name: 'aliases',
    message: (limit) => `The query has too many aliases: at most ${limit} (aliasLimit)`,
    shared: true,
  },
  {
    name: 'roots',
    message: (limit) => `Too many queries and mutations at once: at most ${limit} (rootLimit)`,
    shared: true,
  },
  {
    name: 'cost',
    message: (limit) => `The query costs too much: at most ${limit} fields, with fragments expanded (costLimit)`,
    shared: true,
  },
  {
    name: 'repeats',
    message: (limit) => `A field is repeated too often: at most ${limit} times in one place`,
    shared: false,
  },
  {
    name: 'fragments',
    message: (limit) => `The query has too many fragments: at most ${limit}`,
    shared: true,
  },
];

/** The error for the first limit that these documents exceed together; undefined if there is none. */
export function beyondLimits(documents: readonly Measures[], limits: Limits): GraphQLError | undefined {
  const all = { ...limits, ...fixed };
  for (const { name, message, shared } of rules) {
    const values = documents.map((measures) => measures[name]);
    const value = shared ? values.reduce((sum, number) => sum + number, 0) : Math.max(...values);
    if (value > all[name]) {
      return new GraphQLError(message(all[name], documents), { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
    }
  }
  return undefined;
}

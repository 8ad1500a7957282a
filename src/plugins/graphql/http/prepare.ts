import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { measure, type Measures } from './measure.js';
import { beyondLimits } from './limits.js';
import type { Limits } from '../settings.js';

/** A document that can be executed. */
export interface Prepared {
  readonly document: DocumentNode;
  readonly measures: Measures;
}

/** Reads a document; what is wrong with it comes back as a list of errors with their codes. */
export type Prepare = (query: string) => Prepared | readonly GraphQLError[];

export interface PrepareOptions {
  readonly schema: GraphQLSchema;
  readonly limits: Limits;
  readonly introspection: boolean;
  readonly validationRules: readonly ValidationRule[];
}

/** Errors in one answer: what is wrong with a hostile document could fill megabytes. */
export const MOST_ERRORS = 15;
/** Characters of the documents that are remembered. */
const REMEMBERED = 4_000_000;

/** Parses and validates each document once; documents that are used are remembered. */
export function createPrepare({ schema, limits, introspection, validationRules }: PrepareOptions): Prepare {
  const remembered = new LRUCache<string, Prepared>({
    maxSize: REMEMBERED,
    sizeCalculation: (_prepared, query) => query.length,
  });
  const rules = [...specifiedRules, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]), ...validationRules];
  const options = { maxErrors: MOST_ERRORS, hideSuggestions: !introspection };
  return (query) => {
    const known = remembered.get(query);
    if (known !== undefined) return known;
    const read = readDocument(query, limits.tokens);
    if (read instanceof GraphQLError) return [read];
    // Before validation: the time that takes grows with the square of some of these.
    const beyond = beyondLimits([read.measures], limits);
    if (beyond !== undefined) return [beyond];
    const errors = validate(schema, read.document, rules, options);
    if (errors.length > 0) return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'));
    remembered.set(query, read);
    return read;
  };
}

/** Parsing and measuring nest as deep as the document does: the end of the stack is a reason to refuse it. */
function readDocument(query: string, maxTokens: number): Prepared | GraphQLError {
  try {
    const document = parse(query, { maxTokens });
    return { document, measures: measure(document) };
  } catch (error) {
    if (error instanceof GraphQLError) return withCode(error, 'GRAPHQL_PARSE_FAILED');
    if (error instanceof RangeError) {
      return new GraphQLError('The query nests too deep', { extensions: { code: 'GRAPHQL_PARSE_FAILED' } });
    }
    throw error;
  }
}

/** The same error with a code for clients, unless it has one. It is the client's, whatever a scalar threw. */
export function withCode(error: GraphQLError, code: string): GraphQLError {
  const { message, nodes = null, source = null, positions = null, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, extensions: { code, ...extensions } });
}

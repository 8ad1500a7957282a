import { GraphQLError, parse, validate, type DocumentNode, type GraphQLSchema, type ValidationRule } from 'graphql';
import { LRUCache } from 'lru-cache';
import { measure, type Measures } from './measure.js';
import { nestsTooDeep } from './operation.js';
import { beyondLimits } from './limits.js';
import type { Limits } from '../settings.js';

/** Parses and validates each document once; valid documents are cached. */
export interface Documents {
  /** @throws GraphQLError with a code */
  parse(query: string): DocumentNode;
  /** The validation errors of a document, each with its code. */
  validate(schema: GraphQLSchema, document: DocumentNode, rules?: readonly ValidationRule[]): readonly GraphQLError[];
  measure(document: DocumentNode): Measures;
}

export interface DocumentsOptions {
  readonly limits: Limits;
  /** Clients can query the schema; otherwise errors suggest no names of it. */
  readonly introspection: boolean;
}

/** Maximum errors in one response: those of a hostile document could fill megabytes. */
export const MAX_ERRORS = 10;
/** Characters of all cached documents. */
const CACHE_SIZE = 4_000_000;

/** For one schema and its rules. */
export function createDocuments({ limits, introspection }: DocumentsOptions): Documents {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: CACHE_SIZE,
    sizeCalculation: (_document, query) => query.length,
  });
  const errorsOf = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  const measuresOf = new WeakMap<DocumentNode, Measures>();
  const options = { maxErrors: MAX_ERRORS, hideSuggestions: !introspection };
  const parseOnce = (query: string): DocumentNode => {
    const cached = documents.get(query);
    if (cached !== undefined) return cached;
    const [document, measures] = readDocument(query, limits.tokens);
    // Before validation: its time grows with the square of some of these.
    const beyond = beyondLimits([measures], limits);
    if (beyond !== undefined) throw beyond;
    measuresOf.set(document, measures);
    return document;
  };
  return {
    parse: parseOnce,
    validate: (schema, document, rules) => {
      const before = errorsOf.get(document);
      if (before !== undefined) return before;
      const errors = validate(schema, document, rules, options).map((error) =>
        withCode(error, 'GRAPHQL_VALIDATION_FAILED'),
      );
      errorsOf.set(document, errors);
      if (errors.length === 0 && document.loc) documents.set(document.loc.source.body, document);
      return errors;
    },
    measure: (document) => measuresOf.get(document) ?? measure(document),
  };
}

/** Parsing and measuring recurse as deep as the document: a stack overflow is a reason to refuse it. */
function readDocument(query: string, maxTokens: number): readonly [DocumentNode, Measures] {
  try {
    const document = parse(query, { maxTokens });
    return [document, measure(document)];
  } catch (error) {
    if (error instanceof GraphQLError) throw withCode(error, 'GRAPHQL_PARSE_FAILED');
    throw error instanceof RangeError ? nestsTooDeep() : error;
  }
}

/** Adds a code for clients to an error that has none. All errors of scalars are client errors. */
export function withCode(error: GraphQLError, code: string): GraphQLError {
  const { message, nodes = null, source = null, positions = null, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, extensions: { code, ...extensions } });
}

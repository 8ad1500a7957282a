import { createHash } from 'node:crypto';
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { memoize } from '../../query/memoize.js';
import { createSizedCache } from '../../query/sized-cache.js';
import { measure, type Measures } from './measure.js';
import { nestsTooDeep } from './operation.js';
import { beyondLimits } from './limits.js';
import type { Limits, ServerSettings } from '../settings.js';

/** Parses, measures and validates documents; valid ones that are sent again are cached. */
export interface QueryDocuments {
  /** @throws GraphQLError with a code */
  parse(query: string): DocumentNode;
  /** The validation errors of a document, each with its code. */
  validate(document: DocumentNode): readonly GraphQLError[];
  measure(document: DocumentNode): Measures;
}

interface DocumentsOptions {
  readonly schema: GraphQLSchema;
  readonly limits: Limits;
  /** Clients can query the schema; otherwise errors suggest no names of it. */
  readonly introspection: boolean;
  readonly server: Pick<ServerSettings, 'validationRules'>;
}

/** Maximum errors in one response: those of a hostile document could fill megabytes. */
export const MAX_ERRORS = 10;
/** Bytes of all cached documents, and of the hashes of those that were valid once. */
const CACHE_BYTES = 32 * 2 ** 20;
const HASHES_BYTES = 2 ** 20;
/**
 * Bytes that a document holds for each of its tokens. Measured: its syntax tree has 230 to 300 for values and fields
 * with arguments, and up to 490 for plain fields.
 */
const BYTES_OF_TOKEN = 500;

export function createQueryDocuments({ schema, limits, introspection, server }: DocumentsOptions): QueryDocuments {
  const documents = createSizedCache<DocumentNode>({
    bytes: CACHE_BYTES,
    sizeOf: ({ tokenCount }, query) => (tokenCount ?? query.length) * BYTES_OF_TOKEN,
  });
  const validOnce = createSizedCache<true>({ bytes: HASHES_BYTES, sizeOf: () => 0 });
  /** Keeps a document when it is valid for the second time: those that are sent once do not replace others. */
  const keep = (query: string, document: DocumentNode): void => {
    const hash = createHash('sha256').update(query).digest('base64');
    if (validOnce.has(hash)) documents.set(query, document);
    else validOnce.set(hash, true);
  };
  const options = { maxErrors: MAX_ERRORS, hideSuggestions: !introspection };
  const rules = [
    ...specifiedRules,
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
    ...server.validationRules,
  ];
  const measureOnce = memoize(measure);
  return {
    parse: (query) => {
      const cached = documents.get(query);
      if (cached !== undefined) return cached;
      // Parsing and measuring recurse as deep as the document: a stack overflow is a reason to refuse it.
      try {
        const document = parse(query, { maxTokens: limits.tokens });
        // Before validation: its time grows with the square of some of these.
        const beyond = beyondLimits([measureOnce(document)], limits);
        if (beyond !== undefined) throw beyond;
        return document;
      } catch (error) {
        if (error instanceof GraphQLError) throw withCode(error, 'GRAPHQL_PARSE_FAILED');
        throw error instanceof RangeError ? nestsTooDeep() : error;
      }
    },
    validate: memoize((document: DocumentNode) => {
      const errors = validate(schema, document, rules, options);
      if (errors.length === 0 && document.loc) keep(document.loc.source.body, document);
      return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'));
    }),
    measure: measureOnce,
  };
}

/** Adds a code for clients to an error that has none. All errors of scalars are client errors. */
export function withCode(error: GraphQLError, code: string): GraphQLError {
  const { message, nodes = null, source = null, positions = null, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, extensions: { code, ...extensions } });
}

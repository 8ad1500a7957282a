import { getOperationAST, GraphQLError, type DocumentNode, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { isRecord } from '../../config/record.js';
import type { Documents as DocumentsService } from '../../documents/documents.js';
import type { ReadResponse, SerializedResponse } from '../../documents/response/response-cache.js';
import type { ResponseBudget } from '../../documents/response/response-body.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import type { Execute } from '../execute/execute.js';
import { holdReads } from '../execute/root-reads.js';
import type { QueryDocuments } from './query-documents.js';
import type { GraphqlOperation } from './operation.js';
import type { NoteValidation } from './tracing.js';

export interface OperationRequest {
  readonly operation: GraphqlOperation;
  /** The document of its query, or why it is not executed. */
  readonly document: DocumentNode | GraphQLError;
  readonly context: GraphqlContext;
  /** The bytes of all responses to operations of the request. */
  readonly written: ResponseBudget;
  /** The response becomes a part of another. */
  readonly isPart: boolean;
  /** Undefined: responses contain no durations. */
  readonly noteValidation: NoteValidation | undefined;
}

/** The response cache, and which documents depend on nothing but entries. */
export interface GraphqlCache extends Pick<DocumentsService, 'read'> {
  readonly respond: NonNullable<DocumentsService['respondTogether']>;
  readonly isCacheable: (document: DocumentNode) => boolean;
}

export interface ReadCachedOptions {
  readonly schema: GraphQLSchema;
  readonly documents: Pick<QueryDocuments, 'validate'>;
  readonly execute: Execute;
  /** Default: every query is read. */
  readonly cache?: GraphqlCache | undefined;
}

/** A response out of the cache, or what was executed to make one; neither, if the cache holds no such responses. */
interface Cached {
  readonly response?: SerializedResponse;
  readonly result?: ExecutionResult;
}

/** Answers a query by the cache of responses. The fields of the query say what they read before they read it, because the cache needs to know. */
export async function readCached(options: ReadCachedOptions, request: OperationRequest): Promise<Cached> {
  const { cache, execute } = options;
  const document = cacheableDocument(options, request);
  const { query, operationName, variables } = request.operation;
  const operation = document && getOperationAST(document, operationName);
  if (cache === undefined || !document || !operation) return {};
  const { context, requested, release, isComplete, ids } = holdReads(cache);
  const contextValue = { ...request.context, ...context };
  const executing = execute({ document, operation, variableValues: asVariables(variables), contextValue });
  const make = async (): Promise<ReadResponse> => {
    release();
    const { errors: [error] = [], data } = await executing;
    if (error !== undefined || !isComplete()) throw new Error('Not to be cached', { cause: error });
    const body = JSON.stringify({ data });
    request.written.spend(Buffer.byteLength(body));
    return { body, ids: ids() };
  };
  const reads = await requested();
  if (reads !== undefined) {
    const text = JSON.stringify([query, operationName, variables]);
    try {
      const combined = { name: 'graphql', text, make };
      return { response: await cache.respond(request.context.caller, reads, combined) };
    } catch {
      // Its errors are part of the result.
    }
  }
  release();
  return { result: await executing };
}

/** The valid document of a query, if its response can be cached. */
function cacheableDocument(
  { documents, cache }: ReadCachedOptions,
  { operation, document, isPart, noteValidation }: OperationRequest,
): DocumentNode | undefined {
  if (cache === undefined || document instanceof GraphQLError || isPart || noteValidation !== undefined)
    return undefined;
  if (!isAbsentOrObject(operation.variables)) return undefined;
  const isValid = documents.validate(document).length === 0;
  return isValid && cache.isCacheable(document) ? document : undefined;
}

export const isAbsentOrObject = (variables: unknown): boolean =>
  variables === undefined || typeof variables === 'object';

/** Variables by name, which a list does not have. */
export const asVariables = (variables: unknown): Readonly<Record<string, unknown>> | undefined =>
  isRecord(variables) ? variables : undefined;

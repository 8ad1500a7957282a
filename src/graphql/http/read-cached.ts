import type { DocumentNode, ExecutionResult } from 'graphql';
import type { Documents as DocumentsService } from '../../documents/documents.js';
import type { ReadResponse, SerializedResponse } from '../../documents/response/response-cache.js';
import type { ResponseBudget } from '../../documents/response/response-body.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import type { Execute, ExecuteArgs } from '../execute/execute.js';
import { holdReads } from '../execute/root-reads.js';
import type { GraphqlOperation } from './operation.js';
import type { NoteValidation } from './tracing.js';

export interface OperationRequest {
  readonly operation: GraphqlOperation;
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
  /** Where the schema is served: another one answers the same query in its own form. */
  readonly path: string;
  readonly respond: NonNullable<DocumentsService['respondTogether']>;
  readonly isCacheable: (document: DocumentNode) => boolean;
}

export interface ReadCachedOptions {
  readonly execute: Execute;
  /** Default: every query is read. */
  readonly cache?: GraphqlCache | undefined;
}

/** A response out of the cache, or what was executed to make one; neither, if the cache holds no such responses. */
interface Cached {
  readonly response?: SerializedResponse;
  readonly result?: ExecutionResult;
}

/**
 * Answers a query by the cache of responses. The fields of the query say what they read before they read it, because
 * the cache needs to know.
 */
export async function readCached(
  { cache, execute }: ReadCachedOptions,
  {
    operation: { query, operationName, variables },
    context: received,
    written,
    isPart,
    noteValidation,
  }: OperationRequest,
  prepared: ExecuteArgs,
): Promise<Cached> {
  if (cache === undefined || isPart || noteValidation !== undefined || !cache.isCacheable(prepared.document)) return {};
  const { context, requested, release, isComplete, ids } = holdReads(cache);
  const executing = execute({ ...prepared, contextValue: { ...prepared.contextValue, ...context } });
  const make = async (): Promise<ReadResponse> => {
    release();
    const { errors: [error] = [], data } = await executing;
    if (error !== undefined || !isComplete()) throw new Error('Not to be cached', { cause: error });
    const body = JSON.stringify({ data });
    written.spend(Buffer.byteLength(body));
    return { body, ids: ids() };
  };
  const reads = await requested();
  if (reads !== undefined) {
    const text = JSON.stringify([cache.path, query, operationName, variables]);
    try {
      const combined = { name: 'graphql', text, make };
      return { response: await cache.respond(received.caller, reads, combined) };
    } catch {
      // Its errors are part of the result.
    }
  }
  release();
  return { result: await executing };
}

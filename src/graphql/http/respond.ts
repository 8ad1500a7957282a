import { GraphQLError } from 'graphql';
import { textOf } from '../../documents/response/response-cache.js';
import { createResponseBudget } from '../../documents/response/response-body.js';
import { hasCode } from '../../errors/app-error.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import type { Limits, ServerSettings } from '../settings.js';
import type { ParsedOperation, RefuseVariables } from './count-variables.js';
import type { QueryDocuments } from './query-documents.js';
import type { Format } from './format-errors.js';
import { beyondLimits } from './limits.js';
import { createOperate, type GraphqlResponse, type OperateOptions, type OperateRequest } from './operate.js';
import { checkDepth, readOperation, refuse, type GraphqlOperation, createQueryCache } from './operation.js';
import { startTracing } from './tracing.js';

/** An incoming request. */
export interface GraphqlRequest {
  readonly method: 'GET' | 'POST';
  /** Of the response. */
  readonly type: string;
  /** One operation or a batch. */
  readonly operations: unknown;
  readonly context: GraphqlContext;
  readonly format: Format;
}

interface RespondOptions extends OperateOptions {
  readonly documents: QueryDocuments;
  readonly limits: Limits;
  readonly refuseVariables: RefuseVariables;
  readonly server: Pick<ServerSettings, 'persistedQueries' | 'tracing'>;
}

/** Responds as Strapi v4 does: a batch gets a list and status 200, even if its operations fail. */
export type Respond = (request: GraphqlRequest) => Promise<GraphqlResponse>;

/** An operation with the document of its query, or its refusal. */
type Prepared = Pick<OperateRequest, 'operation' | 'document'>;

/** Executes each operation of a request. Requests that are refused as a whole do not get this far. */
export function createRespond(options: RespondOptions): Respond {
  const { documents, limits, limit, server, refuseVariables } = options;
  const operate = createOperate(options);
  const queryOf = createQueryCache(server.persistedQueries);
  const prepare = async (operation: GraphqlOperation): Promise<Prepared> => {
    try {
      checkDepth(operation);
      const query = await queryOf(operation);
      return { operation: { ...operation, query }, document: documents.parse(query) };
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return { operation, document: error };
    }
  };
  /**
   * Why nothing of a request is executed: its operations share the limits. Those of one document were asked when it was
   * parsed.
   */
  const refusalOf = (operations: readonly Prepared[], isBatch: boolean): GraphQLError | undefined => {
    const parsed = operations.filter((prepared): prepared is Prepared & ParsedOperation => 'kind' in prepared.document);
    const measures = isBatch ? parsed.map(({ document }) => documents.measure(document)) : [];
    return beyondLimits(measures, limits) ?? refuseVariables(parsed);
  };
  return async (request) => {
    const { operations, method, format, type, context } = request;
    const isPart = Array.isArray(operations);
    const written = createResponseBudget(limit);
    const noteValidation = server.tracing ? startTracing() : undefined;
    const handleOne = (prepared: Prepared): Promise<GraphqlResponse> =>
      operate({ ...prepared, method, type, context, format, written, isPart, noteValidation });
    const refuseAll = (refusal: GraphQLError): Promise<GraphqlResponse> =>
      handleOne({ operation: EMPTY, document: refusal });
    if (isPart && operations.length > limits.batch) {
      return refuseAll(refuse(`At most ${limits.batch} operations in one request (batchLimit)`));
    }
    const read = readOperations(isPart ? operations : [operations]);
    if ('status' in read) return read;
    const prepared = await Promise.all(read.map(prepare));
    const beyond = refusalOf(prepared, isPart);
    if (beyond !== undefined) return refuseAll(beyond);
    const responses = await Promise.all(prepared.map(handleOne));
    return isPart ? joinResponses(responses) : (responses[0] as GraphqlResponse);
  };
}

/** The operations; or, as recorded, a plain-text refusal of the complete request. */
function readOperations(inputs: readonly unknown[]): readonly GraphqlOperation[] | GraphqlResponse {
  try {
    return inputs.map((input) => readOperation(input));
  } catch (error) {
    if (!hasCode(error, 'badRequest')) throw error;
    return { status: 400, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: error.message };
  }
}

const EMPTY: GraphqlOperation = { query: '', operationName: undefined, variables: undefined, extensions: undefined };

function joinResponses(responses: readonly GraphqlResponse[]): GraphqlResponse {
  const headers = responses[0]?.headers ?? {};
  return { status: 200, headers, body: `[${responses.map(({ body }) => textOf(body)).join(',')}]` };
}

import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Request, ResponseHeaders } from 'graphql-http';
import { textOf } from '../../documents/response/response-cache.js';
import { createResponseBudget } from '../../documents/response/response-size.js';
import { hasCode } from '../../errors/app-error.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import type { Limits } from '../settings.js';
import type { ServerSettings } from '../server-settings.js';
import { createAnswerPlanned, type AnswerPlannedOptions } from './answer-planned.js';
import { createDocuments } from './documents.js';
import { createHandle, GRAPHQL_TYPE, type GraphqlResponse, type HandleOptions, type RequestContext } from './handle.js';
import { beyondLimits } from './limits.js';
import { checkDepth, readOperation, refuse, type Operation, createQueryCache } from './operation.js';
import { startTracing } from './tracing.js';

/** An incoming request. */
export interface GraphqlRequest {
  readonly method: 'GET' | 'POST';
  /** The header of this name. */
  readonly accept: string | undefined;
  /** The supported type that the client prefers; undefined if it accepts none. */
  readonly type: string | undefined;
  /** One operation or a batch. */
  readonly operations: unknown;
  readonly context: GraphqlContext;
  /** Formats an error for clients. */
  readonly format: (error: GraphQLError) => GraphQLFormattedError;
}

export interface RespondOptions
  extends Omit<HandleOptions, 'documents' | 'validationRules'>, Partial<Pick<AnswerPlannedOptions, 'plan' | 'cached'>> {
  readonly limits: Limits;
  readonly server: Pick<ServerSettings, 'validationRules' | 'persistedQueries' | 'tracing'>;
}

/** Responds as Strapi v4 does: a batch gets a list and status 200, even if its operations fail. */
export type Respond = (request: GraphqlRequest) => Promise<GraphqlResponse>;

/** An operation with its query, or its refusal. */
interface Prepared {
  readonly operation: Operation;
  readonly refusal?: GraphQLError;
}

/**
 * Answers each operation by its plan, or passes it to graphql-http as a separate request. Requests that are refused as a whole do not
 * get this far.
 */
export function createRespond(options: RespondOptions): Respond {
  const { limits, limit, server, plan = () => undefined } = options;
  const documents = createDocuments(options);
  const handle = createHandle({ ...options, documents, validationRules: server.validationRules });
  const answerPlanned = createAnswerPlanned({ ...options, plan, documents });
  const queryOf = createQueryCache(server.persistedQueries);
  const prepare = async (operation: Operation): Promise<Prepared> => {
    try {
      checkDepth(operation);
      return { operation: { ...operation, query: await queryOf(operation) } };
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return { operation, refusal: error };
    }
  };
  /** Why nothing of a batch is executed: its operations share the limits. */
  const refusalOf = (batch: readonly Prepared[]): GraphQLError | undefined => {
    const executable = batch.filter(({ refusal }) => refusal === undefined);
    return beyondLimits(
      executable.flatMap(({ operation }) => documents.measure(operation.query) ?? []),
      limits,
    );
  };
  return async (request) => {
    const { operations, format, type } = request;
    const isBatch = Array.isArray(operations);
    const written = createResponseBudget(limit);
    const noteValidation = server.tracing ? startTracing() : undefined;
    const handleOne = async ({ operation, refusal }: Prepared): Promise<GraphqlResponse> => {
      const isPlanned = refusal === undefined && noteValidation === undefined && type !== undefined;
      const answer = isPlanned
        ? await answerPlanned({ operation, context: request.context, written, type, isPart: isBatch })
        : {};
      if ('response' in answer) return answer.response;
      const context = { graphql: { ...request.context, ...answer }, format, refusal, written, noteValidation };
      const [body, { status, headers = {} }] = await handle(toRequest(request, operation, context));
      // The only error that graphql-http does not format.
      const shown = status === 405 ? JSON.stringify({ errors: [format(refuse(ONLY_QUERIES))] }) : body;
      return { status, headers: withType(headers, type), body: shown ?? '' };
    };
    const refuseAll = (refusal: GraphQLError): Promise<GraphqlResponse> => handleOne({ operation: EMPTY, refusal });
    if (isBatch && operations.length > limits.batch) {
      return refuseAll(refuse(`At most ${limits.batch} operations in one request (batchLimit)`));
    }
    const read = readOperations(isBatch ? operations : [operations]);
    if ('status' in read) return read;
    const prepared = await Promise.all(read.map(prepare));
    const beyond = isBatch ? refusalOf(prepared) : undefined;
    if (beyond !== undefined) return refuseAll(beyond);
    const responses = await Promise.all(prepared.map(handleOne));
    return isBatch ? joinResponses(responses) : (responses[0] as GraphqlResponse);
  };
}

/** The operations; or, as recorded, a plain-text refusal of the complete request. */
function readOperations(inputs: readonly unknown[]): readonly Operation[] | GraphqlResponse {
  try {
    return inputs.map((input) => readOperation(input));
  } catch (error) {
    if (!hasCode(error, 'badRequest')) throw error;
    return { status: 400, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: error.message };
  }
}

const ONLY_QUERIES = 'GET supports only query operation';

const EMPTY: Operation = { query: '', operationName: undefined, variables: undefined, extensions: undefined };

/**
 * An operation as a request of GraphQL over HTTP. For clients that accept any type it sets the type for which graphql-http has
 * the statuses of Strapi v4, which differ from those of `application/json`.
 */
function toRequest(
  { method, accept, type }: GraphqlRequest,
  operation: Operation,
  context: RequestContext,
): Request<undefined, RequestContext> {
  const headers = { accept: type === undefined ? accept : GRAPHQL_TYPE, 'content-type': 'application/json' };
  return method === 'GET'
    ? { method, url: urlOf(operation), headers, body: null, raw: undefined, context }
    : { method, url: '/', headers, body: { ...operation }, raw: undefined, context };
}

function urlOf({ query, operationName, variables, extensions }: Operation): string {
  const parameters = new URLSearchParams({ query });
  if (operationName !== undefined) parameters.set('operationName', operationName);
  if (variables !== undefined) parameters.set('variables', JSON.stringify(variables));
  if (extensions !== undefined) parameters.set('extensions', JSON.stringify(extensions));
  return `/?${parameters.toString()}`;
}

/** A body has the type that the client prefers. */
const withType = (headers: ResponseHeaders, type: string | undefined): Readonly<Record<string, string>> =>
  type === undefined ? headers : { ...headers, 'content-type': type };

/** A client that accepts none of the types gets the same refusal for every operation of a batch. */
function joinResponses(responses: readonly GraphqlResponse[]): GraphqlResponse {
  const [first] = responses;
  const headers = first?.headers ?? {};
  if (first?.status === 406) return first;
  return { status: 200, headers, body: `[${responses.map(({ body }) => textOf(body)).join(',')}]` };
}

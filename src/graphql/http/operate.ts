import { STATUS_CODES } from 'node:http';
import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { createHandler, type Response } from 'graphql-http';
import { isRecord } from '../../config/record.js';
import type { SerializedResponse } from '../../documents/response/response-cache.js';
import { responseTooLong, exceedsResponse } from '../../mongo/read/read-batch.js';
import type { ExecuteArgs } from '../execute/execute.js';
import { withCode, type QueryDocuments } from './query-documents.js';
import type { Format } from './format-errors.js';
import { refuse } from './operation.js';
import { extendContext } from './extend-context.js';
import { readCached, type OperationRequest, type ReadCachedOptions } from './read-cached.js';

export interface OperateRequest extends OperationRequest {
  readonly method: 'GET' | 'POST';
  /** The document of its query, or why it is not executed. */
  readonly document: DocumentNode | GraphQLError;
  /** The content type of the response. */
  readonly type: string;
  readonly format: Format;
}

/** A response that can be sent. */
export interface GraphqlResponse extends SerializedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface OperateOptions extends ReadCachedOptions {
  readonly schema: GraphQLSchema;
  readonly documents: Pick<QueryDocuments, 'validate'>;
  /** Bytes of a response. */
  readonly limit: number;
}

interface TextResponse extends GraphqlResponse {
  readonly body: string;
}

interface Body {
  readonly errors?: readonly GraphQLFormattedError[];
  readonly data?: ExecutionResult['data'];
  readonly extensions?: ExecutionResult['extensions'];
}

/** Answers one operation. */
export type Operate = (request: OperateRequest) => Promise<GraphqlResponse>;

/** An operation on its way through graphql-http, as its context: an alias, because contexts are records. */
type Running = {
  readonly request: OperateRequest;
  readonly prepared: ExecuteArgs;
  /** Of an operation that was executed for the cache. */
  readonly result: ExecutionResult | undefined;
};

/**
 * Executes operations by graphql-http, with the statuses of Strapi v4: 400 if nothing was executed, otherwise 200. What
 * comes before is not left to it: its refusals have other texts, and its responses no room for the encoded bodies and
 * tags of the cache.
 */
export function createOperate(options: OperateOptions): Operate {
  const { schema } = options;
  const handle = createHandler<Running, undefined, Running>({
    // Bodies, forms, batches and query strings have become operations before.
    parseRequestParams: ({ raw: { request } }) => ({ query: request.operation.query }),
    onSubscribe: ({ raw }) => ({
      schema,
      document: raw.prepared.document,
      operationName: raw.request.operation.operationName,
      contextValue: raw,
    }),
    execute: async ({ contextValue }) => executeTraced(options, contextValue as Running),
    onOperation: ({ raw: { request, prepared } }, _, result) => toHandled(present(options, request, prepared, result)),
  });
  return async (received) => {
    const request = { ...received, context: extendContext(received.context, { stored: new Map<string, unknown>() }) };
    const prepared = prepare(options, request);
    if (!('document' in prepared)) return prepared;
    const { response, result } = await readCached(options, request, prepared);
    if (response !== undefined) return { ...response, status: 200, headers: { 'content-type': request.type } };
    const { method, type } = request;
    const raw = { request, prepared, result };
    const [body, { status, headers = {} }] = await handle({
      method,
      url: '/',
      headers: { accept: type },
      body: null,
      raw,
      context: undefined,
    });
    return { status, headers, body: body ?? '' };
  };
}

/** A response as graphql-http passes it on. */
const toHandled = ({ status, headers, body }: TextResponse): Response => [
  body,
  { status, statusText: STATUS_CODES[status] ?? '', headers },
];

const respond = (
  { type }: OperateRequest,
  body: Body,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): TextResponse => ({ status, headers: { ...headers, 'content-type': type }, body: JSON.stringify(body) });

/** What is executed; or the response that says why nothing is. */
function prepare(options: OperateOptions, request: OperateRequest): ExecuteArgs | GraphqlResponse {
  const { document, operation, method, context, format } = request;
  const refusal = (errors: readonly GraphQLError[], status = 400, headers = {}): GraphqlResponse =>
    respond(request, { errors: errors.map((error) => format(error)) }, status, headers);
  if (document instanceof GraphQLError) return refusal([document], isPersistedQueryUnknown(document) ? 200 : 400);
  const errors = options.documents.validate(document);
  if (errors.length > 0) return refusal(errors);
  const { operationName, variables } = operation;
  const node = findOperation(document, operationName, options.schema);
  if (node instanceof GraphQLError) return refusal([node]);
  if (node.operation === OperationTypeNode.MUTATION && method === 'GET')
    return refusal([refuse(ONLY_QUERIES)], 405, { allow: 'POST' });
  if (variables !== undefined && typeof variables !== 'object') return refusal([refuse(NO_VARIABLES)]);
  // A list has no variables by name.
  const variableValues = isRecord(variables) ? variables : undefined;
  return { document, operation: node, variableValues, contextValue: context };
}

async function executeTraced(
  { execute }: OperateOptions,
  { request: { noteValidation }, prepared, result: executed }: Running,
): Promise<ExecutionResult> {
  if (executed !== undefined) return executed;
  const trace = noteValidation?.();
  const result = await execute(prepared);
  return trace === undefined ? result : { ...result, extensions: { tracing: trace() } };
}

/**
 * The response to an executed operation. If it would be too long it is refused, or of a mutation it has the ids of what
 * was written alone.
 */
function present(
  { limit }: OperateOptions,
  request: OperateRequest,
  { operation }: ExecuteArgs,
  { errors = [], ...executed }: ExecutionResult,
): TextResponse {
  const { context, format, written } = request;
  const { budget, bytesRead, stored = new Map() } = context;
  const tooLong = (): TextResponse => {
    const error = responseTooLong(limit);
    const formatted = [format(new GraphQLError(error.message, { originalError: error }))];
    // The status 400 means that nothing happened, which is not true of a mutation.
    const isMutation = operation.operation === OperationTypeNode.MUTATION;
    const extensions = { ...executed.extensions, stored: Object.fromEntries(stored) };
    return isMutation
      ? respond(request, { errors: formatted, data: null, extensions }, 200)
      : respond(request, { errors: formatted }, 400);
  };
  if (budget.remaining < 0 || (bytesRead && exceedsResponse(bytesRead, limit))) return tooLong();
  // Without data nothing was executed: the variables were invalid.
  const isExecuted = 'data' in executed;
  const formatted = errors.map((error) => format(isExecuted ? error : withCode(error, 'BAD_USER_INPUT')));
  const body = JSON.stringify({ ...(formatted.length > 0 && { errors: formatted }), ...(isExecuted && executed) });
  const size = Buffer.byteLength(body);
  if (size > written.remaining) return tooLong();
  written.spend(size);
  return { status: isExecuted ? 200 : 400, headers: { 'content-type': request.type }, body };
}

const NO_VARIABLES =
  'Variables must be provided as an Object where each property is a variable value. Perhaps look to see if an unparsed JSON string was provided.';

const ONLY_QUERIES = 'GET supports only query operation';

/** As in Strapi v4, this is not a failure: the client then sends the query. */
const isPersistedQueryUnknown = (document: DocumentNode | GraphQLError): document is GraphQLError =>
  document instanceof GraphQLError && document.extensions['code'] === 'PERSISTED_QUERY_NOT_FOUND';

/** The operation of this name, or why it cannot be executed. */
function findOperation(
  document: DocumentNode,
  name: string | null | undefined,
  schema: GraphQLSchema,
): OperationDefinitionNode | GraphQLError {
  const node = getOperationAST(document, name);
  if (!node) {
    return refuse(
      name === undefined || name === null
        ? 'Must provide operation name if query contains multiple operations.'
        : `Unknown operation named "${name}".`,
    );
  }
  if (!schema.getRootType(node.operation))
    return new GraphQLError(`Schema is not configured for ${plurals[node.operation]}.`, { nodes: node });
  if (node.operation === OperationTypeNode.SUBSCRIPTION) return new GraphQLError('Subscriptions are not supported');
  return node;
}

const plurals = {
  query: 'queries',
  mutation: 'mutations',
  subscription: 'subscriptions',
} as const satisfies Record<OperationTypeNode, string>;

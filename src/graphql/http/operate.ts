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
import { isRecord } from '../../config/record.js';
import type { SerializedResponse } from '../../documents/response/response-cache.js';
import { responseTooLong, exceedsResponse } from '../../mongo/read/read-batch.js';
import type { ExecuteArgs } from '../execute/execute.js';
import { withCode, type QueryDocuments } from './query-documents.js';
import type { Format } from './format-errors.js';
import { refuse } from './operation.js';
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

interface Body {
  readonly errors?: readonly GraphQLFormattedError[];
  readonly data?: ExecutionResult['data'];
  readonly extensions?: ExecutionResult['extensions'];
}

/** Executes one operation, with the statuses of Strapi v4: 400 if nothing was executed, otherwise 200. */
export async function operate(options: OperateOptions, received: OperateRequest): Promise<GraphqlResponse> {
  const context = { ...received.context, stored: new Map<string, unknown>() };
  const request = { ...received, context };
  const prepared = prepare(options, request);
  if (!('document' in prepared)) return prepared;
  const { response, result } = await readCached(options, request, prepared);
  if (response !== undefined) return { ...response, status: 200, headers: { 'content-type': request.type } };
  return present(options, request, prepared, result ?? (await executeTraced(options, request, prepared)));
}

const respond = (
  { type }: OperateRequest,
  body: Body,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): GraphqlResponse => ({ status, headers: { ...headers, 'content-type': type }, body: JSON.stringify(body) });

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
  { noteValidation }: OperateRequest,
  prepared: ExecuteArgs,
): Promise<ExecutionResult> {
  const trace = noteValidation?.();
  const result = await execute(prepared);
  return trace === undefined ? result : { ...result, extensions: { tracing: trace() } };
}

/** The response to an executed operation. If it would be too long it is refused, or of a mutation it has the ids of what was written alone. */
function present(
  { limit }: OperateOptions,
  request: OperateRequest,
  { operation }: ExecuteArgs,
  { errors = [], ...executed }: ExecutionResult,
): GraphqlResponse {
  const { context, format, written } = request;
  const { budget, bytesRead, stored = new Map() } = context;
  const tooLong = (): GraphqlResponse => {
    const error = responseTooLong(limit);
    const formatted = [format(new GraphQLError(error.message, { originalError: error }))];
    // The status 400 means that nothing happened, which is not true of a mutation.
    const isMutation = operation.operation === OperationTypeNode.MUTATION;
    const extensions = { ...executed.extensions, stored: Object.fromEntries(stored) };
    return isMutation
      ? respond(request, { errors: formatted, data: null, extensions }, 200)
      : respond(request, { errors: formatted }, 400);
  };
  if (budget.left < 0 || (bytesRead && exceedsResponse(bytesRead, limit))) return tooLong();
  // Without data nothing was executed: the variables were invalid.
  const isExecuted = 'data' in executed;
  const formatted = errors.map((error) => format(isExecuted ? error : withCode(error, 'BAD_USER_INPUT')));
  const body = JSON.stringify({ ...(formatted.length > 0 && { errors: formatted }), ...(isExecuted && executed) });
  const size = Buffer.byteLength(body);
  if (size > written.left) return tooLong();
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

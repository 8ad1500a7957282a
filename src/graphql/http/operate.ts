import { STATUS_CODES } from 'node:http';
import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { createHandler, type OperationArgs, type Response } from 'graphql-http';
import type { SerializedResponse } from '../../documents/response/response-cache.js';
import { responseTooLong, exceedsResponse } from '../../mongo/read/read-batch.js';
import { withCode } from './query-documents.js';
import type { Format } from './format-errors.js';
import { refuse } from './operation.js';
import {
  asVariables,
  isAbsentOrObject,
  readCached,
  type OperationRequest,
  type ReadCachedOptions,
} from './read-cached.js';

export interface OperateRequest extends OperationRequest {
  readonly method: 'GET' | 'POST';
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
  /** Bytes of a response. */
  readonly limit: number;
}

interface Body {
  readonly errors?: readonly GraphQLFormattedError[];
  readonly data?: ExecutionResult['data'];
  readonly extensions?: ExecutionResult['extensions'];
}

/** The type by which graphql-http answers with the statuses that Strapi v4 has for every type. */
const GRAPHQL_TYPE = 'application/graphql-response+json';

/** The request that graphql-http receives. */
const message = {
  method: 'POST',
  url: '/',
  headers: { accept: GRAPHQL_TYPE, 'content-type': 'application/json' },
  raw: undefined,
  context: undefined,
} as const;

/** Executes one operation by graphql-http. The callbacks implement the differences of Strapi v4's responses. */
export async function operate(options: OperateOptions, received: OperateRequest): Promise<GraphqlResponse> {
  const { operation, type, format } = received;
  const request = { ...received, context: { ...received.context, stored: new Map<string, unknown>() } };
  const headers = { 'content-type': type };
  const { response: cached, result } = await readCached(options, request);
  if (cached !== undefined) return { ...cached, status: 200, headers };
  const handle = createHandler<undefined, undefined, ContextValue>({
    onSubscribe: () => prepare(options, request),
    execute: (args) => executeTraced(options, request, args, result),
    onOperation: (_, args, executed) => present(options, request, args, executed),
    formatError: (error) => new FormattedError(format(error instanceof GraphQLError ? error : refuse(error.message))),
  });
  const [body, { status, headers: more = {} }] = await handle({ ...message, body: { query: operation.query } });
  return { status, headers: { ...more, ...headers }, body: body ?? '' };
}

/** The context that graphql-http passes on. */
type ContextValue = Readonly<Record<PropertyKey, unknown>>;

const respond = (body: Body, status: number, headers: Record<string, string> = {}): Response => [
  JSON.stringify(body),
  { status, statusText: STATUS_CODES[status] ?? '', headers },
];

/** What is executed, or why nothing is. */
function prepare(
  { schema, documents }: OperateOptions,
  { operation, document, method, context, format }: OperateRequest,
): OperationArgs<ContextValue> | readonly GraphQLError[] | Response {
  if (document instanceof GraphQLError)
    return isPersistedQueryUnknown(document) ? respond({ errors: [format(document)] }, 200) : [document];
  const errors = documents.validate(document);
  if (errors.length > 0) return errors;
  const { operationName, variables } = operation;
  const node = findOperation(document, operationName, schema);
  if (node instanceof GraphQLError) return respond({ errors: [format(node)] }, 400);
  if (node.operation === OperationTypeNode.MUTATION && method === 'GET')
    return respond({ errors: [format(refuse(ONLY_QUERIES))] }, 405, { allow: 'POST' });
  if (!isAbsentOrObject(variables)) return respond({ errors: [format(refuse(NO_VARIABLES))] }, 400);
  return { schema, document, operationName, variableValues: asVariables(variables), contextValue: { ...context } };
}

/** @param executed the result, if the operation was executed already */
async function executeTraced(
  { execute }: OperateOptions,
  { noteValidation, context }: OperateRequest,
  { document, operationName, variableValues }: ExecutionArgs,
  executed: ExecutionResult | undefined,
): Promise<ExecutionResult> {
  const trace = noteValidation?.();
  const operation = getOperationAST(document, operationName) as OperationDefinitionNode;
  const result = executed ?? (await execute({ document, operation, variableValues, contextValue: context }));
  return trace === undefined ? result : { ...result, extensions: { tracing: trace() } };
}

/** The response to an executed operation. If it would be too long it is refused, or of a mutation it has the ids of what was written alone. */
function present(
  { limit }: OperateOptions,
  { context: { budget, bytesRead, stored = new Map() }, format, written }: OperateRequest,
  { document, operationName }: ExecutionArgs,
  { errors = [], ...executed }: ExecutionResult,
): Response {
  const tooLong = (): Response => {
    const error = responseTooLong(limit);
    const formatted = [format(new GraphQLError(error.message, { originalError: error }))];
    // The status 400 means that nothing happened, which is not true of a mutation.
    const isMutation = getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
    const extensions = { ...executed.extensions, stored: Object.fromEntries(stored) };
    return isMutation
      ? respond({ errors: formatted, data: null, extensions }, 200)
      : respond({ errors: formatted }, 400);
  };
  if (budget.left < 0 || (bytesRead && exceedsResponse(bytesRead, limit))) return tooLong();
  // Without data nothing was executed: the variables were invalid.
  const isExecuted = 'data' in executed;
  const formatted = errors.map((error) => format(isExecuted ? error : withCode(error, 'BAD_USER_INPUT')));
  const body = { ...(formatted.length > 0 && { errors: formatted }), ...(isExecuted && executed) };
  const response = respond(body, isExecuted ? 200 : 400);
  const size = Buffer.byteLength(response[0] ?? '');
  if (size > written.left) return tooLong();
  written.spend(size);
  return response;
}

/** An error as graphql-http serializes it, with `toJSON`. */
class FormattedError extends GraphQLError {
  readonly #formatted: GraphQLFormattedError;

  constructor(formatted: GraphQLFormattedError) {
    super(formatted.message);
    this.#formatted = formatted;
  }

  override toJSON(): GraphQLFormattedError {
    return this.#formatted;
  }
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
  return node;
}

const plurals = {
  query: 'queries',
  mutation: 'mutations',
  subscription: 'subscriptions',
} as const satisfies Record<OperationTypeNode, string>;

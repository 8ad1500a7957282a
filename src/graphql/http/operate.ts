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
  type ValidationRule,
} from 'graphql';
import { createHandler, type Response } from 'graphql-http';
import { isRecord } from '../../config/record.js';
import type { Documents as DocumentsService } from '../../documents/documents.js';
import type { ReadResponse, SerializedResponse } from '../../documents/response/response-cache.js';
import type { ResponseBudget } from '../../documents/response/response-body.js';
import { responseTooLong, exceedsResponse } from '../../mongo/read/read-batch.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { graphqlPresenter } from '../../plugins/contract/graphql/presenter.js';
import type { Execute } from '../execute/execute.js';
import { holdReads } from '../execute/root-reads.js';
import { withCode, type Documents } from './documents.js';
import type { Format } from './format-errors.js';
import { refuse, type Operation } from './operation.js';
import type { NoteValidation } from './tracing.js';

/** An operation of a request. */
export interface OperateRequest {
  readonly operation: Operation;
  /** The document of its query, or why it is not executed. */
  readonly document: DocumentNode | GraphQLError;
  readonly method: 'GET' | 'POST';
  /** The content type of the response. */
  readonly type: string;
  readonly context: GraphqlContext;
  readonly format: Format;
  /** The bytes of all responses to operations of the request. */
  readonly written: ResponseBudget;
  /** The response becomes a part of another. */
  readonly isPart: boolean;
  /** Undefined: responses contain no durations. */
  readonly noteValidation: NoteValidation | undefined;
}

/** A response that can be sent. */
export interface GraphqlResponse extends SerializedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface OperateOptions {
  readonly schema: GraphQLSchema;
  readonly documents: Pick<Documents, 'validate'>;
  readonly rules: readonly ValidationRule[];
  readonly execute: Execute;
  /** The response cache, and which documents depend on nothing but entries; default: every query is read. */
  readonly cache?:
    | (Pick<DocumentsService, 'read'> & {
        readonly respond: NonNullable<DocumentsService['respondTogether']>;
        readonly isCacheable: (document: DocumentNode) => boolean;
      })
    | undefined;
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

type Operate = (request: OperateRequest) => Promise<GraphqlResponse>;

/** Executes one operation by graphql-http. The callbacks implement the differences of Strapi v4's responses. */
export function createOperate({ schema, documents, rules, execute, cache, limit }: OperateOptions): Operate {
  /** The valid document of a query, if its response can be cached. */
  const cacheable = ({ operation, document, isPart, noteValidation }: OperateRequest): DocumentNode | undefined => {
    if (cache === undefined || document instanceof GraphQLError || isPart || noteValidation !== undefined)
      return undefined;
    if (![operation.variables, operation.extensions].every(isAbsentOrRecord)) return undefined;
    return documents.validate(schema, document, rules).length === 0 && cache.isCacheable(document)
      ? document
      : undefined;
  };
  /** The response of the cache, or what was executed to make one. */
  const readCached = async (
    request: OperateRequest,
    document: DocumentNode,
  ): Promise<{ readonly response?: SerializedResponse; readonly result?: ExecutionResult }> => {
    const { query, operationName, variables } = request.operation;
    const operation = getOperationAST(document, operationName);
    if (cache === undefined || !operation) return {};
    const { context, requested, release, isComplete, ids } = holdReads(cache);
    const contextValue = { ...request.context, ...context };
    const executing = execute({ document, operation, variableValues: asVariables(variables), contextValue });
    const reads = await requested();
    const make = async (): Promise<ReadResponse> => {
      release();
      const { errors: [error] = [], data } = await executing;
      if (error !== undefined || !isComplete()) throw new Error('Not to be cached', { cause: error });
      const body = JSON.stringify({ data });
      request.written.spend(Buffer.byteLength(body));
      return { body, ids: ids() };
    };
    if (reads !== undefined) {
      const text = JSON.stringify([query, operationName, variables]);
      try {
        const options = { name: 'graphql', text, presenter: graphqlPresenter, make };
        return { response: await cache.respond(reads, request.context, options) };
      } catch {
        // Its errors are shown below.
      }
    }
    release();
    return { result: await executing };
  };
  return async (request) => {
    const { operation, document, method, type, context, format, written, noteValidation } = request;
    const headers = { 'content-type': type };
    const cachedDocument = cacheable(request);
    const { response: cached, result } = cachedDocument === undefined ? {} : await readCached(request, cachedDocument);
    if (cached !== undefined) return { ...cached, status: 200, headers };

    const respond = (body: Body, status: number, more: Record<string, string> = {}): Response => [
      JSON.stringify(body),
      { status, statusText: STATUS_CODES[status] ?? '', headers: { ...more, ...headers } },
    ];
    const handle = createHandler<undefined, undefined, ContextValue>({
      onSubscribe: () => (isPersistedQueryUnknown(document) ? respond({ errors: [format(document)] }, 200) : undefined),
      parse: () => {
        if (document instanceof GraphQLError) throw document;
        return document;
      },
      context: { ...context },
      schema: (_, { document, operationName }) => {
        // Errors of the document are reported first.
        if (documents.validate(schema, document, rules).length > 0) return schema;
        const node = findOperation(document, operationName, schema);
        if (node instanceof GraphQLError) return respond({ errors: [format(node)] }, 400);
        if (node.operation !== OperationTypeNode.MUTATION || method === 'POST') return schema;
        return respond({ errors: [format(refuse(ONLY_QUERIES))] }, 405, { allow: 'POST' });
      },
      validationRules: () => rules,
      validate: (...[, document]) => documents.validate(schema, document, rules),
      execute: async ({ document, operationName, variableValues }) => {
        const trace = noteValidation?.();
        const operation = getOperationAST(document, operationName) as OperationDefinitionNode;
        const variables = asVariables(variableValues);
        const executed =
          result ?? (await execute({ document, operation, variableValues: variables, contextValue: context }));
        return trace === undefined ? executed : { ...executed, extensions: { tracing: trace() } };
      },
      onOperation: (_, { document, operationName }, { errors = [], ...executed }) => {
        const tooLong = (): Response => {
          const error = responseTooLong(limit);
          const formatted = [format(new GraphQLError(error.message, { originalError: error }))];
          // The status 400 means that nothing happened, which is not true of a mutation.
          const isMutation = getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
          return isMutation ? respond({ errors: formatted, data: null }, 200) : respond({ errors: formatted }, 400);
        };
        const { budget, bytesRead } = context;
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
      },
      formatError: (error) => new FormattedError(format(error instanceof GraphQLError ? error : refuse(error.message))),
    });
    const sent = { accept: GRAPHQL_TYPE, 'content-type': 'application/json' };
    const params = {
      method: 'POST',
      url: '/',
      headers: sent,
      body: { ...operation },
      raw: undefined,
      context: undefined,
    };
    const [body, { status, headers: more = {} }] = await handle(params);
    return { status, headers: { ...more, ...headers }, body: body ?? '' };
  };
}

/** The context that graphql-http passes on. */
type ContextValue = Readonly<Record<PropertyKey, unknown>>;

const asVariables = (variables: unknown): Readonly<Record<string, unknown>> | undefined =>
  isRecord(variables) ? variables : undefined;

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

const ONLY_QUERIES = 'GET supports only query operation';

const isAbsentOrRecord = (value: unknown): boolean => value === undefined || value === null || isRecord(value);

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

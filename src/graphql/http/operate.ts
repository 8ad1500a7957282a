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
import { isRecord } from '../../config/record.js';
import type { Documents as DocumentsService } from '../../documents/documents.js';
import type { ReadResponse, SerializedResponse } from '../../documents/response/response-cache.js';
import type { ResponseBudget } from '../../documents/response/response-size.js';
import { responseTooLong, exceedsResponse } from '../../mongo/read/read-batch.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { graphqlPresenter } from '../../plugins/contract/graphql/presenter.js';
import type { Execute } from '../execute/execute.js';
import { holdReads, type HeldReads } from '../execute/root-reads.js';
import { withCode, type Documents } from './documents.js';
import type { Format } from './format-errors.js';
import { refuse, type Operation } from './operation.js';
import type { NoteValidation } from './tracing.js';

/** An operation of a request. */
export interface OperateRequest {
  readonly operation: Operation;
  /** Why it is not executed. */
  readonly refusal?: GraphQLError | undefined;
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
  readonly documents: Documents;
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

/** Executes one operation. The statuses are those of Strapi v4. */
export function createOperate({ schema, documents, rules, execute, cache, limit }: OperateOptions) {
  /** The response of the cache, with what the execution reads if it has none; undefined if there are errors. */
  const readCached = async (
    { operation: { query, operationName, variables }, context, written }: OperateRequest,
    { requested, release, isComplete, ids }: HeldReads,
    executing: Promise<ExecutionResult>,
  ): Promise<SerializedResponse | undefined> => {
    const reads = await requested();
    if (cache === undefined || reads === undefined) return undefined;
    const text = JSON.stringify([query, operationName, variables]);
    const make = async (): Promise<ReadResponse> => {
      release();
      const { errors: [error] = [], data } = await executing;
      if (error !== undefined || !isComplete()) throw new Error('Not to be cached', { cause: error });
      const body = JSON.stringify({ data });
      written.spend(Buffer.byteLength(body));
      return { body, ids: ids() };
    };
    try {
      return await cache.respond(reads, context, { name: 'graphql', text, presenter: graphqlPresenter, make });
    } catch {
      return undefined;
    }
  };
  return async (request: OperateRequest): Promise<GraphqlResponse> => {
    const { operation, refusal, method, type, context, format, written, isPart, noteValidation } = request;
    const headers = { 'content-type': type };
    const respond = (body: Body, status: number, more = {}): GraphqlResponse => ({
      status,
      headers: { ...more, ...headers },
      body: JSON.stringify(body),
    });
    const refuseWith = (errors: readonly GraphQLError[], status = 400, more = {}): GraphqlResponse =>
      respond({ errors: errors.map(format) }, status, more);
    const { variables, extensions, operationName } = operation;
    if (!isAbsentOrRecord(variables)) return refuseWith([refuse('Invalid variables')]);
    if (!isAbsentOrRecord(extensions)) return refuseWith([refuse('Invalid extensions')]);
    if (refusal !== undefined) return refuseWith([refusal], isPersistedQueryUnknown(refusal) ? 200 : 400);
    const [document, invalid] = readDocument(operation.query);
    if (document === undefined) return refuseWith(invalid);
    const node = findOperation(document, operationName, schema);
    if (node instanceof GraphQLError) return refuseWith([node]);
    const isMutation = node.operation === OperationTypeNode.MUTATION;
    if (isMutation && method === 'GET') return refuseWith([refuse(ONLY_QUERIES)], 405, { allow: 'POST' });

    const trace = noteValidation?.();
    const args = { document, operation: node, variableValues: variables, contextValue: context };
    const held = !isPart && trace === undefined && cache?.isCacheable(document) === true ? holdReads(cache) : undefined;
    const executing = execute(held === undefined ? args : { ...args, contextValue: { ...context, ...held.context } });
    if (held !== undefined) {
      const cached = await readCached(request, held, executing);
      if (cached !== undefined) return { ...cached, status: 200, headers };
      held.release();
    }
    const { errors = [], ...executed } = await executing;
    const tooLong = (): GraphqlResponse => {
      const error = responseTooLong(limit);
      const formatted = [format(new GraphQLError(error.message, { originalError: error }))];
      // The status 400 means that nothing happened, which is not true of a mutation.
      return isMutation ? respond({ errors: formatted, data: null }, 200) : respond({ errors: formatted }, 400);
    };
    const { budget, bytesRead } = context;
    if (budget.left < 0 || (bytesRead && exceedsResponse(bytesRead, limit))) return tooLong();
    // Without data nothing was executed: the variables were invalid.
    const isExecuted = 'data' in executed;
    const formatted = errors.map((error) => format(isExecuted ? error : withCode(error, 'BAD_USER_INPUT')));
    const response = respond(
      {
        ...(formatted.length > 0 && { errors: formatted }),
        ...(isExecuted && executed),
        ...(isExecuted && trace !== undefined && { extensions: { tracing: trace() } }),
      },
      isExecuted ? 200 : 400,
    );
    const size = Buffer.byteLength(response.body as string);
    if (size > written.left) return tooLong();
    written.spend(size);
    return response;
  };

  /** The document, or why it cannot be executed. */
  function readDocument(query: string): readonly [DocumentNode | undefined, readonly GraphQLError[]] {
    try {
      const document = documents.parse(query);
      const errors = documents.validate(schema, document, rules);
      return [errors.length > 0 ? undefined : document, errors];
    } catch (error) {
      if (error instanceof GraphQLError) return [undefined, [error]];
      throw error;
    }
  }
}

const ONLY_QUERIES = 'GET supports only query operation';

const isAbsentOrRecord = (value: unknown): value is Readonly<Record<string, unknown>> | null | undefined =>
  value === undefined || value === null || isRecord(value);

/** As in Strapi v4, this is not a failure: the client then sends the query. */
const isPersistedQueryUnknown = ({ extensions }: GraphQLError): boolean =>
  extensions['code'] === 'PERSISTED_QUERY_NOT_FOUND';

/** The operation of this name, or why it cannot be executed. */
function findOperation(
  document: DocumentNode,
  name: string | undefined,
  schema: GraphQLSchema,
): OperationDefinitionNode | GraphQLError {
  const node = getOperationAST(document, name);
  if (!node) {
    return refuse(
      name === undefined
        ? 'Must provide operation name if query contains multiple operations.'
        : `Unknown operation named "${name}".`,
    );
  }
  if (!schema.getRootType(node.operation))
    return new GraphQLError(`Schema is not configured for ${plurals[node.operation]}.`, { nodes: node });
  return node.operation === OperationTypeNode.SUBSCRIPTION ? refuse('Subscriptions are not supported') : node;
}

const plurals = {
  query: 'queries',
  mutation: 'mutations',
  subscription: 'subscriptions',
} as const satisfies Record<OperationTypeNode, string>;

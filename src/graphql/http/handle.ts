import { STATUS_CODES } from 'node:http';
import {
  getOperationAST,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  specifiedRules,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type ValidationRule,
  type DocumentNode,
} from 'graphql';
import { createHandler, type Handler, type Response } from 'graphql-http';
import type { SerializedResponse } from '../../documents/response/response-cache.js';
import { type ResponseBudget, jsonSize } from '../../documents/response/response-size.js';
import { responseTooLong, exceedsResponse } from '../../mongo/read/read-budget.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { MAX_ERRORS, withCode, type Documents } from './documents.js';
import { writeFormatted, type Format } from './format-errors.js';
import { traceExecution, type NoteValidation } from './tracing.js';
import { refuse } from './operation.js';

/** The type by which graphql-http answers with the statuses that Strapi v4 has for every type. */
export const GRAPHQL_TYPE = 'application/graphql-response+json';

/** The request of an operation, for the callbacks. */
export interface RequestContext {
  /** For the resolvers. */
  readonly graphql: GraphqlContext;
  readonly format: Format;
  /** Why the operation is not executed. */
  readonly refusal: GraphQLError | undefined;
  /** The bytes of all responses to operations of the request. */
  readonly written: ResponseBudget;
  /** Undefined: responses contain no durations. */
  readonly noteValidation: NoteValidation | undefined;
}

/** A response that can be sent. */
export interface GraphqlResponse extends SerializedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HandleOptions {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  /** The project's rules, in addition to those of the specification. */
  readonly validationRules: readonly ValidationRule[];
  /** Whether clients may query the schema. */
  readonly introspection: boolean;
  readonly execute: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;
  /** The status of errors in the request itself. */
  readonly format: Format;
  /** Bytes of a response. */
  readonly limit: number;
}

/** Responds to one operation with graphql-http. */
type Handle = Handler<undefined, RequestContext>;

/** The context that graphql-http passes to resolvers. */
type ContextValue = Readonly<Record<PropertyKey, unknown>>;

interface Body {
  readonly errors?: readonly GraphQLFormattedError[];
  readonly data?: ExecutionResult['data'];
  readonly extensions?: ExecutionResult['extensions'];
}

/** The callbacks implement the differences of Strapi v4's responses, and the document cache. */
export function createHandle(options: HandleOptions): Handle {
  const { schema, documents, format, limit } = options;
  const rules = allRules(options);
  const execute = traceExecution((args) => options.execute({ ...args, ...executionSettings(options) }));
  const tooLong = (format: Format, { document, operationName }: ExecutionArgs): Response => {
    const error = responseTooLong(limit);
    const errors = [format(new GraphQLError(error.message, { originalError: error }))];
    // The status 400 means that nothing happened, which is not true of a mutation.
    const isMutation = getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
    return isMutation ? respond({ errors, data: null }, 200) : respond({ errors }, 400);
  };
  return createHandler<undefined, RequestContext, ContextValue>({
    onSubscribe: ({ context: { refusal, format } }) => {
      if (refusal === undefined) return undefined;
      return isPersistedQueryUnknown(refusal) ? respond({ errors: [format(refusal)] }, 200) : [refusal];
    },
    parse: (query) => documents.parse(query as string),
    context: ({ context: { graphql, noteValidation } }) => ({ ...graphql, noteValidation }),
    schema: ({ context: { format } }, { document, operationName }) => {
      // Report errors of the document first.
      const isValid = documents.validate(schema, document, rules).length === 0;
      const refusal = isValid ? checkOperation(document, operationName, schema) : undefined;
      return refusal === undefined ? schema : respond({ errors: [format(refusal)] }, 400);
    },
    validationRules: () => rules,
    validate: (...[, document]) => documents.validate(schema, document, rules),
    execute,
    onOperation: ({ context: { graphql, format, written } }, args, { errors = [], ...executed }) => {
      const { budget, bytesRead } = graphql;
      if (budget.left < 0 || (bytesRead && exceedsResponse(bytesRead, limit))) return tooLong(format, args);
      // Without data nothing was executed: the variables were invalid.
      const isExecuted = 'data' in executed;
      const formatted = errors.map((error) => format(isExecuted ? error : withCode(error, 'BAD_USER_INPUT')));
      const body: Body = { ...(formatted.length > 0 && { errors: formatted }), ...(isExecuted && executed) };
      const size = jsonSize(body, written.left);
      if (size > written.left) return tooLong(format, args);
      written.spend(size);
      return respond(body, isExecuted ? 200 : 400);
    },
    formatError: (error) => writeFormatted(error, format),
  });
}

/** How graphql-js reports errors. */
export const executionSettings = ({ introspection }: Pick<HandleOptions, 'introspection'>) => ({
  hideSuggestions: !introspection,
  options: { maxCoercionErrors: MAX_ERRORS },
});

/** The rules of the specification, and those of the service and the project. */
export const allRules = ({
  introspection,
  validationRules,
}: Pick<HandleOptions, 'introspection' | 'validationRules'>): readonly ValidationRule[] => [
  ...specifiedRules,
  ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ...validationRules,
];

const respond = (body: Body, status: number): Response => [
  JSON.stringify(body),
  { status, statusText: STATUS_CODES[status] ?? '', headers: { 'content-type': GRAPHQL_TYPE } },
];

/** As in Strapi v4, this is not a failure: the client then sends the query. */
const isPersistedQueryUnknown = ({ extensions }: GraphQLError): boolean =>
  extensions['code'] === 'PERSISTED_QUERY_NOT_FOUND';

/** Why the operation of this name cannot be executed; undefined: it can. */
function checkOperation(
  document: DocumentNode,
  name: string | null | undefined,
  schema: GraphQLSchema,
): GraphQLError | undefined {
  const node = getOperationAST(document, name);
  if (!node) {
    return refuse(
      name === undefined || name === null
        ? 'Must provide operation name if query contains multiple operations.'
        : `Unknown operation named "${name}".`,
    );
  }
  return schema.getRootType(node.operation)
    ? undefined
    : new GraphQLError(`Schema is not configured for ${plurals[node.operation]}.`, { nodes: node });
}

const plurals = {
  query: 'queries',
  mutation: 'mutations',
  subscription: 'subscriptions',
} as const satisfies Record<OperationTypeNode, string>;

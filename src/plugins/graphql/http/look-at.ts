import { GraphQLError, OperationTypeNode, type GraphQLSchema } from 'graphql';
import type { OperationArgs } from 'graphql-http';
import type { GraphqlContext } from '../../graphql-parts.js';
import { checkOperation } from './check-operation.js';
import { parseOperation, refuse } from './operation.js';
import type { QueryOf } from './persisted-queries.js';
import { MOST_ERRORS, type Prepare, type Prepared } from './prepare.js';

/** What one request asks for, as it came. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  /** The header of this name. */
  readonly accept: string | undefined;
  /** One operation or a batch. */
  readonly operations: unknown;
  readonly context: GraphqlContext;
  /** Makes an error fit for clients. */
  readonly format: (error: GraphQLError) => GraphQLError;
}

export type Context = Readonly<Record<PropertyKey, unknown>>;

/** An operation that was looked at: it can be executed, or it is refused with a status. */
export type Ready =
  | { readonly args: OperationArgs<Context>; readonly prepared: Prepared }
  | { readonly errors: readonly GraphQLError[]; readonly status: number };

export interface LookOptions {
  readonly schema: GraphQLSchema;
  readonly prepare: Prepare;
  readonly queryOf: QueryOf;
  readonly introspection: boolean;
}

/** Looks at an operation before anything is executed. */
export type LookAt = (asked: Asked, operation: unknown) => Promise<Ready>;

export function createLookAt({ schema, prepare, queryOf, introspection }: LookOptions): LookAt {
  const options = { hideSuggestions: !introspection, options: { maxCoercionErrors: MOST_ERRORS } };
  const lookAt: LookAt = async ({ method, context }, given) => {
    const operation = parseOperation(given);
    const prepared = prepare(await queryOf(operation));
    if (!('document' in prepared)) return { errors: prepared, status: 400 };
    const { document } = prepared;
    const { operationName, variables = {} } = operation;
    const kind = checkOperation(document, operationName, schema);
    if (kind === OperationTypeNode.MUTATION && method === 'GET') {
      return { errors: [refuse('GET supports only query operation')], status: 405 };
    }
    const asked = { operationName: operationName ?? null, variableValues: variables, contextValue: { ...context } };
    return { prepared, args: { schema, document, ...asked, ...options } };
  };
  return async (asked, given) => {
    try {
      return await lookAt(asked, given);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return { errors: [error], status: error.extensions['code'] === 'PERSISTED_QUERY_NOT_FOUND' ? 200 : 400 };
    }
  };
}

import {
  defaultFieldResolver,
  execute,
  getNamedType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { isRecord } from '../../config/record.js';
import { isShortened } from '../../documents/write/shortened-entry.js';
import { jsonSize, textSize, type ResponseBudget } from '../../documents/response/response-body.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';

export interface ExecuteArgs {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
  readonly contextValue: GraphqlContext;
  /** The event, for a subscription. */
  readonly rootValue?: unknown;
}

/** Never rejects. Resolvers of root fields of a query are called before it returns. */
export type Execute = (args: ExecuteArgs) => Promise<ExecutionResult>;

export interface ExecuteOptions {
  /** Maximum errors of variables. */
  readonly maxErrors: number;
  /** Errors of variables suggest no names of the schema. */
  readonly hideSuggestions: boolean;
}

/**
 * Executes operations of a schema, whose fields count their part of the response in the budget of the context from then
 * on. Once that is exceeded, the other fields are null, without a call of their resolvers, except those of a mutation.
 */
export function createExecute(schema: GraphQLSchema, { maxErrors, hideSuggestions }: ExecuteOptions): Execute {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) if (field.resolve) field.resolve = counted(field.resolve);
  }
  const fieldResolver = counted(defaultFieldResolver);
  const options = { maxCoercionErrors: maxErrors };
  return async ({ operation, ...args }) =>
    execute({ schema, ...args, operationName: operation.name?.value, fieldResolver, hideSuggestions, options });
}

type Resolver = GraphQLFieldResolver<unknown, GraphqlContext>;

const MUTATION = OperationTypeNode.MUTATION;

/** Bytes of a field besides its name: quotes, colon, comma and a short value. */
const FIELD_SIZE = 8;
/** Bytes of an error: far more in memory than in the response. */
const ERROR_SIZE = 1000;

/** A resolver that counts what it adds to the response. */
const counted =
  (resolve: Resolver): Resolver =>
  (source, args, context, info) => {
    const { budget } = context;
    if (info.path.prev === undefined && context.stored !== undefined && info.operation.operation === MUTATION)
      return executeWrite(resolve(source, args, context, info), String(info.path.key), context.stored, budget);
    if (budget.remaining < 0) return null;
    budget.spend(String(info.path.key).length + FIELD_SIZE);
    try {
      const value = resolve(source, args, context, info);
      if (!isPromise(value)) return countValue(value, info.returnType, budget);
      return value.then(
        (settled) => countValue(settled, info.returnType, budget),
        (error: unknown) => failCounted(error, budget),
      );
    } catch (error) {
      return failCounted(error, budget);
    }
  };

/**
 * Every field of a mutation is executed, so that the response can tell what was done: what is too long is found out
 * within.
 */
async function executeWrite(
  writing: unknown,
  name: string,
  stored: Map<string, unknown>,
  budget: ResponseBudget,
): Promise<unknown> {
  const response = await writing;
  const written = await Promise.all([response].flat().map(writtenIn));
  const ids = written.map(idOf);
  stored.set(name, Array.isArray(response) ? ids : ids[0]);
  if (written.some(isShortened)) budget.exhaust();
  return response;
}

/** The entry of a response, if it could be written. */
const writtenIn = async (response: unknown): Promise<unknown> =>
  isRecord(response)
    ? Promise.resolve('documentId' in response ? response : response['value']).catch(() => undefined)
    : undefined;

/** Forms that address entries by another id have that. */
function idOf(entry: unknown): string | null {
  const { id, documentId = id } = isRecord(entry) ? entry : {};
  return documentId === undefined ? null : String(documentId);
}

/** Entries and components are counted by their fields. */
function countValue(value: unknown, type: GraphQLOutputType, budget: ResponseBudget): unknown {
  if (typeof value === 'string') budget.spend(textSize(value));
  else if (typeof value === 'object' && value !== null && isLeafType(getNamedType(type)))
    budget.spend(jsonSize(value, budget.remaining));
  return value;
}

function failCounted(error: unknown, budget: ResponseBudget): never {
  budget.spend(ERROR_SIZE);
  throw error;
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function';

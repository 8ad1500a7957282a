import { GraphQLError, getOperationAST, type OperationTypeNode, type DocumentNode, type GraphQLSchema } from 'graphql';
import { refuse } from './operation.js';

/** Why the operation of this name cannot be executed; undefined: it can. */
export function checkOperation(
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

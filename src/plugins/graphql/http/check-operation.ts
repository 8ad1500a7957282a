import { GraphQLError, getOperationAST, type OperationTypeNode, type DocumentNode, type GraphQLSchema } from 'graphql';
import { refuse } from './operation.js';

/**
 * Checks that there is the operation that is wanted, and that it can be executed.
 * @throws GraphQLError
 */
export function checkOperation(
  document: DocumentNode,
  name: string | undefined,
  schema: GraphQLSchema,
): OperationTypeNode {
  const node = getOperationAST(document, name);
  if (!node) {
    throw refuse(
      name === undefined
        ? 'Must provide operation name if query contains multiple operations.'
        : `Unknown operation named "${name}".`,
    );
  }
  if (!schema.getRootType(node.operation)) {
    throw new GraphQLError(`Schema is not configured for ${plurals[node.operation]}.`, { nodes: node });
  }
  return node.operation;
}

const plurals = {
  query: 'queries',
  mutation: 'mutations',
  subscription: 'subscriptions',
} as const satisfies Record<OperationTypeNode, string>;

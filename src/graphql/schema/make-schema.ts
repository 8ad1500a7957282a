import { makeExecutableSchema } from '@graphql-tools/schema';
import { type IResolvers, pruneSchema } from '@graphql-tools/utils';
import {
  GraphQLOneOfDirective,
  GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  type GraphQLNamedType,
} from 'graphql';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';

/**
 * Merges definitions and resolvers; of an argument the first definition applies, of a resolver the last. As in Strapi
 * v4, types that nothing refers to are removed at the end, so that extensions can refer to all generated types, and
 * there is no `@oneOf`.
 */
export function makeSchema(
  typeDefs: readonly string[],
  resolvers: readonly IResolvers<unknown, GraphqlContext>[],
  extend = (schema: GraphQLSchema): GraphQLSchema => schema,
  hasUnusedTypes = false,
): GraphQLSchema {
  const definition = {
    typeDefs: [...typeDefs],
    resolvers: [...resolvers],
    updateResolversInPlace: true,
    // An option of merging: without it the last definition of an argument applies.
    reverseArguments: true,
  };
  const schema = makeExecutableSchema(definition);
  const extended = extend(schema);
  const config = (hasUnusedTypes ? extended : prune(extended)).toConfig();
  return new GraphQLSchema({
    ...config,
    directives: config.directives.filter(({ name }) => name !== GraphQLOneOfDirective.name),
  });
}

/**
 * Without types that nothing refers to or that have no members. `pruneSchema` rebuilds a schema several times to find
 * those.
 */
function prune(schema: GraphQLSchema): GraphQLSchema {
  const { types, ...config } = schema.toConfig();
  if (types.some((type) => isInterfaceType(type) || isEmpty(type))) return pruneSchema(schema);
  const used = new GraphQLSchema({ ...config, types: [] });
  return new GraphQLSchema({
    ...config,
    types: types.filter((type) => isSpecifiedScalarType(type) || used.getType(type.name) !== undefined),
  });
}

function isEmpty(type: GraphQLNamedType): boolean {
  if (isUnionType(type)) return type.getTypes().length === 0;
  return (isObjectType(type) || isInputObjectType(type)) && Object.keys(type.getFields()).length === 0;
}

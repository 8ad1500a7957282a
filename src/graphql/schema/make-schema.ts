import { makeExecutableSchema } from '@graphql-tools/schema';
import { pruneSchema, type IResolvers } from '@graphql-tools/utils';
import { GraphQLOneOfDirective, GraphQLSchema } from 'graphql';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';

/**
 * Puts definitions and resolvers together, later ones over earlier ones. As in Strapi v4, types that nothing refers to
 * are left out at the end, so that extensions can refer to everything that is generated, and there is no `@oneOf`.
 */
export function makeSchema(
  typeDefs: readonly string[],
  resolvers: readonly IResolvers<unknown, GraphqlContext>[],
  extend = (schema: GraphQLSchema): GraphQLSchema => schema,
): GraphQLSchema {
  const schema = makeExecutableSchema({ typeDefs: [...typeDefs], resolvers: [...resolvers] });
  const config = pruneSchema(extend(schema)).toConfig();
  return new GraphQLSchema({
    ...config,
    directives: config.directives.filter(({ name }) => name !== GraphQLOneOfDirective.name),
  });
}

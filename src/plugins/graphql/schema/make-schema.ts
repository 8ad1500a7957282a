import { makeExecutableSchema } from '@graphql-tools/schema';
import { pruneSchema, type IResolvers } from '@graphql-tools/utils';
import type { GraphQLSchema } from 'graphql';
import type { GraphqlContext } from '../../graphql-parts.js';

/**
 * Puts definitions and resolvers together, later ones over earlier ones. As in Strapi v4, types that nothing refers to
 * are left out at the end, so that whoever adds something can refer to all that is generated.
 */
export const makeSchema = (
  typeDefs: readonly string[],
  resolvers: readonly IResolvers<unknown, GraphqlContext>[],
): GraphQLSchema => pruneSchema(makeExecutableSchema({ typeDefs: [...typeDefs], resolvers: [...resolvers] }));

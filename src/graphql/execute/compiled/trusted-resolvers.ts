import { isObjectType, type GraphQLSchema } from 'graphql';
import type { GraphqlParts, GraphqlResolver, GraphqlResolvers } from '../../../plugins/contract/graphql/parts.js';
import type { GraphqlExtension } from '../../extension/extension.js';
import type { PlainResolvers } from './plan-field.js';

export interface Others {
  readonly parts: readonly GraphqlParts[];
  readonly extensions: readonly GraphqlExtension[];
}

/**
 * The generated resolvers of a schema that nothing overrides; none if there is a nexus plugin, which could override any.
 * @param resolvers the ones to call, by the type and field whose resolver in the schema they stand for
 */
export function collectTrustedResolvers(
  schema: GraphQLSchema,
  resolvers: GraphqlResolvers,
  { parts, extensions }: Others,
): PlainResolvers {
  const plain: PlainResolvers = new WeakMap();
  if (extensions.some(({ plugins = [] }) => plugins.length > 0)) return plain;
  const overriding = [...parts, ...extensions].map(
    (contribution): Readonly<Record<string, object>> => contribution.resolvers ?? {},
  );
  for (const [name, ownFields] of Object.entries(resolvers)) {
    const type = schema.getType(name);
    const overridden = new Set(overriding.flatMap((contribution) => Object.keys(contribution[name] ?? {})));
    if (name === 'Mutation' || !isObjectType(type)) continue;
    const fields = type.getFields();
    for (const [field, own] of Object.entries<GraphqlResolver>(
      ownFields as Readonly<Record<string, GraphqlResolver>>,
    )) {
      const resolve = fields[field]?.resolve;
      if (resolve !== undefined && !overridden.has(field)) plain.set(resolve, own);
    }
  }
  return plain;
}

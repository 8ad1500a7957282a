import { isObjectType, type GraphQLSchema } from 'graphql';
import type { GraphqlParts, GraphqlResolvers } from '../../../plugins/contract/graphql/parts.js';
import type { GraphqlExtension } from '../../extension/extension.js';
import type { PlainResolvers } from './plan-field.js';

export interface Others {
  readonly parts: readonly GraphqlParts[];
  readonly extensions: readonly GraphqlExtension[];
}

/** The resolvers of a schema that are ours, where nobody else's takes their place; with a plugin of nexus nobody knows. */
export function collectTrustedResolvers(
  schema: GraphQLSchema,
  resolvers: GraphqlResolvers,
  { parts, extensions }: Others,
): PlainResolvers {
  const plain: PlainResolvers = new WeakMap();
  if (extensions.some(({ plugins = [] }) => plugins.length > 0)) return plain;
  const others = [...parts, ...extensions].map((one): Readonly<Record<string, object>> => one.resolvers ?? {});
  for (const [name, own] of Object.entries(resolvers)) {
    const type = schema.getType(name);
    const theirs = new Set(others.flatMap((one) => Object.keys(one[name] ?? {})));
    if (name === 'Mutation' || !isObjectType(type)) continue;
    const fields = type.getFields();
    for (const field of Object.keys(own)) {
      const resolve = fields[field]?.resolve;
      if (resolve !== undefined && !theirs.has(field)) plain.set(resolve, resolve);
    }
  }
  return plain;
}

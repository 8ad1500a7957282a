import { isScalarType, type GraphQLScalarType } from 'graphql';
import type { Resolver } from '../../plugins/contract/policies.js';
import type { ExtensionResolvers } from './extension.js';

/** Makes every resolver a function: an object with `resolve` would not replace a generated function. */
export function plainResolvers(
  resolvers: ExtensionResolvers,
): Readonly<Record<string, GraphQLScalarType | Readonly<Record<string, Resolver>>>> {
  const plain = (of: ExtensionResolvers[string]): GraphQLScalarType | Readonly<Record<string, Resolver>> => {
    if (isScalarType(of)) return of;
    const fields = Object.entries(of as Readonly<Record<string, Resolver | { readonly resolve: Resolver }>>);
    return Object.fromEntries(
      fields.map(([name, field]) => [name, typeof field === 'object' && 'resolve' in field ? field.resolve : field]),
    );
  };
  return Object.fromEntries(Object.entries(resolvers).map(([type, of]) => [type, plain(of)]));
}

import type { GraphqlParts, GraphqlResolver, GraphqlResolvers } from '../plugins/contract/graphql/parts.js';
import { requirePermission } from './execute/create-resolvers.js';
import type { FieldGuards } from './field-guards.js';

/**
 * The resolvers of a plugin, its root fields behind the rights that it names.
 * @throws Error when a root field has none: public fields must be declared as such
 */
export function guardParts({ resolvers, actions }: GraphqlParts, guardOf: FieldGuards): GraphqlResolvers {
  const guard = (root: 'Query' | 'Mutation'): Readonly<Record<string, GraphqlResolver>> => {
    const fields = Object.entries((resolvers[root] ?? {}) as Readonly<Record<string, GraphqlResolver>>);
    return Object.fromEntries(
      fields.map(([field, resolve]) => {
        const path = `${root}.${field}`;
        if (!Object.hasOwn(actions, path)) throw new Error(`${path} has no permission`);
        return [field, requirePermission(actions[path], resolve, guardOf(path))];
      }),
    );
  };
  return { ...resolvers, Query: guard('Query'), Mutation: guard('Mutation') };
}

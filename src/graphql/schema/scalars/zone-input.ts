import { GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import type { ZoneAttribute } from '../../../content-types/model/types.js';
import { AppError } from '../../../errors/app-error.js';
import { isObject } from '../../../query/parse/input.js';
import { componentNames } from '../../../plugins/contract/graphql/names.js';

/** The scalar that takes written components of a dynamic zone: each has its type in `__typename`. */
export function zoneInputScalar(name: string, { components }: ZoneAttribute): GraphQLScalarType {
  const uids = new Map([...components.values()].map((component) => [componentNames(component).type, component.uid]));
  const parse = (value: unknown): unknown => {
    const { __typename, ...data } = isObject(value) ? value : {};
    const uid = uids.get(String(__typename));
    if (uid !== undefined) return { ...data, __component: uid };
    throw new AppError('application', `Component not found. expected one of: ${[...uids.keys()].join(', ')}`);
  };
  return new GraphQLScalarType({
    name,
    parseValue: parse,
    parseLiteral: (node, variables) =>
      node.kind === Kind.OBJECT ? parse(valueFromASTUntyped(node, variables)) : undefined,
  });
}

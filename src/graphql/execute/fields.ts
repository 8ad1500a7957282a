import { getNamedType, type FieldNode, type GraphQLObjectType, type GraphQLResolveInfo } from 'graphql';
import { collectSubfields } from './graphql-internals.js';

/** The places in a document that make one value of the answer: several where fragments ask for the same. */
export type FieldGroup = readonly FieldNode[];

/** Fields that give objects of one type; each with what is selected within it. */
export interface Selected {
  readonly type: GraphQLObjectType;
  readonly mentions: readonly FieldGroup[];
}

/** What a resolver is told of the document that is executed. */
export type Executed = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/** The field that a resolver resolves, which gives an object. */
export const selectedBy = ({ returnType, fieldNodes }: GraphQLResolveInfo): Selected => ({
  type: getNamedType(returnType) as GraphQLObjectType,
  mentions: [fieldNodes],
});

/**
 * What is selected within fields. Fragments, `@skip`, `@include` and aliases are worked in, by the function that the
 * execution itself uses.
 */
export const fieldGroupsIn = (
  { schema, fragments, variableValues }: Executed,
  { type, mentions }: Selected,
): FieldGroup[] =>
  mentions.flatMap((nodes) => [...collectSubfields(schema, fragments, variableValues, type, nodes).values()]);

/** The fields of this name within others, whatever their aliases. */
export function within(executed: Executed, outer: Selected, name: string): Selected {
  const mentions = fieldGroupsIn(executed, outer).filter((mention) => nameOf(mention) === name);
  return { type: getNamedType(outer.type.getFields()[name]?.type) as GraphQLObjectType, mentions };
}

export const nameOf = ([node]: FieldGroup): string => node?.name.value ?? '';

/**
 * Under which key a mention finds its value in what was read: where it stands in the document. An alias alone would
 * not do, since it may be the name of another attribute. No attribute begins with `@`.
 */
export const keyOf = ([node]: FieldGroup): string => `@${node?.loc?.start}`;

import { collectFields as collect } from '@graphql-tools/utils';
import {
  getNamedType,
  Kind,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql';

/** The nodes of a document that share one key of the response: several if fragments select the same field. */
export type FieldGroup = readonly FieldNode[];

/** Fields that return objects of one type. */
export interface Selected {
  readonly type: GraphQLObjectType;
  readonly fieldGroups: readonly FieldGroup[];
}

/** The part of a resolver's `info` that describes the executed document. */
export type Executed = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/** The field of a resolver that returns an object. */
export const selectedBy = ({ returnType, fieldNodes }: GraphQLResolveInfo): Selected => ({
  type: getNamedType(returnType) as GraphQLObjectType,
  fieldGroups: [fieldNodes],
});

/** A field or an operation. */
export interface Selecting {
  readonly selectionSet?: SelectionSetNode | undefined;
}

/**
 * The fields that nodes select of an object of this type, by their keys in the response: with fragments, `@skip`,
 * `@include` and aliases applied.
 */
export const collectFields = (
  { schema, fragments, variableValues }: Executed,
  type: GraphQLObjectType,
  nodes: readonly Selecting[],
): ReadonlyMap<string, FieldGroup> => {
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  return collect(schema, fragments, variableValues, type, { kind: Kind.SELECTION_SET, selections }).fields;
};

/** The selected fields of objects. */
export const fieldGroupsIn = (executed: Executed, { type, fieldGroups }: Selected): FieldGroup[] =>
  fieldGroups.flatMap((nodes) => [...collectFields(executed, type, nodes).values()]);

/** The fields of this name within others, with any alias. */
export function within(executed: Executed, outer: Selected, name: string): Selected {
  const fieldGroups = fieldGroupsIn(executed, outer).filter((fieldGroup) => nameOf(fieldGroup) === name);
  return { type: getNamedType(outer.type.getFields()[name]?.type) as GraphQLObjectType, fieldGroups };
}

export const nameOf = ([node]: FieldGroup): string => node?.name.value ?? '';

/**
 * The key of a field's value in the entry that was read: its position in the document. An alias would not do, because
 * it may be the name of another attribute. No attribute begins with `@`.
 */
export const keyOf = ([node]: FieldGroup): string => `@${node?.loc?.start}`;

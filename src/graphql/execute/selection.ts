import {
  getNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  GraphQLError,
  type GraphQLField,
} from 'graphql';
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentType,
  MorphAttribute,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../../content-types/model/types.js';
import { canReadRelation } from '../../documents/rights.js';
import { unbounded, isScalar, type PopulateNode, type Selection, type RelatedQuery } from '../../query/ast.js';
import { attributesFor, isReadable } from '../../query/visibility.js';
import { namesOf } from '../../plugins/contract/graphql/names.js';
import type { SchemaShape } from '../schema/shape.js';
import { isSeen, OVERRIDDEN } from '../extension/owned-fields.js';
import { typeName } from '../../content-types/model/type-name.js';
import { keyOf, fieldGroupsIn, nameOf, within, type Executed, type FieldGroup, type Selected } from './fields.js';
import { type Arguments, type ListLimits, parseListing, type ReadLimits } from './listing.js';
import type { Caller } from '../../documents/caller.js';
import { AppError } from '../../errors/app-error.js';

/** The selection of the entries of this type in a field, whatever types are around them. */
export function selectEntries(type: ContentType, field: Selected, selecting: Selecting): Selection {
  const { executed, shape } = selecting;
  const names = namesOf(type);
  const way = shape.wayTo(names)[field.type.name] ?? [];
  const values = way.reduce((outer, name) => within(executed, outer, name), field);
  const selection = selectValues(type, values, selecting);
  if (shape.isWhole === true) return { ...selection, fields: wholeValuesOf(type, selection) };
  return isSeen(executed.schema.getType(names.entity)) ? { ...selection, fields: plainValuesOf(type) } : selection;
}

/** With what names its document. */
const wholeValuesOf = (type: ContentType, { fields }: Selection): Selection['fields'] => [
  ...new Set([...fields, ...plainValuesOf(type), ...(type.documentId === undefined ? [] : [type.documentId])]),
];

/** What code of the project gets of an entry: as in Strapi v4, private values too. */
const plainValuesOf = ({ attributes }: ContentType | Component): readonly ScalarAttribute[] =>
  [...attributes.values()].filter(isScalar).filter((attribute) => isReadable(attribute, 'internal'));

/** The selection for the members of this type in a field whose type is a union; undefined if it selects none. */
export function selectMember(
  model: ContentType | Component,
  fieldGroup: FieldGroup,
  selecting: Selecting,
): Selection | undefined {
  const type = objectType(model, selecting.executed);
  return type && selectValues(model, { type, fieldGroups: [fieldGroup] }, selecting);
}

/**
 * The selection of one field of entries, with the arguments of its resolver. The value is stored in an entry's
 * attributes under the node's key. Undefined if the caller may not see it.
 */
export function selectField(
  attribute: Attribute,
  type: ContentType | Component,
  args: Arguments,
  { info, ...selecting }: Omit<Selecting, 'executed'> & { readonly info: GraphQLResolveInfo },
): PopulateNode | undefined {
  const { fieldNodes, parentType, fieldName } = info;
  const definition = parentType.getFields()[fieldName];
  if (definition === undefined) return undefined;
  const field: Field = { key: keyOf(fieldNodes), model: type, definition, fieldGroups: [fieldNodes], args };
  return selectNode(attribute, field, { ...selecting, executed: info });
}

function selectValues(model: ContentType | Component, selected: Selected, selecting: Selecting): Selection {
  const scalars = new Set<ScalarAttribute>();
  const { audience, fieldsOf } = selecting.shape;
  const attributes = attributesFor(model, audience);
  const definitions = selected.type.getFields();
  const fields = new Map<
    string,
    { readonly attribute: Attribute; readonly name: string; readonly fieldGroups: FieldGroup[] }
  >();
  for (const fieldGroup of fieldGroupsIn(selecting.executed, selected)) {
    const name = nameOf(fieldGroup);
    const attribute = fieldsOf(model).get(name)?.attribute ?? attributes.get(name);
    const owned = definitions[name]?.extensions[OVERRIDDEN];
    if (owned !== undefined) {
      for (const attribute of plainValuesOf(model)) scalars.add(attribute);
    }
    if (owned === 'instead' || attribute === undefined) continue;
    if (attribute.kind === 'scalar') {
      if (isReadable(attribute, audience)) scalars.add(attribute);
      continue;
    }
    // Its permission depends on the entry, so it is read later.
    if (owned === 'around' && model.kind !== 'component') continue;
    const key = keyOf(fieldGroup);
    const field = fields.get(key) ?? { attribute, name, fieldGroups: [] };
    field.fieldGroups.push(fieldGroup);
    fields.set(key, field);
  }
  const populate = [...fields].flatMap(([key, { attribute, name, fieldGroups }]) => {
    const definition = definitions[name];
    return definition === undefined
      ? []
      : (selectNode(attribute, { key, model, definition, fieldGroups }, selecting) ?? []);
  });
  return { fields: [...scalars], populate };
}

/**
 * Undefined if the field must not be read: its resolver then reports why, and the rest of the response is unaffected.
 */
function selectNode(attribute: Attribute, field: Field, selecting: Selecting): PopulateNode | undefined {
  switch (attribute.kind) {
    case 'relation':
      return selectRelation(attribute, field, selecting);
    case 'component':
      return selectComponent(attribute, field, selecting);
    case 'zone':
      return selectZone(attribute, field, selecting);
    case 'morph':
      return selectMorph(attribute, field, selecting);
    case 'scalar':
    // The schema has no field for the inverse side of a morph.
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

function selectRelation(attribute: RelationAttribute, field: Field, selecting: Selecting): PopulateNode | undefined {
  const { caller, shape } = selecting;
  const needsNoPermission = isOpen(field.model, selecting.limits);
  if (!needsNoPermission && !canReadRelation(attribute, caller)) return undefined;
  const listing = listingOf(field, attribute.target, attribute.many, selecting);
  if (listing === undefined) return undefined;
  const selection = selectEntries(attribute.target, selectedIn(field), selecting);
  const query = { publicationState: shape.relatedState, ...selection, ...listing, count: false } as const;
  return { kind: 'relation', key: field.key, attribute, query, ...(needsNoPermission && { needsNoPermission }) };
}

/** Whether relations of this type or component need no permission for their target. */
export const isOpen = ({ kind }: ContentType | Component, { openComponentRelations }: ListLimits): boolean =>
  kind === 'component' && openComponentRelations === true;

function selectComponent(attribute: ComponentAttribute, field: Field, selecting: Selecting): PopulateNode | undefined {
  const { component, repeatable } = attribute;
  const listing = listingOf(field, component, repeatable, selecting);
  if (listing === undefined) return undefined;
  const values = selectValues(component, selectedIn(field), selecting);
  return { kind: 'component', key: field.key, attribute, selection: { ...values, ...listing } };
}

function selectZone(attribute: ZoneAttribute, { key, fieldGroups }: Field, selecting: Selecting): PopulateNode {
  const on = [...attribute.components].flatMap(([uid, component]) => {
    const type = objectType(component, selecting.executed);
    if (type === undefined) return [];
    return [[uid, { ...unbounded, ...selectValues(component, { type, fieldGroups }, selecting) }] as const];
  });
  return { kind: 'zone', key, attribute, on: new Map(on) };
}

function selectMorph(attribute: MorphAttribute, { key, fieldGroups }: Field, selecting: Selecting): PopulateNode {
  const { relatedState: publicationState } = selecting.shape;
  const on = [...attribute.candidates.values()].flatMap((candidate) => {
    const type = objectType(candidate, selecting.executed);
    if (type === undefined) return [];
    const selection = selectValues(candidate, { type, fieldGroups }, selecting);
    return [[candidate, { ...selection, ...unbounded, publicationState, count: false }] as const];
  });
  return { kind: 'morph', key, attribute, on: new Map(on) };
}

/** The type of the values; undefined if the schema omits it. */
const objectType = (model: ContentType | Component, { schema }: Executed): GraphQLObjectType | undefined =>
  schema.getType(typeName(model)) as GraphQLObjectType | undefined;

const selectedIn = ({ definition, fieldGroups }: Field): Selected => ({
  type: getNamedType(definition.type) as GraphQLObjectType,
  fieldGroups,
});

/** The inputs of a selection in addition to the document: the caller and the limits. */
interface Selecting {
  readonly executed: Executed;
  readonly caller: Caller;
  readonly limits: ReadLimits;
  readonly shape: SchemaShape;
}

/** A field of an entry or component, with all of its field groups that have the same arguments. */
interface Field {
  readonly key: string;
  readonly model: ContentType | Component;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly fieldGroups: readonly FieldGroup[];
  /** Overrides the arguments in the document. */
  readonly args?: Arguments;
}

type Listed = Pick<RelatedQuery, 'filter' | 'sort' | 'start' | 'limit'> &
  Partial<Pick<RelatedQuery, 'publicationState'>>;

/** The parameters of a list from the arguments of its field; undefined if they are refused. */
function listingOf(
  { definition, fieldGroups, args: fixedArgs }: Field,
  type: ContentType | Component,
  isList: boolean,
  { executed, caller, limits, shape }: Selecting,
): Listed | undefined {
  const node = fieldGroups[0]?.[0];
  if (!isList || node === undefined) return unbounded;
  try {
    const args = fixedArgs ?? getArgumentValues(definition, node, executed.variableValues);
    const { pagination, publicationState, ...listing } = parseListing(args, type, caller, limits, shape);
    const { start, limit } = pagination;
    return { ...listing, start, limit, ...(publicationState && { publicationState }) };
  } catch (error) {
    if (error instanceof AppError || error instanceof GraphQLError) return undefined;
    throw error;
  }
}

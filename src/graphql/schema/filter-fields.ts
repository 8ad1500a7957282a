import type { Attribute, Component, ContentType, ZoneAttribute } from '../../content-types/model/types.js';
import { componentNames, namesOf, zoneFiltersName } from '../../plugins/contract/graphql/names.js';
import { scalarFilterName } from './base-types.js';
import type { Shadow } from './rules.js';
import { scalarName } from './scalars/scalar-names.js';

/** The fields of the filter input of a content type or component. It includes private attributes, which are refused. */
export function filterFields(model: ContentType | Component, shadow: Shadow): readonly string[] {
  const has = (name: string): boolean => shadow.hasField(model.uid, name, 'filters');
  const attributeFields = [...model.attributes.values()].flatMap((attribute) =>
    has(attribute.name) ? (fieldOf(model, attribute, shadow) ?? []) : [],
  );
  const { filters } = model.kind === 'component' ? componentNames(model) : namesOf(model);
  const id = model.kind === 'collectionType' && has('id') ? [`id: ${scalarFilterName('ID')}`] : [];
  return [...id, ...attributeFields, `and: [${filters}]`, `or: [${filters}]`, `not: ${filters}`];
}

/** The components of a dynamic zone that the schema has. */
export const zoneMembers = ({ components }: ZoneAttribute, shadow: Shadow): readonly Component[] =>
  [...components.values()].filter(({ uid }) => shadow.hasType(uid));

/** Undefined for attributes that GraphQL cannot filter by: files, morphs, relations to omitted types, and zones unless they are enabled. */
function fieldOf(model: ContentType | Component, attribute: Attribute, shadow: Shadow): string | undefined {
  const { name } = attribute;
  switch (attribute.kind) {
    case 'scalar':
      return `${name}: ${scalarFilterName(scalarName(attribute))}`;
    case 'relation':
      if (attribute.media || !shadow.hasType(attribute.target.uid)) return undefined;
      return `${name}: ${namesOf(attribute.target).filters}`;
    case 'component':
      if (!shadow.hasType(attribute.component.uid)) return undefined;
      return `${name}: ${componentNames(attribute.component).filters}`;
    case 'zone':
      if (!shadow.zoneFilters || zoneMembers(attribute, shadow).length === 0) return undefined;
      return `${name}: ${zoneFiltersName(model, attribute)}`;
    case 'morph':
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import { componentNames, namesOf } from '../../plugins/contract/graphql/names.js';
import { scalarFilterName } from './base-types.js';
import type { Shadow } from './rules.js';
import { scalarName } from './scalars/scalar-names.js';

/** The fields of the input that filters by a content type or component; private attributes are there, and refused. */
export function filterFields(model: ContentType | Component, shadow: Shadow): readonly string[] {
  const has = (name: string): boolean => shadow.hasField(model.uid, name, 'filters');
  const attributeFields = [...model.attributes.values()].flatMap((attribute) =>
    has(attribute.name) ? (fieldOf(attribute, shadow) ?? []) : [],
  );
  const { filters } = model.kind === 'component' ? componentNames(model) : namesOf(model);
  const id = model.kind === 'collectionType' && has('id') ? [`id: ${scalarFilterName('ID')}`] : [];
  return [...id, ...attributeFields, `and: [${filters}]`, `or: [${filters}]`, `not: ${filters}`];
}

/** Undefined for attributes that GraphQL cannot filter by: files, zones, morphs, and relations to omitted types. */
function fieldOf(attribute: Attribute, shadow: Shadow): string | undefined {
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
    case 'morph':
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import { componentNames, zoneInputName } from '../../plugins/contract/graphql/names.js';
import type { Shadow } from './rules.js';
import { scalarField } from './scalars/scalar-names.js';

/** The fields of the input that writes a content type or component. */
export function inputFields(model: ContentType | Component, shadow: Shadow): readonly string[] {
  const id = model.kind === 'component' && shadow.hasField(model.uid, 'id', 'input') ? ['id: ID'] : [];
  const fields = [...model.attributes.values()].flatMap((attribute) => {
    if (!attribute.writable || !shadow.hasField(model.uid, attribute.name, 'input')) return [];
    return fieldOf(model, attribute, shadow) ?? [];
  });
  return [...id, ...fields];
}

/** Undefined for attributes that GraphQL cannot write: morphs, and relations to omitted types. */
function fieldOf(model: ContentType | Component, attribute: Attribute, shadow: Shadow): string | undefined {
  const { name } = attribute;
  switch (attribute.kind) {
    case 'scalar':
      return scalarField(model, attribute);
    case 'relation':
      if (!shadow.hasType(attribute.target.uid)) return undefined;
      return `${name}: ${attribute.many ? '[ID]' : 'ID'}`;
    case 'component': {
      if (!shadow.hasType(attribute.component.uid)) return undefined;
      const { input } = componentNames(attribute.component);
      return `${name}: ${attribute.repeatable ? `[${input}]` : input}`;
    }
    case 'zone':
      return `${name}: [${zoneInputName(model, attribute)}!]`;
    case 'morph':
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import { componentNames, GENERIC_MORPH, namesOf, zoneName } from '../../plugins/contract/graphql/names.js';
import { listArguments } from './arguments.js';
import type { Shadow } from './rules.js';
import { scalarField } from './scalars/scalar-names.js';

/** The fields of the output type of a content type or component. It includes passwords, which are always null. */
export function outputFields(model: ContentType | Component, shadow: Shadow): readonly string[] {
  const id = model.kind === 'component' && shadow.hasField(model.uid, 'id', 'output') ? ['id: ID!'] : [];
  const fields = [...model.attributes.values()].flatMap((attribute) => {
    const field = shownField(model, attribute, shadow);
    if (field === undefined) return [];
    return [attribute.required && shadow.hasField(model.uid, attribute.name, 'required') ? `${field}!` : field];
  });
  return [...id, ...fields];
}

/** The attributes of a content type or component that its type has as fields. */
export const shownAttributes = (model: ContentType | Component, shadow: Shadow): readonly Attribute[] =>
  [...model.attributes.values()].filter((attribute) => shownField(model, attribute, shadow) !== undefined);

const shownField = (model: ContentType | Component, attribute: Attribute, shadow: Shadow): string | undefined =>
  attribute.private || !shadow.hasField(model.uid, attribute.name, 'output')
    ? undefined
    : fieldOf(model, attribute, shadow);

/** Undefined for attributes without a field: the inverse side of a morph, and relations to omitted types. */
function fieldOf(model: ContentType | Component, attribute: Attribute, shadow: Shadow): string | undefined {
  const { name } = attribute;
  switch (attribute.kind) {
    case 'scalar':
      return scalarField(model, attribute);
    case 'relation': {
      const { target, many } = attribute;
      if (!shadow.hasType(target.uid)) return undefined;
      const { response, relationCollection } = namesOf(target);
      return many ? `${name}${listArguments(target)}: ${relationCollection}` : `${name}: ${response}`;
    }
    case 'component': {
      const { component, repeatable } = attribute;
      if (!shadow.hasType(component.uid)) return undefined;
      const { type } = componentNames(component);
      return repeatable ? `${name}${listArguments(component)}: [${type}]` : `${name}: ${type}`;
    }
    case 'zone':
      return `${name}: [${zoneName(model, attribute)}]`;
    case 'morph':
      return `${name}: ${attribute.many ? `[${GENERIC_MORPH}]` : GENERIC_MORPH}`;
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

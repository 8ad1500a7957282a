import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import type { SchemaForm } from '../../plugins/contract/graphql/form.js';
import { componentNames, GENERIC_MORPH, zoneName } from '../../plugins/contract/graphql/names.js';
import type { Shadow } from './rules.js';
import { scalarField } from './scalars/scalar-names.js';

/** The fields of the output type of a content type or component. It includes passwords, which are always null. */
export function outputFields(model: ContentType | Component, shadow: Shadow, form: SchemaForm): readonly string[] {
  const id = model.kind === 'component' && shadow.hasField(model.uid, 'id', 'output') ? ['id: ID!'] : [];
  const further = model.kind === 'component' ? [] : form.furtherFields(model).output;
  const fields = [...model.attributes.values()].flatMap((attribute) => {
    const isRequired = attribute.required && shadow.hasField(model.uid, attribute.name, 'required');
    return shownFields(model, attribute, shadow, form).map((field) =>
      isRequired && !field.endsWith('!') ? `${field}!` : field,
    );
  });
  return [...id, ...further, ...fields];
}

/** The attributes of a content type or component that its type has as fields. */
export const shownAttributes = (model: ContentType | Component, shadow: Shadow): readonly Attribute[] =>
  [...model.attributes.values()].filter((attribute) => isShown(model, attribute, shadow));

/** Not the inverse side of a morph, nor relations to omitted types. */
function isShown(model: ContentType | Component, attribute: Attribute, shadow: Shadow): boolean {
  if (attribute.private || !shadow.hasField(model.uid, attribute.name, 'output')) return false;
  if (attribute.kind === 'relation') return shadow.hasType(attribute.target.uid);
  if (attribute.kind === 'component') return shadow.hasType(attribute.component.uid);
  return attribute.kind !== 'morphed';
}

function shownFields(
  model: ContentType | Component,
  attribute: Attribute,
  shadow: Shadow,
  form: SchemaForm,
): readonly string[] {
  if (!isShown(model, attribute, shadow)) return [];
  const { name } = attribute;
  switch (attribute.kind) {
    case 'scalar':
      return [scalarField(model, attribute)];
    case 'relation':
      return form.relationFields(attribute).map((field) => `${field.name}${field.signature}`);
    case 'component': {
      const { component, repeatable } = attribute;
      const { type } = componentNames(component);
      return [repeatable ? `${name}${form.listArguments(component)}: [${type}]` : `${name}: ${type}`];
    }
    case 'zone':
      return [`${name}: [${zoneName(model, attribute)}]`];
    case 'morph':
      return [`${name}: ${attribute.many ? `[${GENERIC_MORPH}]` : GENERIC_MORPH}`];
    case 'morphed':
      return [];
    default:
      return attribute satisfies never;
  }
}

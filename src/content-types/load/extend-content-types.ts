import type { AttributeDefinition, ContentTypeDefinition, Defined } from '../model/definition.js';

/**
 * The content types of plugins with the project's extensions: an attribute of the same name is replaced, others are
 * added. As in Strapi v4, an extension of an unknown type has no effect.
 */
export const extendContentTypes = (
  types: readonly Defined<ContentTypeDefinition>[],
  extensions: readonly Defined<ContentTypeDefinition>[],
): readonly Defined<ContentTypeDefinition>[] =>
  types.map((type) => {
    const extension = extensions.find(({ uid }) => uid === type.uid);
    if (extension === undefined) return type;
    const { file, definition } = extension;
    // Strapi uses only the extension's attributes. The plugin needs its own, and its indexes, so they stay.
    const declared = type.definition.attributes;
    const extended = Object.entries(definition.attributes).map(
      ([name, attribute]) =>
        [name, Object.hasOwn(declared, name) ? extend(declared[name], attribute) : attribute] as const,
    );
    const attributes = { ...declared, ...Object.fromEntries(extended) };
    const { options: own } = type.definition;
    const options = own && { options: { ...definition.options, ...own } };
    return { uid: type.uid, file, definition: { ...type.definition, ...definition, ...options, attributes } };
  });

/**
 * Attributes that the plugin hides or keeps unique stay so, even if the extension does not repeat it: otherwise
 * passwords would be visible.
 */
function extend(declared: AttributeDefinition | undefined, attribute: AttributeDefinition): AttributeDefinition {
  return {
    ...attribute,
    ...(declared?.['unique'] === true && { unique: true }),
    ...(declared?.['visible'] === false && { visible: false }),
    ...(declared?.['private'] === true && { private: true, type: declared.type }),
  };
}

import type { AttributeDefinition, ContentTypeDefinition, Defined } from '../model/definition.js';

/**
 * The content types of plugins as an owner's extensions change them: an attribute of the same name is replaced, others
 * are added. An extension of a type that is not there means nothing, as in Strapi v4.
 */
export const extendContentTypes = (
  types: readonly Defined<ContentTypeDefinition>[],
  extensions: readonly Defined<ContentTypeDefinition>[],
): readonly Defined<ContentTypeDefinition>[] =>
  types.map((type) => {
    const extension = extensions.find(({ uid }) => uid === type.uid);
    if (extension === undefined) return type;
    const { file, definition } = extension;
    // Strapi takes the extension's attributes alone. What the plugin works with must not get lost, so ours stay.
    const declared = type.definition.attributes;
    const extended = Object.entries(definition.attributes).map(
      ([name, attribute]) =>
        [name, Object.hasOwn(declared, name) ? extend(declared[name], attribute) : attribute] as const,
    );
    const attributes = { ...declared, ...Object.fromEntries(extended) };
    return { uid: type.uid, file, definition: { ...type.definition, ...definition, attributes } };
  });

/** What the plugin hides and what it keeps unique stays so, whatever the extension forgets: else passwords would show. */
function extend(declared: AttributeDefinition | undefined, attribute: AttributeDefinition): AttributeDefinition {
  return {
    ...attribute,
    ...(declared?.['unique'] === true && { unique: true }),
    ...(declared?.['visible'] === false && { visible: false }),
    ...(declared?.['private'] === true && { private: true, type: declared.type }),
  };
}

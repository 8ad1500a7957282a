import type { ContentTypeDefinition, Defined } from './definition.js';

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
    const attributes = { ...type.definition.attributes, ...definition.attributes };
    return { uid: type.uid, file, definition: { ...type.definition, ...definition, attributes } };
  });

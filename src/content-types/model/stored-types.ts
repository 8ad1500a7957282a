import type { ContentType, Registry } from './types.js';

/**
 * The types whose entries are stored: all content types, and the hidden ones of their working copies and of deleted
 * entries. What is served goes by `contentTypes` of the registry alone, which has none of these.
 */
export const storedTypes = ({ contentTypes }: Pick<Registry, 'contentTypes'>): readonly ContentType[] =>
  [...contentTypes.values()].flatMap((type) => [type, ...hiddenTypesOf(type)]);

/** The hidden types with the attributes of a content type. */
export const hiddenTypesOf = ({ copies, trash }: Pick<ContentType, 'copies' | 'trash'>): readonly ContentType[] => [
  ...(copies === undefined ? [] : [copies]),
  ...(trash === undefined ? [] : [trash.type]),
];

/** The type of the entries that a hidden type has. */
export const entryTypeOf = (type: ContentType): ContentType => type.copyOf ?? type.trashOf ?? type;

/** The collection of the working copies of the entries of a collection. */
export const copiesIn = (collectionName: string): string => `_copies.${collectionName}`;

/** The collection of the deleted entries of a collection. */
export const trashIn = (collectionName: string): string => `_trash.${collectionName}`;

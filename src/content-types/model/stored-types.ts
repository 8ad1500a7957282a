import type { ContentType, Registry } from './types.js';

/**
 * The types whose entries are stored: all content types, and the hidden ones of their working copies. What is served goes by `contentTypes` of the
 * registry alone, which has none of these.
 */
export const storedTypes = ({ contentTypes }: Pick<Registry, 'contentTypes'>): readonly ContentType[] =>
  [...contentTypes.values()].flatMap((type) => (type.copies === undefined ? [type] : [type, type.copies]));

/** The collection of the working copies of the entries of a collection. */
export const copiesIn = (collectionName: string): string => `_copies.${collectionName}`;

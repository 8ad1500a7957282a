import { isLocalized, isShared } from './localized.js';
import type { Attribute, ContentType } from './types.js';

export const isUnique = (attribute: Attribute): boolean => attribute.kind === 'scalar' && attribute.unique;

/**
 * Whether a unique value is unique in each locale, not in all of them: where it is shared by localizations, and where
 * the API says so for all.
 */
export const isUniquePerLocale = (attribute: Attribute, type: ContentType): boolean =>
  isLocalized(type) && (isShared(attribute, type) || type.isUniquePerLocale === true);

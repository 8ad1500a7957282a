import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { isUnique } from '../../content-types/model/unique.js';
import { AppError } from '../../errors/app-error.js';
import type { Filter } from '../ast.js';
import { isReadable } from '../visibility.js';
import { parseFilters } from './parse-filters.js';

/** A value that at most one entry has in each locale. */
export interface Key {
  readonly attribute: string;
  readonly value: string;
}

/** Whether clients can find an entry by this attribute. */
export const isKey = (attribute: Attribute): boolean => isUnique(attribute) && isReadable(attribute, 'client');

/**
 * Parses a key as the condition that its entry matches.
 * @throws AppError invalidParameter, which is the same for attributes that do not exist, are private or are not unique
 */
export function parseKey({ attribute: name, value }: Key, { attributes }: ContentType): Filter {
  const attribute = attributes.get(name);
  if (attribute === undefined || !isKey(attribute)) throw new AppError('invalidParameter', name);
  return parseFilters({ [name]: { $eq: value } }, attributes, 'client') ?? { kind: 'never' };
}

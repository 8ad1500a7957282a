import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { isUnique } from '../../content-types/model/unique.js';
import { AppError } from '../../errors/app-error.js';
import type { Filter, Query } from '../ast.js';
import { isReadable } from '../visibility.js';
import { parseValues } from '../plugin-parameters.js';
import type { QueryInput } from './input.js';
import { parseFilters } from './parse-filters.js';
import { parsePublicationState } from './parse-populate.js';
import type { DeepLimits } from './parse-deep.js';
import { parseSelection } from './parse-query.js';

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

/** Parses a read of the entry that has this key. @throws AppError invalidParameter, see `parseKey` */
export function parseKeyQuery(key: Key, input: QueryInput, type: ContentType, limits: DeepLimits): Query {
  const filter = parseKey(key, type);
  return {
    type,
    ...parseSelection(input, type, 'client', limits),
    filter,
    sort: [],
    pagination: { form: 'offset', start: 0, limit: 1, withCount: false },
    publicationState: parsePublicationState(input['publicationState']),
    parameters: parseValues(input, type),
  };
}

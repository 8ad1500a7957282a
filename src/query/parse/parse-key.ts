import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { isUnique } from '../../content-types/model/unique.js';
import { AppError } from '../../errors/app-error.js';
import type { Filter, Query } from '../ast.js';
import { isReadable, type Audience } from '../visibility.js';
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

/** Whether an entry can be found by this attribute. */
export const isKey = (attribute: Attribute, audience: Audience): boolean =>
  isUnique(attribute) && isReadable(attribute, audience);

/**
 * Parses a key as the condition that its entry matches.
 * @throws AppError invalidParameter, which is the same for attributes that do not exist, are private or are not unique
 */
export function parseKey({ attribute: name, value }: Key, { attributes }: ContentType, audience: Audience): Filter {
  const attribute = attributes.get(name);
  if (attribute === undefined || !isKey(attribute, audience)) throw new AppError('invalidParameter', name);
  return parseFilters({ [name]: { $eq: value } }, attributes, audience) ?? { kind: 'never' };
}

/** Parses a read of the entry that has this key. @throws AppError invalidParameter, see `parseKey` */
export function parseKeyQuery(key: Key, input: QueryInput, type: ContentType, limits: DeepLimits): Query {
  const filter = parseKey(key, type, 'client');
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

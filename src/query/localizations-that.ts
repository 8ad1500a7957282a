import type { ContentType } from '../content-types/model/types.js';
import { unbounded, type Filter, type RelationNode } from './ast.js';

/**
 * Finds the localizations of an entry that match a condition, with their locales: an entry stores its localizations, but nothing
 * else of them.
 */
export function localizationsThat({ attributes }: ContentType, filter: Filter): RelationNode | undefined {
  const [attribute, locale] = [attributes.get('localizations'), attributes.get('locale')];
  if (attribute?.kind !== 'relation' || locale?.kind !== 'scalar') return undefined;
  const query = {
    ...unbounded,
    fields: [locale],
    populate: [],
    filter,
    count: false,
    publicationState: 'live',
  } as const;
  return { kind: 'relation', key: attribute.name, attribute, query };
}

import type { ContentType } from '../content-types/model/types.js';
import { unbounded, type RelationNode } from '../query/ast.js';

/** Finds the published localizations of an entry, with their locales: an entry stores its localizations, but not which of them are drafts. */
export function liveLocalizations({ attributes }: ContentType): RelationNode | undefined {
  const [attribute, locale] = [attributes.get('localizations'), attributes.get('locale')];
  if (attribute?.kind !== 'relation' || locale?.kind !== 'scalar') return undefined;
  const live = { ...unbounded, fields: [locale], populate: [], filter: { kind: 'live' }, count: false } as const;
  return { kind: 'relation', key: attribute.name, attribute, query: { ...live, publicationState: 'live' } };
}

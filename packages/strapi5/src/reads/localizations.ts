import { mapRelated, nothing, type PopulateNode, type Query, type RelatedQuery } from 'content-service/content-api';
import { isLocalized, type ContentType } from 'content-service/plugin';

/**
 * Populated localizations are in the order of their locales, and in a list of all locales there are none (recorded:
 * import/reads).
 * @param isOfEveryLocale whether the request names every locale
 */
export function withLocalizations(query: Query, isOfEveryLocale: boolean): Query {
  const ordered = mapRelated(query, inOrder);
  if (!isOfEveryLocale || !isLocalized(query.type)) return ordered;
  const populate = ordered.populate.map((node) =>
    isLocalizations(node) ? { ...node, query: { ...node.query, filter: nothing } } : node,
  );
  return { ...ordered, populate };
}

const isLocalizations = (node: PopulateNode): node is Extract<PopulateNode, { readonly kind: 'relation' }> =>
  node.kind === 'relation' && node.attribute.name === 'localizations' && isLocalized(node.attribute.target);

function inOrder(related: RelatedQuery, type: ContentType, node: PopulateNode): RelatedQuery {
  const query = mapRelated(related, inOrder);
  const locale = type.attributes.get('locale');
  if (!isLocalizations(node) || query.sort.length > 0 || locale?.kind !== 'scalar') return query;
  return { ...query, sort: [{ through: [], field: locale, direction: 'ascending' }] };
}

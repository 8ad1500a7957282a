import { mapFilter, mapRelated, nothing, type PopulateNode, type RelatedQuery } from 'content-service/content-api';
import { isLocalized, type ContentType, type Filter, type Query } from 'content-service/plugin';

/**
 * Populated localizations are in the order of their locales, and in a list of all locales there are none (recorded:
 * import/reads). In filters an entry is one of its own localizations.
 * @param isOfEveryLocale whether the request names every locale
 */
export function withLocalizations(query: Query, isOfEveryLocale: boolean): Query {
  const ordered = withItself(mapRelated(query, inOrder));
  if (!isOfEveryLocale || !isLocalized(query.type)) return ordered;
  const populate = ordered.populate.map((node) =>
    isLocalizations(node) ? { ...node, query: { ...node.query, filter: nothing } } : node,
  );
  return { ...ordered, populate };
}

const isLocalizations = (node: PopulateNode): node is Extract<PopulateNode, { readonly kind: 'relation' }> =>
  node.kind === 'relation' && node.attribute.name === 'localizations' && isLocalized(node.attribute.target);

function inOrder(related: RelatedQuery, type: ContentType, node: PopulateNode): RelatedQuery {
  const query = withItself(mapRelated(related, inOrder));
  const locale = type.attributes.get('locale');
  if (!isLocalizations(node) || query.sort.length > 0 || locale?.kind !== 'scalar') return query;
  return { ...query, sort: [{ through: [], field: locale, direction: 'ascending' }] };
}

const withItself = <S extends { readonly filter: Filter | undefined }>(level: S): S =>
  level.filter === undefined ? level : { ...level, filter: filterWithItself(level.filter) };

/**
 * The entry itself meets a condition on its localizations, or one of the others does: so there is always some. Below
 * such a condition nothing is added: each level would double what the levels below it ask.
 */
function filterWithItself(filter: Filter): Filter {
  if (filter.kind !== 'related' || filter.attribute.name !== 'localizations' || !isLocalized(filter.attribute.target))
    return mapFilter(filter, filterWithItself);
  const isThere: Filter = { kind: 'comparison', field: { kind: 'id', name: 'id' }, operator: '$notNull', operands: [] };
  return { kind: 'or', filters: [filter.filter, { kind: 'and', filters: [filter, { ...filter, filter: isThere }] }] };
}

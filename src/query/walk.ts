import type { MorphedAttribute, RelationAttribute, ContentType } from '../content-types/model/types.js';
import type { Filter, SortKey, PopulateNode, Query, RelatedQuery, Selection } from './ast.js';

type Relation = RelationAttribute | MorphedAttribute;

/** The relations that a filter goes through, in its order. */
export function relationsOfFilter(filter: Filter | undefined): readonly Relation[] {
  switch (filter?.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(relationsOfFilter);
    case 'not':
    case 'component':
    case 'zone':
      return relationsOfFilter(filter.filter);
    case 'related':
      return [filter.attribute, ...relationsOfFilter(filter.filter), ...relationsOfFilter(filter.only)];
    case 'fallback':
      return relationsOfFilter(filter.visible);
    case 'comparison':
    case 'live':
    case 'search':
    case 'refers':
    case 'never':
    case undefined:
      return [];
    default:
      return filter satisfies never;
  }
}

/** The relations that a sort goes through, in its order. */
export const relationsOfSort = (sort: readonly SortKey[]): readonly Relation[] =>
  sort.flatMap(({ through, only }) => [
    ...through.flatMap((step) => (step.kind === 'relation' ? [step] : [])),
    ...[...(only?.values() ?? [])].flatMap(relationsOfFilter),
  ]);

/** The content types that affect the response of a query: its own, and those of all relations in it. */
export function typesOfQuery(query: Query): ReadonlySet<ContentType> {
  return new Set([query.type, ...typesOfFilter(query.filter), ...typesOfSort(query.sort), ...typesOfSelection(query)]);
}

/** The types behind the relations of a filter. */
export const typesOfFilter = (filter: Filter | undefined): readonly ContentType[] =>
  relationsOfFilter(filter).map(({ target }) => target);

const typesOfSort = (sort: readonly SortKey[]): readonly ContentType[] =>
  relationsOfSort(sort).map(({ target }) => target);

const typesOfSelection = ({ populate }: Selection): readonly ContentType[] => populate.flatMap(typesOfNode);

const typesOfList = (query: Pick<RelatedQuery, 'filter' | 'sort'> & Selection): readonly ContentType[] => [
  ...typesOfFilter(query.filter),
  ...typesOfSort(query.sort),
  ...typesOfSelection(query),
];

function typesOfNode(node: PopulateNode): readonly ContentType[] {
  switch (node.kind) {
    case 'relation':
      return [node.attribute.target, ...typesOfList(node.query)];
    case 'morph':
      return [...node.on].flatMap(([type, query]) => [type, ...typesOfList(query)]);
    case 'component':
      return typesOfList(node.selection);
    case 'zone':
      return [...node.on.values()].flatMap(typesOfList);
    default:
      return node satisfies never;
  }
}

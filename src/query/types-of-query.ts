import type { ContentType } from '../content-types/types.js';
import type { Filter, PopulateNode, Query, RelatedQuery, Selection, SortKey } from './ast.js';

/** The content types whose entries decide what a query is answered with: its own, and all behind relations in it. */
export function typesOfQuery(query: Query): ReadonlySet<ContentType> {
  return new Set([query.type, ...typesOfFilter(query.filter), ...typesOfSort(query.sort), ...typesOfSelection(query)]);
}

/** The types behind the relations of a filter. */
export function typesOfFilter(filter: Filter | undefined): readonly ContentType[] {
  switch (filter?.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(typesOfFilter);
    case 'not':
    case 'component':
      return typesOfFilter(filter.filter);
    case 'related':
      return [filter.attribute.target, ...typesOfFilter(filter.filter)];
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

const typesOfSort = (sort: readonly SortKey[]): readonly ContentType[] =>
  sort.flatMap(({ through }) => through.flatMap((step) => (step.kind === 'relation' ? [step.target] : [])));

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
      return [...node.on.values()].flatMap(typesOfSelection);
    default:
      return node satisfies never;
  }
}

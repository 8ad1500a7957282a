import type { ContentType } from '../content-types/model/types.js';
import type { Filter, PopulateNode, Query, RelatedQuery, Selection, SortKey } from './ast.js';
import { relationsOfFilter, relationsOfSort } from './relations-of.js';

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

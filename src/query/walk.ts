import type { MorphedAttribute, RelationAttribute } from '../content-types/model/types.js';
import type { Filter, SortKey } from './ast.js';

type Relation = RelationAttribute | MorphedAttribute;

/** The relations that a filter goes through, in its order. */
export function relationsOfFilter(filter: Filter | undefined): readonly Relation[] {
  switch (filter?.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(relationsOfFilter);
    case 'not':
    case 'except':
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

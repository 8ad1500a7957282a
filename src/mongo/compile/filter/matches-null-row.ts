import type { Filter } from '../../../query/ast.js';

/** Does the condition, or its opposite, hold for a row in which every value is null, in three-valued logic? */
export function matchesNullRow(filter: Filter, negated: boolean): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return (filter.kind === 'and') === negated
        ? filter.filters.some((part) => matchesNullRow(part, negated))
        : filter.filters.every((part) => matchesNullRow(part, negated));
    case 'not':
      return matchesNullRow(filter.filter, !negated);
    case 'comparison':
      return filter.operator === (negated ? '$notNull' : '$null');
    case 'component':
    case 'related':
      return matchesNullRow(filter.filter, negated);
    case 'live':
    case 'refers':
      return negated;
    case 'search':
    case 'never':
      return false;
    default:
      return filter satisfies never;
  }
}

/** The condition, or its opposite, for the entries that match `only`: negation must not reach that part. */
export const rowsWithin = (only: Filter, filter: Filter, negated: boolean): Filter => ({
  kind: 'and',
  filters: [only, negated ? { kind: 'not', filter } : filter],
});

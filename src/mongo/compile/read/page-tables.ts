import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Filter, Query } from '../../../query/ast.js';
import { isIndexed } from '../../../query/mutation.js';
import type { PageTables } from '../plan.js';
import type { CompiledSort } from './sort.js';
import { makeTables, type SortRoute } from './sort-tables.js';

/**
 * Compiles the tables that a page is sorted by, for the targets of all entries that the filter leaves.
 * @param match the filter, compiled
 */
export function compileTables(
  { type, filter }: Pick<Query, 'type' | 'filter'>,
  { routes }: Pick<CompiledSort, 'routes'>,
  match: Document,
): PageTables | undefined {
  if (routes.length === 0) return undefined;
  // Keys that begin with the same relation have their ids from one list.
  const lists = [...new Map(routes.map((route) => [listName(route), route])).values()];
  const stages = [...gather(type, filter, lists, match)];
  const sources = routes.map((route) => `ids${lists.findIndex((list) => listName(list) === listName(route))}.ids`);
  return { stages, variables: makeTables(routes, sources, { stages, temporary: [] }) };
}

const listName = ({ ids }: SortRoute): string => JSON.stringify(ids.value);

/** The stages that gather the ids which entries hold, each once. */
function gather(
  { attributes }: ContentType,
  filter: Filter | undefined,
  lists: readonly SortRoute[],
  match: Document,
): readonly Document[] {
  const matching = Object.keys(match).length > 0 ? [{ $match: match }] : [];
  const [first, ...otherLists] = lists;
  if (first === undefined || otherLists.length > 0) {
    const sets = lists.map(({ ids }, index) => [`ids${index}`, { $addToSet: { ids: ids.value } }]);
    return [...matching, { $group: { _id: null, ...Object.fromEntries(sets) } }];
  }
  const { value, list } = first.ids;
  const all = { $group: { _id: null, ids0: { $push: { ids: '$_id' } } } };
  const indexed = [...attributes.values()].find((attribute) => `$${attribute.name}` === value);
  // An index of the relation has each id at once; those of a few entries that the filter leaves out do no harm.
  if (!list && isBroad(filter) && indexed?.kind === 'relation' && isIndexed(indexed)) {
    return [{ $group: { _id: value } }, all];
  }
  // Entries without ids are kept: there is a page even if nothing on it leads anywhere.
  const unwind = { $unwind: { path: '$ids', preserveNullAndEmptyArrays: true } };
  const single = list ? [{ $project: { ids: value } }, unwind] : [];
  return [...matching, ...single, { $group: { _id: list ? '$ids' : value } }, all];
}

/** Does the filter leave most entries? It asks for published ones, in a locale. */
function isBroad(filter: Filter | undefined): boolean {
  if (filter === undefined || filter.kind === 'live') return true;
  if (filter.kind === 'and') return filter.filters.every(isBroad);
  return filter.kind === 'comparison' && filter.field.name === 'locale';
}

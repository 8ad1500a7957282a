import { isAbsent } from '../../config/record.js';
import type { Attributes } from '../../content-types/model/types.js';
import { both, id, idIn, NO_LIMIT, type GroupKey, type Measure, type Query } from '../../query/ast.js';
import { plainEntry, type LazyEntry } from '../../query/entry-presenter.js';
import type { Group } from '../../mongo/read/execute-groups.js';
import { attributeOfColumn } from './column-names.js';

/** The first entry of a group, by its id. */
const first: Measure = { function: 'min', name: 'id', path: { through: [], field: id } };

/**
 * The keys of `groupBy`, by the names of attributes or columns; none if nothing is grouped.
 * @throws Error for a name that is no plain attribute
 */
export function parseGroupKeys(groupBy: unknown, attributes: Attributes): readonly GroupKey[] {
  if (isAbsent(groupBy)) return [];
  return [groupBy].flat().map((input): GroupKey => {
    const name = String(input);
    if (name === 'id') return { name, path: { through: [], field: id } };
    const field = attributes.get(name) ?? attributes.get(attributeOfColumn(name, attributes) ?? '');
    if (field?.kind !== 'scalar') throw new Error(`unknown attribute "${name}" in groupBy`);
    return { name: field.name, path: { through: [], field } };
  });
}

/**
 * A query for the first entry of each group of entries that have the same values, in the order of these unless the
 * query has one, as SQLite answers `group by` in Strapi v4. Its conditions are those of the query.
 * @param find reads the groups
 * @throws AppError tooManyGroups
 */
export async function firstOfGroups(
  query: Query,
  keys: readonly GroupKey[],
  find: (query: Query) => Promise<readonly LazyEntry[]>,
): Promise<Query> {
  const groups = await find({
    ...query,
    fields: [],
    populate: [],
    sort: [],
    pagination: { form: 'offset', start: 0, limit: NO_LIMIT, withCount: false },
    aggregate: { keys, measures: [first], having: undefined, sort: [], timeZone: 'UTC' },
  });
  const ids = groups.map((group) => (group(plainEntry) as Group & { readonly min: { readonly id: number } }).min.id);
  const byKeys = keys.map(({ path }) => ({ ...path, direction: 'ascending' }) as const);
  return { ...query, filter: both(query.filter, idIn(ids)), sort: query.sort.length > 0 ? query.sort : byKeys };
}

import type { Document } from 'mongodb';
import type { ScalarValue } from '../../../content-types/model/attribute-types.js';
import type { Cursor } from '../../../query/ast.js';
import { HIGHEST, type CompiledSort } from './sort.js';

/** What the condition for entries after a cursor needs to know of a sort. */
type Sorted = Pick<CompiledSort, 'order' | 'paths' | 'nulls' | 'separateNullPath' | 'temporary'>;

/**
 * The condition for entries after a cursor in a sort: those beyond it in the first key, those
 * equal in it and beyond in the second, and so on. Each of these is a range of one index, if there is one for the sort,
 * and the database merges them in order: https://www.mongodb.com/docs/manual/reference/operator/query/or/
 * Null means absent. Undefined: the cursor is before the first entry.
 */
export function compileAfter(sorted: Sorted, cursor: Cursor): Document | undefined {
  if (cursor.length === 0) return undefined;
  const branches = branchesAfter(sorted, cursor);
  return branches.length === 1 ? branches[0] : { $or: branches };
}

/**
 * The conditions for the parts of a list whose first key is missing in some entries, where those come last in ascending
 * order: the entries with a value and those without, each of which one range of an index has in order. After a cursor
 * only the rest of them.
 */
export function rangesOf(sorted: Sorted, separateNullPath: string, cursor: Cursor = []): readonly Document[] {
  const isAscending = sorted.order.get(separateNullPath) === 1;
  const [present, absent] = [{ [separateNullPath]: { $ne: null } }, { [separateNullPath]: { $eq: null } }];
  if (cursor.length === 0) return isAscending ? [present, absent] : [absent, present];
  const branches = branchesAfter(sorted, cursor);
  const isOfPresent = (branch: Document): boolean => !isNothing(branch[separateNullPath]);
  const ranges = [branches.filter(isOfPresent), branches.filter((branch) => !isOfPresent(branch))];
  return (isAscending ? ranges : ranges.toReversed()).flatMap((range) => (range.length > 1 ? [{ $or: range }] : range));
}

const isNothing = (condition: unknown): boolean => (condition as { readonly $eq?: unknown }).$eq === null;

function branchesAfter({ order, paths, nulls, temporary }: Sorted, cursor: Cursor): readonly Document[] {
  const branches: Document[] = [];
  const equal: Document = {};
  for (const [path, direction] of order) {
    // The first of two equal keys applies, as in the sort; the id of the entry is the last value.
    const value = (path === '_id' ? cursor.at(-1) : cursor[paths.indexOf(path)]) ?? null;
    const nothing = nulls === 'last' && temporary.includes(path) ? HIGHEST : null;
    const follows = path !== '_id' && (direction === 1) === (nulls === 'last');
    branches.push(...beyond(value, direction, nothing, follows).map((condition) => ({ ...equal, [path]: condition })));
    equal[path] = { $eq: value ?? nothing };
  }
  return branches;
}

/**
 * @param nothing what a missing value is
 * @param follows missing values come after all others
 */
function beyond(value: ScalarValue | null, direction: 1 | -1, nothing: unknown, follows: boolean): readonly Document[] {
  if (value === null) return follows ? [] : [{ $ne: nothing }];
  return [direction === 1 ? { $gt: value } : { $lt: value }, ...(follows ? [{ $eq: nothing }] : [])];
}

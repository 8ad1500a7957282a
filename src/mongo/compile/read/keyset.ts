import type { Document } from 'mongodb';
import type { ScalarValue } from '../../../content-types/model/attribute-types.js';
import type { Cursor } from '../../../query/ast.js';
import type { CompiledSort } from './sort.js';

/** Under which name an entry of a page tells its place: the values that it is sorted by, and its id. */
export const CURSOR = '_after';

/**
 * The condition for entries that come after a place in a sort: those that are beyond it in the first key, those that are
 * equal in it and beyond in the second, and so on. Each of these is a range of one index, if there is one for the sort,
 * and the database merges them in order: https://www.mongodb.com/docs/manual/reference/operator/query/or/
 * Null is absence, and the lowest value. Undefined: the place is before the first entry.
 */
export function compileAfter({ order, paths }: CompiledSort, cursor: Cursor): Document | undefined {
  if (cursor.length === 0) return undefined;
  const branches: Document[] = [];
  const equal: Document = {};
  for (const [path, direction] of order) {
    // The first of two equal keys counts, as in the sort; the id of the entry is the last value.
    const value = (path === '_id' ? cursor.at(-1) : cursor[paths.indexOf(path)]) ?? null;
    branches.push(...beyond(value, direction, path).map((condition) => ({ ...equal, [path]: condition })));
    equal[path] = { $eq: value };
  }
  return branches.length === 1 ? branches[0] : { $or: branches };
}

function beyond(value: ScalarValue | null, direction: 1 | -1, path: string): readonly Document[] {
  if (direction === 1) return [value === null ? { $ne: null } : { $gt: value }];
  if (value === null) return [];
  return [{ $lt: value }, ...(path === '_id' ? [] : [{ $eq: null }])];
}

/** The stages that sort, with the condition among them where it is on values that they compute. */
export function sortAfter(
  { stages, temporary, order }: CompiledSort,
  after: Document | undefined,
): { readonly stages: readonly Document[]; readonly filter: Document | undefined } {
  const computed = temporary.some((name) => order.has(name));
  if (after === undefined || !computed) return { stages, filter: after };
  return { stages: [...stages.slice(0, -1), { $match: after }, ...stages.slice(-1)], filter: undefined };
}

/** Has each entry tell its place, before what it holds is narrowed to what is asked for. */
export function projectCursor(
  { paths }: CompiledSort,
  narrowing: readonly Document[],
  projection: Document,
): readonly Document[] {
  const cursor = [...paths, '_id'].map((path) => `$${path}`);
  if (narrowing.length === 0) return [{ $project: { ...projection, [CURSOR]: cursor } }];
  return [{ $set: { [CURSOR]: cursor } }, ...narrowing, { $project: { ...projection, [CURSOR]: 1 } }];
}

import type { Document } from 'mongodb';
import { AppError } from '../../../errors/app-error.js';
import type { ComponentSelection, PopulateNode, SortKey, Cursor } from '../../../query/ast.js';
import { compileFilter } from '../filter/filter.js';
import type { IdQuery } from '../filter/semi-join.js';
import type { ComponentSort, Slice } from '../plan.js';
import { heldAt, keyOf, routeOf, type SortRoute } from './sort-tables.js';
import type { ScalarValue } from '../../../content-types/model/attribute-types.js';

/** The database sorts by 32 keys at most, of which the id is one, and the parent where entries are numbered per parent. */
const MAX_KEYS = 30;
/** Each is two stages for every key that it is on the way of; see MOST_STAGES. */
const MAX_RELATIONS = 10;

/** `stages` end with the `$sort`. */
export interface CompiledSort {
  /** The ways of keys through relations, whose tables the stages read; see `makeTables`. */
  readonly routes: readonly SortRoute[];
  readonly stages: readonly Document[];
  /** The fields that the stages added. */
  readonly temporary: readonly string[];
  /** What is sorted by, in this order. */
  readonly order: ReadonlyMap<string, 1 | -1>;
  /** Where the value of each sort key is. */
  readonly paths: readonly string[];
}

/**
 * Compiles a sort. The targets of relations on the way have to be in tables before it; of a list the lowest value counts,
 * or the highest in a descending sort. Entries that are equal come in order of id.
 * @param before receives the reads that have to come first
 * @throws AppError tooCostly
 */
export function compileSort(keys: readonly SortKey[], before: IdQuery[]): CompiledSort {
  const order = new Map<string, 1 | -1>();
  const paths: string[] = [];
  const routes: SortRoute[] = [];
  const ends: Document = {};
  for (const key of keys) {
    const route = routeOf(key, (filter) => compileFilter(filter, before));
    const value = route === undefined ? listValue(key) : keyOf(route, routes.length);
    if (route !== undefined) routes.push(route);
    const path = value === undefined ? pathOf(key) : `_k${Object.keys(ends).length}`;
    if (value !== undefined) ends[path] = value;
    paths.push(path);
    if (!order.has(path)) order.set(path, key.direction === 'ascending' ? 1 : -1);
  }
  if (order.size > MAX_KEYS) throw new AppError('tooCostly', 'sort keys', MAX_KEYS);
  if (relationsIn(keys) > MAX_RELATIONS) throw new AppError('tooCostly', 'relations in sort keys', MAX_RELATIONS);
  if (!order.has('_id')) order.set('_id', 1);
  const set = Object.keys(ends).length > 0 ? [{ $set: ends }] : [];
  const stages = [...set, { $sort: Object.fromEntries(order) }];
  return { routes, stages, temporary: Object.keys(ends), order, paths };
}

/** How many relations are on the way of sort keys; one that several keys begin with counts once. */
const relationsIn = (keys: readonly SortKey[]): number =>
  new Set(
    keys.flatMap(({ through }) =>
      through.flatMap(({ kind }, index) => {
        const path = through.slice(0, index + 1).map(({ name }) => name);
        return kind === 'relation' ? [path.join('.')] : [];
      }),
    ),
  ).size;

const pathOf = ({ through: path, field }: SortKey): string => {
  const name = field.kind === 'id' && path.length === 0 ? '_id' : field.name;
  return [...path.map((step) => step.name), name].join('.');
};

/** The one value of a list of components that counts: the database sorts by one list at most. Undefined: there is none. */
function listValue({ through: path, field, direction }: SortKey): unknown {
  const components = path.filter((step) => step.kind === 'component');
  const { value, list } = heldAt(components, field.name, false);
  return list ? { [direction === 'ascending' ? '$min' : '$max']: value } : undefined;
}

/**
 * What a list of components is sorted by, within each.
 * @throws AppError invalidParameter for what is not within them
 */
export const sortWithin = ({ attribute, selection }: ComponentNode): readonly ComponentSort[] =>
  attribute.repeatable ? selection.sort.map(keyWithin) : [];

/** The same of the components of one kind in a zone; their sort counts where they are cut. */
export const sortInZone = ({ sort, ...slice }: ComponentSelection): readonly ComponentSort[] =>
  isCut(slice) ? sort.map(keyWithin) : [];

const keyWithin = (key: SortKey): ComponentSort => ({
  path: pathWithin(key),
  descending: key.direction === 'descending',
});

/** Does a slice leave anything out? */
export const isCut = ({ start, limit }: Slice): boolean => start > 0 || limit !== undefined;

function pathWithin({ through: path, field }: SortKey): readonly string[] {
  const outside = path.find((step) => step.kind === 'relation' || step.repeatable);
  if (outside !== undefined) throw new AppError('invalidParameter', outside.name);
  return [...path, field].map(({ name }) => name);
}

type ComponentNode = Extract<PopulateNode, { kind: 'component' }>;

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

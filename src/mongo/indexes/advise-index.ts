import type { Document, IndexDescription } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import type { MainRead } from '../compile/plan.js';
import { conditionsIn } from '../compile/read/compile-query.js';
import { foundBy, indexesFor, isListed } from './indexes.js';

/** How an index of the path would serve a condition: with one value, several, a range, or not at all. */
type Form = 'equal' | 'several' | 'range' | 'none';

/** The conditions by path, and the sort as it is sent. */
interface Outline {
  readonly forms: ReadonlyMap<string, Form>;
  readonly sort: readonly (readonly [string, 1 | -1])[];
  /** Those that can serve the read. */
  readonly indexes: readonly IndexDescription[];
}

/**
 * Says that a page is read without an index, and which index to declare, or that none can serve it. Undefined if an
 * index of the content type serves the sort, or one of the conditions of a read that is sorted by id.
 */
export function adviseIndex(type: ContentType, main: MainRead): string | undefined {
  const outline = outlineOf(type, main);
  const isSorted = outline.sort[0]?.[0] !== '_id';
  if (main.source.length > 0 || isBound('_id', outline)) return undefined;
  return isSorted ? adviseForSort(type, main, outline) : adviseForFilter(type, main, outline);
}

function adviseForSort(type: ContentType, { tables }: MainRead, outline: Outline): string | undefined {
  const complete = outline.indexes.filter(({ partialFilterExpression }) => partialFilterExpression === undefined);
  if (complete.some(({ key }) => isInOrder(Object.entries(key as Document), outline))) return undefined;
  const cost = 'The sort reads every entry that the filter matches';
  const sorted = outline.sort.filter(([path]) => path !== '_id');
  if (tables !== undefined || !sorted.every(([path]) => type.attributes.has(path))) {
    return `${cost}; no index can serve it, because its values are not those of the entry itself`;
  }
  return `${cost}; ${declare(type, [...equalPaths(type, outline), ...sorted])}`;
}

function adviseForFilter(type: ContentType, { filter }: MainRead, outline: Outline): string | undefined {
  const { forms, indexes } = outline;
  const isSelective = (path: string | undefined): boolean =>
    path !== undefined && !isListed(path) && (forms.get(path) ?? 'none') !== 'none';
  const isServed = indexes.some(({ key }) => isSelective(Object.keys(key).find((path) => !isListed(path))));
  if (isServed || [...forms.keys()].every(isListed)) return undefined;
  const cost = 'The filter reads entries until the page is full, and all entries for the total';
  const range = [...forms.keys()].find((path) => isSelective(path) && type.attributes.has(path));
  const equal = equalPaths(type, outline);
  const keys = equal.length > 0 ? equal : range === undefined ? [] : [[range, 1] as const];
  if (keys.length > 0) return `${cost}; ${declare(type, keys)}`;
  const canBeServed = conditionsIn(filter).some(({ $or: branches = [] }) =>
    (branches as readonly Document[]).some((branch) => [...formsOf(branch).values()].some((form) => form !== 'none')),
  );
  return canBeServed ? undefined : `${cost}; no index can serve it`;
}

const declare = ({ uid }: ContentType, keys: readonly (readonly [string, 1 | -1])[]): string =>
  `declare an index in options.indexes of ${uid}: ${JSON.stringify(Object.fromEntries(keys))}`;

/**
 * The fields that precede the sort of an index:
 * https://www.mongodb.com/docs/manual/tutorial/equality-sort-range-guideline/
 */
const equalPaths = ({ attributes }: ContentType, { forms }: Outline): readonly (readonly [string, 1])[] =>
  [...forms].flatMap(([path, form]) => (form === 'equal' && attributes.has(path) ? [[path, 1] as const] : []));

/** Whether the path has one of some values; the database merges the ranges of an index for each. */
const isBound = (path: string, { forms }: Outline): boolean => ['equal', 'several'].includes(forms.get(path) ?? '');

/** Whether an index has the order of the sort, for the values that the conditions leave. */
function isInOrder(keys: readonly (readonly [string, unknown])[], outline: Outline): boolean {
  const rest = [...outline.sort];
  for (const [path, direction] of keys) {
    const next = rest[0];
    if (next === undefined) return true;
    if (next[0] === path && next[1] === direction) rest.shift();
    else if (!isBound(path, outline)) return false;
  }
  return rest.length === 0;
}

function outlineOf(type: ContentType, { filter, order }: MainRead): Outline {
  const sort = order.at(-1)?.['$sort'] as Readonly<Record<string, 1 | -1>> | undefined;
  return {
    forms: formsOf(filter),
    sort: Object.entries(sort ?? { _id: 1 }),
    indexes: indexesFor(type, foundBy(conditionsIn(filter))),
  };
}

function formsOf(filter: Document): Map<string, Form> {
  const forms = new Map<string, Form>();
  for (const condition of conditionsIn(filter)) {
    const [path = '', value] = Object.entries(condition)[0] ?? [];
    const form = path.startsWith('$') ? 'none' : formOf(value);
    if (form !== 'none' || !forms.has(path)) forms.set(path, form);
  }
  return forms;
}

const ranges = ['$gt', '$gte', '$lt', '$lte'];

function formOf(condition: unknown): Form {
  if (typeof condition !== 'object' || condition === null) return 'equal';
  const { $regex: pattern, $options: options } = condition as { $regex?: unknown; $options?: unknown };
  if ('$eq' in condition) return 'equal';
  if ('$in' in condition) return 'several';
  const isPrefix = typeof pattern === 'string' && pattern.startsWith('^') && options === undefined;
  return isPrefix || ranges.some((operator) => operator in condition) ? 'range' : 'none';
}

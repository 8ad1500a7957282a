import type { Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import type { MainRead } from '../compile/plan.js';
import { conditionsIn } from '../compile/read/compile-query.js';
import { indexesOf, isListed } from './indexes.js';

/** A list that no index narrows further than to published entries in a locale. */
export interface FullScan {
  /** The conditions that nearly all lists have. */
  readonly listed: Document;
  /** The page is sorted by no index: each listed entry is read for it. */
  readonly sorts: boolean;
  /** There are further conditions: each listed entry is read for the total. */
  readonly filters: boolean;
}

/** The paths with which an index starts. */
export interface IndexedPaths {
  /** A condition on them narrows what is read. */
  readonly filtered: ReadonlySet<string>;
  readonly sorted: ReadonlySet<string>;
}

/** The paths that the indexes of a content type serve, apart from those of nearly all lists. */
export function indexedPaths(type: ContentType): IndexedPaths {
  const indexes = indexesOf(type);
  const complete = indexes.filter(
    ({ partialFilterExpression, sparse }) => (partialFilterExpression ?? sparse) === undefined,
  );
  return {
    filtered: new Set(['_id', ...indexes.flatMap(({ key }) => Object.keys(key).find((path) => !isListed(path)) ?? [])]),
    sorted: new Set(['_id', ...complete.flatMap(({ key }) => Object.keys(key)[0] ?? [])]),
  };
}

/** How a page and its total read every listed entry; undefined if neither does, or an index may be of use. */
export function fullScanOf(
  { filtered, sorted }: IndexedPaths,
  { source, filter, tables, order }: MainRead,
): FullScan | undefined {
  const conditions = conditionsIn(filter);
  const listed = conditions.filter(isOfList);
  const further = conditions.filter((condition) => !isOfList(condition));
  if (source.length > 0 || further.some((condition) => isNarrowing(condition, filtered))) return undefined;
  const [path = '_id'] = Object.keys((order.at(-1)?.['$sort'] as Document | undefined) ?? {});
  // Without conditions the database reads the collection anyway.
  const sorts = conditions.length > 0 && (tables !== undefined || !sorted.has(path));
  const filters = further.length > 0;
  return sorts || filters ? { listed: Object.assign({}, ...listed) as Document, sorts, filters } : undefined;
}

/**
 * The same filter, but no index can serve the condition of published entries: a pipeline of a lookup takes no hint.
 * Source: https://www.mongodb.com/docs/manual/reference/operator/query-bitwise/
 */
export const withoutListIndex = (filter: Document): Document => ({
  $and: conditionsIn(filter).map((condition) => (condition['_live'] === 1 ? { _live: { $bitsAllSet: 1 } } : condition)),
});

const isOfList = (condition: Document): boolean => Object.keys(condition).every(isListed);

/** Whether an index can serve the condition: one of alternatives only if it can serve all of them. */
function isNarrowing(condition: Document, filtered: ReadonlySet<string>): boolean {
  return Object.entries(condition).some(([path, value]) =>
    path === '$or'
      ? (value as readonly Document[]).every((branch) =>
          conditionsIn(branch).some((part) => isOfList(part) || isNarrowing(part, filtered)),
        )
      : filtered.has(path),
  );
}

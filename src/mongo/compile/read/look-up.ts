import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import type { RelatedQuery } from '../../../query/ast.js';
import { filterComponents } from '../filter/component-filters.js';
import { compileFilter } from '../filter/filter.js';
import { coversAllAttributes, compileProjection } from './projection.js';
import type { IdQuery } from '../filter/semi-join.js';
import type { CompiledSort } from './sort.js';
import { idsOrNone, makeTables, temporaryName, type TableStages } from './sort-tables.js';

/**
 * The state of one compilation: the stages so far, how many lists they fetch, and the reads before. All lists are
 * fields of the one document that the page became, so the pipeline stays flat however deep the query is.
 */
export interface Lookups extends TableStages {
  readonly before: IdQuery[];
  /** The lists of ids built for the inverse sides of relations, by the path of their entries. */
  readonly ids: Map<string, string>;
  lists: number;
}

/** The entries of a lookup and the stages applied to them. */
interface Related {
  readonly type: ContentType;
  readonly join: Document;
  /** An additional condition to the filter. */
  readonly match?: readonly Document[];
  readonly sort?: Pick<CompiledSort, 'routes' | 'stages'>;
  /** Fields that are read for internal use. */
  readonly extraFields?: readonly string[];
  readonly variables?: Document;
}

/** One `$lookup` for all parents of the page, with the tables that its sort needs before it. Returns the name of the list. */
export function lookUp(query: RelatedQuery, related: Related, lookups: Lookups): string {
  const { type, match = [], sort, extraFields = [], variables } = related;
  const as = `r${lookups.lists++}`;
  const filter = query.filter === undefined ? [] : [{ $match: compileFilter(query.filter, lookups.before) }];
  const join = { from: type.collectionName, ...related.join };
  const matching = [...filter, ...match];
  const tables = sort === undefined ? {} : tablesOf(sort, join, matching, lookups);
  const project = coversAllAttributes(query, type.attributes)
    ? []
    : [{ $project: compileProjection(query, ...extraFields) }];
  const order = sort === undefined ? [] : sort.stages;
  const pipeline = [...matching, ...order, ...filterComponents(query, lookups.before), ...project];
  // Without stages MongoDB has a faster path for lookups.
  const within = pipeline.length > 0 ? { pipeline } : {};
  const all = { ...variables, ...tables };
  const used = Object.keys(all).length > 0 ? { let: all } : {};
  lookups.stages.push({ $lookup: { ...join, ...used, ...within, as } });
  return as;
}

/** The tables for a sort: the targets are looked up before the sorted entries. */
function tablesOf(
  { routes }: Pick<CompiledSort, 'routes'>,
  join: Document,
  match: readonly Document[],
  lookups: Lookups,
): Document {
  if (routes.length === 0) return {};
  const as = temporaryName(lookups);
  const ids = Object.fromEntries(routes.map((route, index) => [`ids${index}`, route.ids.value]));
  lookups.stages.push({ $lookup: { ...join, pipeline: [...match, { $project: ids }], as } });
  const sources = routes.map((_, index) => `${as}.ids${index}`);
  return makeTables(routes, sources, lookups);
}

/** The ids of the entries at a path. A page has at least one; other lists can be empty. */
export function idsAt(path: string, lookups: Lookups): string {
  if (path === 'page') return 'page._id';
  const ids = lookups.ids.get(path) ?? idsOrNone(`${path}._id`, lookups);
  lookups.ids.set(path, ids);
  return ids;
}

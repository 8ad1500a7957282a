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
 * The state of one compilation: the stages so far, the content types of the lists that they fetch, and the reads before. All lists are
 * fields of the one document that the page became, so the pipeline stays flat however deep the query is.
 */
export interface Lookups extends TableStages {
  readonly before: IdQuery[];
  /** The lists of ids built for the inverse sides of relations, by the path of their entries. */
  readonly ids: Map<string, string>;
  /** Uids. */
  readonly lists: string[];
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
  /** Entries are counted for each parent. */
  readonly perParent?: PerParent;
}

interface PerParent {
  /** The collection of the parents. */
  readonly collection: string;
  readonly start: number;
  readonly limit: number | undefined;
}

/** The field for the parent of an entry that was read for one parent. */
export const PARENT = '_parent';

/** The name of the list with this index. */
export const listName = (index: number): string => `r${index}`;

/** One `$lookup` for all parents of the page, with the tables that its sort needs before it. Returns the name of the list. */
export function lookUp(query: RelatedQuery, related: Related, lookups: Lookups): string {
  const { type, match = [], sort = unsorted, extraFields = [], perParent } = related;
  const as = listName(lookups.lists.push(type.uid) - 1);
  const filter = query.filter === undefined ? [] : [{ $match: compileFilter(query.filter, lookups.before) }];
  const join = { from: type.collectionName, ...related.join };
  const matching = [...filter, ...match];
  const tables = tablesOf(sort, join, matching, lookups);
  const project = coversAllAttributes(query, type.attributes)
    ? []
    : [{ $project: compileProjection(query, ...extraFields) }];
  const narrowing = filterComponents(query, lookups.before);
  const slice = perParent === undefined ? [] : sliceOf(perParent);
  const pipeline = [...matching, ...sort.stages, ...slice, ...narrowing, ...project];
  // Without stages MongoDB has a faster path for lookups.
  const plain = pipeline.length > 0 ? { ...join, pipeline } : join;
  const joined = perParent === undefined ? plain : ofEachParent(perParent, join, pipeline);
  lookups.stages.push({ $lookup: { ...joined, ...(Object.keys(tables).length > 0 && { let: tables }), as } });
  return as;
}

const unsorted = { routes: [], stages: [] };

/**
 * Reads the parents once more, only their ids, and the slice of each in a lookup of its own, so that an index can end it after
 * the first entries, and others are dropped while they are sorted. Within it, `$$parent` is the id of the parent.
 */
const ofEachParent = ({ collection }: PerParent, join: Document, pipeline: readonly Document[]): Document => ({
  from: collection,
  localField: join['localField'] as string,
  foreignField: '_id',
  pipeline: [
    { $project: { _id: 1 } },
    { $lookup: { ...join, localField: '_id', let: { parent: '$_id' }, pipeline, as: 'entry' } },
    { $unwind: '$entry' },
    { $replaceRoot: { newRoot: { $mergeObjects: ['$entry', { [PARENT]: '$_id' }] } } },
  ],
});

const sliceOf = ({ start, limit }: PerParent): readonly Document[] => [
  ...(start > 0 ? [{ $skip: start }] : []),
  ...(limit === undefined ? [] : [{ $limit: limit }]),
];

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

import lodash from 'lodash';
import type { Document } from 'mongodb';
import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import type { ComponentPath } from '../../../content-types/model/component-paths.js';
import { DOCUMENT_ID } from '../../../content-types/model/system-attributes.js';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Filter, Query, Selection } from '../../../query/ast.js';
import { dependenciesOfCount } from '../../../query/dependencies.js';
import { compileFilter } from '../filter/filter.js';
import { compileAfter, rangesOf } from './cursor.js';
import { sortAfter, projectCursor, compileSort, type CompiledSort, makeTables, type SortRoute } from './sort.js';
import type { CountRead, MainRead, NamedDocument, PageTables, ReadPlan } from '../plan.js';
import { type Lookups, compileEntry } from './populate.js';
import { filterComponents, compileProjection, coversAllAttributes } from './projection.js';
import type { IdQuery } from '../filter/semi-join.js';
import { isIndexed } from '../../stored/relation.js';
import { CHANGES } from '../../stored/working-copy.js';
import { sourceOf, unite } from './branches.js';

/** Compiles a read to a plan: pure, no look-ups, no I/O. @throws AppError tooCostly */
export function compileQuery(query: Query): ReadPlan {
  const { type, filter, sort, pagination, componentPaths, latest, modified } = query;
  const { before: first, count } = compileCount(type, filter, componentPaths, { latest, modified });
  const before = [...first];
  const { start, limit, after } = pagination;
  const isOne = idIn(count.filter) !== undefined;
  const compiled = compileSort({ sort, filter }, before, type.dialect, !isOne);
  const { separateNullPath } = compiled;
  const ranges = separateNullPath === undefined ? undefined : rangesOf(compiled, separateNullPath, after);
  const order = sortAfter(compiled, ranges === undefined && after ? compileAfter(compiled, after) : undefined);
  const tables = compileTables(query, compiled, count);
  const otherStages = count.source.length + (tables?.stages.length ?? 0);
  const { stages, read, lists, united } = compileLookups(query, before, otherStages);
  const narrowing = filterComponents(query, before);
  const projection = compileProjection(query, ...(latest === true ? [CHANGES] : []));
  const temporary = order.stages.slice(1);
  const isWhole = stages.length > 0 && temporary.length === 0 && coversAllAttributes(query, type.attributes);
  const further = [before, count.source, stages, narrowing, tables?.stages ?? [], temporary];
  const isAlone = start === 0 && after === undefined && count.copies === undefined;
  const isPlain = isAlone && further.every(({ length }) => length === 0);
  const document = isPlain && limit === 1 && DOCUMENT_ID in projection ? documentIn(count.filter) : undefined;
  return {
    before,
    main: {
      filter: order.filter === undefined ? count.filter : bothConditions(count.filter, order.filter),
      tables,
      order: order.stages,
      project:
        after === undefined
          ? [...narrowing, ...(isWhole ? [] : [{ $project: projection }])]
          : projectCursor(compiled, narrowing, projection),
      lookups: stages,
      collection: count.collection,
      copies: count.copies,
      ...(count.isOfCopies && { isOfCopies: true }),
      ...(ranges && { ranges }),
      id: isPlain ? idIn(count.filter) : undefined,
      ...(document && { document }),
      source: count.source,
      start: Math.min(start, Number.MAX_SAFE_INTEGER),
      // One more entry shows whether there is a next page.
      limit: after === undefined ? limit : limit + 1,
      read,
      types: { page: type.uid, lists },
      united,
    },
    count,
  };
}

/** A plan for another entry, where the query has no condition but the id, and no sort. */
export function planWithId({ before, main, count }: ReadPlan, id: number): ReadPlan {
  const filter = { _id: { $eq: id } };
  return {
    before,
    main: { ...main, id: main.id === undefined ? undefined : id, filter },
    count: { ...count, filter },
  };
}

/** Both conditions. */
export const bothConditions = (first: Document, second: Document): Document =>
  Object.keys(first).length === 0 ? second : { $and: [first, second] };

/** Compiles the count of the entries that match a filter, or of the components at these paths. */
export function compileCount(
  type: ContentType,
  filter: Filter | undefined,
  componentPaths?: readonly ComponentPath[],
  { latest, modified }: { readonly latest?: true | undefined; readonly modified?: true | undefined } = {},
): Pick<ReadPlan, 'before' | 'count'> {
  const before: IdQuery[] = [];
  const condition = filter === undefined ? {} : compileFilter(filter, before);
  const source = componentPaths?.map(takeOut) ?? [];
  const counted = { type, filter, ...(componentPaths && { componentPaths }), ...(latest && { latest }) };
  const dependencies = dependenciesOfCount(counted);
  return { before, count: { ...sourceOf(type, latest, modified), source, filter: condition, dependencies } };
}

/** MongoDB accepts 1,000 stages in a pipeline, including those before and after populate. */
const MAX_STAGES = 980;

function compileLookups(
  query: Selection,
  before: IdQuery[],
  otherStages: number,
): Pick<MainRead, 'read' | 'united'> & { stages: readonly Document[]; lists: readonly string[] } {
  const lookups: Lookups = { stages: [], before, temporary: [], ids: new Map(), lists: [], united: new Set() };
  const read = compileEntry(query, 'page', lookups);
  const { stages, temporary, lists, united } = lookups;
  if (stages.length + otherStages > MAX_STAGES) throw new AppError('tooCostly', 'steps to populate it', MAX_STAGES);
  return { stages: temporary.length > 0 ? [...stages, { $unset: temporary }] : stages, read, lists, united };
}

/** The aggregation of a page: filter, sort, slice, projection, and the lookups for the page. */
export function pipelineOf(main: ReadPlan['main']): readonly Document[] {
  const { collection, tables, project, lookups } = main;
  const pipeline = [...findPage(main), ...project];
  if (tables !== undefined) {
    const page = { from: collection, let: tables.variables, pipeline, as: 'page' };
    return [...tables.stages, { $lookup: page }, { $project: { page: 1 } }, ...lookups];
  }
  return [...pipeline, ...(lookups.length > 0 ? [GROUP, ...lookups] : [])];
}

/**
 * Filter, sort and slice. Of each part of a source as much is read as the page can have of it, and sorted together with
 * the others.
 */
function findPage(main: ReadPlan['main']): readonly Document[] {
  const { source, order, start, limit, copies, skipped = 0 } = main;
  const slice = [...skip(start - skipped), { $limit: limit }];
  if (copies === undefined) return [...source, ...matching(main), ...order, ...slice];
  const first = (omitted: number): readonly Document[] => [
    ...order,
    ...skip(omitted),
    { $limit: start + limit - omitted },
  ];
  return [
    ...unite(main, (only) => [...matching(main), ...only, ...first(only.length > 0 ? skipped : 0)]),
    ...order.slice(-1),
    ...slice,
  ];
}

const skip = (count: number): readonly Document[] => (count > 0 ? [{ $skip: count }] : []);

const GROUP: Document = { $group: { _id: null, page: { $push: '$$ROOT' } } };

const matching = ({ filter }: Pick<MainRead, 'filter'>): readonly Document[] =>
  Object.keys(filter).length > 0 ? [{ $match: filter }] : [];

/** A page without further stages is a plain find, which costs the database less. */
interface PlainRead {
  readonly filter: Document;
  readonly sort?: Document;
  readonly projection: Document;
  readonly skip?: number;
  readonly limit: number;
}

/** Whether the read returns one document that contains the page. */
export const isGrouped = ({ tables, lookups }: MainRead): boolean => tables !== undefined || lookups.length > 0;

/** The page as a plain find; undefined if it needs an aggregation. */
export function plainRead(main: ReadPlan['main']): PlainRead | undefined {
  const { source, filter, order, start, limit, project, copies } = main;
  if (copies !== undefined) return undefined;
  const [sort, ...further] = order;
  const [projection, ...otherStages] = project;
  if (isGrouped(main) || source.length > 0 || further.length > 0 || otherStages.length > 0) return undefined;
  const options = { projection: projection?.['$project'] as Document };
  // One entry by its id needs no sort, and without it MongoDB uses its express path.
  if (main.id !== undefined) return { filter, ...options, limit };
  return { filter, sort: sort?.['$sort'] as Document, ...options, skip: start, limit };
}

function idIn(filter: Document): number | undefined {
  const [condition, ...further] = conditionsIn(filter);
  const id = (condition?.['_id'] as Document | undefined)?.['$eq'] as unknown;
  return further.length === 0 && typeof id === 'number' ? id : undefined;
}

/** The document that a filter names beside conditions on plain values, which tell its entries from each other. */
function documentIn(filter: Document): NamedDocument | undefined {
  const conditions = conditionsIn(filter);
  const named = conditions.find((condition) => DOCUMENT_ID in condition);
  const others = conditions.filter((condition) => condition !== named);
  const documentId = (named?.[DOCUMENT_ID] as Document | undefined)?.['$eq'] as unknown;
  if (typeof documentId !== 'string' || !others.every(isPlainCondition)) return undefined;
  const joined = Object.assign({}, ...others) as Document;
  const isJoined = others.every((condition) => lodash.isMatch(joined, condition));
  return isJoined ? { documentId, others: joined } : undefined;
}

/** Whether a condition compares a path with values whose text says all of them. */
const isPlainCondition = (condition: Document): boolean =>
  Object.entries(condition).every(
    ([path, value]: readonly [string, unknown]) =>
      !path.startsWith('$') && (isValue(value) || (isRecord(value) && Object.values(value).every(isValue))),
  );

const isValue = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The conditions that a filter joins by `$and`, one for each path. */
export const conditionsIn = (filter: Document): readonly Document[] =>
  Object.entries(filter).flatMap(([path, condition]) =>
    path === '$and' ? (condition as readonly Document[]).flatMap(conditionsIn) : [{ [path]: condition as unknown }],
  );

/** Compiles the tables that a page is sorted by, for the targets of all entries that match the filter. */
function compileTables(
  { type, filter }: Pick<Query, 'type' | 'filter'>,
  { routes }: Pick<CompiledSort, 'routes'>,
  count: CountRead,
): PageTables | undefined {
  if (routes.length === 0) return undefined;
  // Sort keys that start with the same relation share one list of ids.
  const lists = [...new Map(routes.map((route) => [keyOfIds(route), route])).values()];
  const stages = [...gather(type, filter, lists, count)];
  const sources = routes.map((route) => `ids${lists.findIndex((list) => keyOfIds(list) === keyOfIds(route))}.ids`);
  return { stages, variables: makeTables(routes, sources, { stages, temporary: [] }) };
}

const keyOfIds = ({ ids }: SortRoute): string => JSON.stringify(ids.value);

/** The stages that collect the distinct ids in the entries. */
function gather(
  { attributes }: ContentType,
  filter: Filter | undefined,
  lists: readonly SortRoute[],
  count: CountRead,
): readonly Document[] {
  const matched = [...count.source, ...unite(count, (only) => [...matching(count), ...only])];
  const [first, ...otherLists] = lists;
  if (first === undefined || otherLists.length > 0) {
    const sets = lists.map(({ ids }, index) => [`ids${index}`, { $addToSet: { ids: ids.value } }]);
    return [...matched, { $group: { _id: null, ...Object.fromEntries(sets) } }];
  }
  const { value, list } = first.ids;
  const all = { $group: { _id: null, ids0: { $push: { ids: '$_id' } } } };
  const indexed = [...attributes.values()].find((attribute) => `$${attribute.name}` === value);
  // An index of the relation contains each id; a few ids of entries that the filter excludes do no harm.
  if (!list && isBroad(filter) && indexed !== undefined && isIndexed(indexed)) {
    return [...count.source, ...unite(count, (only) => [...only, { $group: { _id: value } }]), all];
  }
  // Entries without ids are kept: there is a page even if no entry has a target.
  const unwind = { $unwind: { path: '$ids', preserveNullAndEmptyArrays: true } };
  const single = list ? [{ $project: { ids: value } }, unwind] : [];
  return [...matched, ...single, { $group: { _id: list ? '$ids' : value } }, all];
}

/** Whether the filter matches most entries, because it only selects published ones in a locale. */
function isBroad(filter: Filter | undefined): boolean {
  if (filter === undefined || filter.kind === 'live') return true;
  if (filter.kind === 'and') return filter.filters.every(isBroad);
  return filter.kind === 'comparison' && filter.field.name === 'locale';
}

/** The stage that adds the components at one path of the entries of a type, each as a document like an entry. */
function takeOut({ type, steps }: ComponentPath): Document {
  const pipeline = steps.flatMap(({ attribute, component }) => [
    { $unwind: `$${attribute.name}` },
    { $replaceWith: `$${attribute.name}` },
    ...(attribute.kind === 'zone' ? [{ $match: { __component: component.uid } }] : []),
  ]);
  return { $unionWith: { coll: type.collectionName, pipeline: [...pipeline, { $set: { _id: '$id' } }] } };
}

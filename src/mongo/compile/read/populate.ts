import type { Document } from 'mongodb';
import type { ContentType, MorphedAttribute } from '../../../content-types/model/types.js';
import {
  NO_LIMIT,
  type PopulateNode,
  type RelatedQuery,
  type RelationNode,
  type Selection,
  type AnyRelation,
} from '../../../query/ast.js';
import { linkPaths, otherSideName, rankPath } from '../../stored/relation.js';
import { CHANGES } from '../../stored/working-copy.js';
import type { Cardinality, OwnedNode, ReadEntry, ReadNode, ReadMorphPart, ReadComponents } from '../plan.js';
import { outputField, coversAllAttributes, compileProjection, filterComponents } from './projection.js';
import { branchesOf, sourceOf, type EntrySource } from './branches.js';
import {
  compileSort,
  concatLists,
  isCut,
  sortInZone,
  sortWithin,
  type CompiledSort,
  temporaryName,
  idsOrNone,
  makeTables,
  type TableStages,
} from './sort.js';
import { compileFilter } from '../filter/filter.js';
import type { IdQuery } from '../filter/semi-join.js';

/**
 * Compiles the populated attributes of the documents at `path` of the page document, which are entries or components.
 */
export function compileEntry(selection: Selection, path: string, lookups: Lookups): ReadEntry {
  const { fields, populate, availableLocales = false } = selection;
  return {
    fields,
    nodes: populate.map((node) => compileNode(node, outputField(node, selection), path, lookups)),
    availableLocales:
      typeof availableLocales === 'boolean' ? availableLocales : compileOwned(availableLocales, path, lookups),
  };
}

function compileNode(node: PopulateNode, name: string, path: string, lookups: Lookups): ReadNode {
  const { key } = node;
  const counted = 'count' in node;
  switch (node.kind) {
    case 'component': {
      const { start, limit } = node.selection;
      const entry = compileEntry(node.selection, `${path}.${name}`, lookups);
      const { repeatable } = node.attribute;
      const slice = { start, limit };
      return { kind: 'component', key, name, repeatable, counted, entry, slice, sort: sortWithin(node) };
    }
    case 'zone': {
      const on = [...node.on].map(([uid, selection]): [string, ReadComponents] => {
        const mixed = looksUp(selection) && mixes(node, selection);
        const componentPath = mixed ? collectComponents(path, name, uid, lookups) : `${path}.${name}`;
        const { start, limit } = selection;
        const entry = compileEntry(selection, componentPath, lookups);
        return [uid, { entry, slice: { start, limit }, sort: sortInZone(selection) }];
      });
      return { kind: 'zone', key, name, counted, on: new Map(on), cut: on.some(([, { slice }]) => isCut(slice)) };
    }
    case 'relation':
      return node.attribute.kind === 'relation' && node.attribute.side === 'owner'
        ? compileOwned(node, path, lookups)
        : compileInverse(node, path, lookups);
    case 'morph': {
      const on = [...node.on].map(([type, query]): [string, ReadMorphPart] => {
        const localField = collectMorphIds(path, name, type.uid, lookups);
        const { start, limit, sort } = query;
        const ordered = sort.length > 0 && isCut(query);
        const join = { localField, foreignField: '_id' };
        const from = lookUp(
          query,
          { type, join, ...(ordered && { sort: compileSort(query, lookups.before, type.dialect) }) },
          lookups,
        );
        const entry = compileEntry(query, from, lookups);
        return [type.uid, { from, entry, slice: { start, limit }, ordered }];
      });
      const cut = on.some(([, { slice }]) => isCut(slice));
      const { attribute, narrowed = false } = node;
      return { kind: 'morph', key, name, many: attribute.many, on: new Map(on), cut, narrowed };
    }
    default:
      return node satisfies never;
  }
}

/** A relation whose ids the documents at `path` store. */
function compileOwned({ key, attribute, query }: RelationNode, path: string, lookups: Lookups): OwnedNode {
  const { name, target: type } = attribute;
  const join = { localField: `${path}.${name}`, foreignField: '_id' };
  const from = lookUp(
    query,
    { type, join, ...(query.sort.length > 0 && { sort: compileSort(query, lookups.before, type.dialect) }) },
    lookups,
  );
  const entry = compileEntry(query, from, lookups);
  const slice = { start: query.start, limit: query.limit };
  const cardinality = cardinalityOf(attribute, query);
  return { kind: 'owned', key, name, ordered: query.sort.length > 0, slice, cardinality, from, entry };
}

/** A relation that its targets store. */
function compileInverse({ key, attribute, query }: RelationNode, path: string, lookups: Lookups): ReadNode {
  const { target: type } = attribute;
  const isLimited = isCut(query);
  const ordered = isLimited || query.sort.length > 0;
  const ofType = attribute.kind === 'morphed' ? attribute.owner : undefined;
  const link = otherSideName(attribute);
  const join = { localField: idsAt(path, lookups), foreignField: ofType === undefined ? link : `${link}.id` };
  const from = lookUp(
    query,
    {
      type,
      join,
      match: ofType === undefined ? [] : [{ $match: { [`${link}.__type`]: ofType } }],
      ...(ordered && {
        sort: query.sort.length > 0 ? compileSort(query, lookups.before, type.dialect) : byRank(attribute),
      }),
      ...(isLimited
        ? { perParent: { collection: otherSide(attribute).parents, start: query.start, limit: query.limit } }
        : { extraFields: ofType === undefined ? linkPaths(link) : [link] }),
    },
    lookups,
  );
  const entry = compileEntry(query, from, lookups);
  const by = isLimited ? { by: PARENT, type: undefined } : { by: link, type: ofType };
  return { kind: 'inverse', key, ...by, ordered, cardinality: cardinalityOf(attribute, query), from, entry };
}

function cardinalityOf(attribute: AnyRelation, { count }: RelatedQuery): Cardinality {
  if (count) return 'count';
  if (!attribute.many) return 'one';
  return attribute.kind === 'morphed' || attribute.media ? 'manyOrNull' : 'many';
}

/** Whether a selection needs a lookup, at any depth of components. */
const looksUp = ({ populate }: Selection): boolean =>
  populate.some((node) => node.kind !== 'component' || looksUp(node.selection));

/** Whether a plain path through the zone would include other component types, or a morph needs them individually. */
const mixes = ({ attribute }: Extract<PopulateNode, { kind: 'zone' }>, selection: Selection): boolean =>
  selection.populate.some((node) => {
    const having = [...attribute.components.values()].filter(({ attributes }) => attributes.has(node.attribute.name));
    return having.length > 1 || hasMorph(node);
  });

const hasMorph = (node: PopulateNode): boolean =>
  node.kind === 'morph' || (node.kind === 'component' && node.selection.populate.some(hasMorph));

/** A list of all components of one type in a zone. */
function collectComponents(path: string, name: string, uid: string, lookups: Lookups): string {
  const ofKind = { $eq: ['$$component.__component', uid] };
  const components = { $ifNull: [`$$this.${name}`, []] };
  return collect(path, { $filter: { input: components, as: 'component', cond: ofKind } }, lookups);
}

/** A list of a morph's ids of one type. */
function collectMorphIds(path: string, name: string, uid: string, lookups: Lookups): string {
  const ofType = { $filter: { input: listAt(`$$this.${name}`), as: 'link', cond: { $eq: ['$$link.__type', uid] } } };
  return collect(path, { $map: { input: ofType, as: 'link', in: '$$link.id' } }, lookups);
}

/** One list of the items that each document at `path` has; returns its path. */
function collect(path: string, items: Document, lookups: Lookups): string {
  const as = temporaryName(lookups);
  const all = { $reduce: { input: `$${path}`, initialValue: [], in: { $concatArrays: ['$$value', items] } } };
  lookups.stages.push({ $set: { [as]: all } });
  return as;
}

/**
 * The target's attribute that refers back: whether it is a list, and the collection of the parents that it leads to.
 */
function otherSide(attribute: AnyRelation): { readonly many: boolean; readonly parents: string } {
  const other = attribute.target.attributes.get(otherSideName(attribute));
  if (other?.kind !== 'morph' && other?.kind !== 'relation') throw new Error(`${attribute.name} has no other side`);
  const parents =
    other.kind === 'relation' ? other.target : other.candidates.get((attribute as MorphedAttribute).owner);
  return { many: other.many, parents: (parents as ContentType).collectionName };
}

/**
 * The order of the entries of `$$parent`: by the ranks of their links, which an index has if there is one each. The
 * other side of a list of morphs finds nothing, see `isUnreachable`.
 */
function byRank(attribute: AnyRelation): Pick<CompiledSort, 'routes' | 'stages'> {
  const link = otherSideName(attribute);
  const rank = rankPath(link);
  if (!otherSide(attribute).many) return { routes: [], stages: [{ $sort: { [rank]: 1, _id: 1 } }] };
  const position = { $indexOfArray: [listAt(`$${link}`), '$$parent'] };
  const set = { $set: { _position: { $arrayElemAt: [listAt(`$${rank}`), position] } } };
  return { routes: [], stages: [set, { $sort: { _position: 1, _id: 1 } }] };
}

/** The values at a path, one or several. */
const listAt = (path: string): Document => ({ $cond: [{ $isArray: path }, path, [path]] });

/**
 * The state of one compilation: the stages so far, the content types of the lists that they fetch, and the reads
 * before. All lists are fields of the one document that the page became, so the pipeline stays flat however deep the
 * query is.
 */
export interface Lookups extends TableStages {
  readonly before: IdQuery[];
  /** The lists of ids built for the inverse sides of relations, by the path of their entries. */
  readonly ids: Map<string, string>;
  /** Uids. */
  readonly lists: string[];
  /** See `MainRead`. */
  readonly united: Set<string>;
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

/**
 * One `$lookup` for all parents of the page, with the tables that its sort needs before it. Where working copies stand
 * for their entries another one finds these. Returns the name of the list.
 */
export function lookUp(query: RelatedQuery, related: Related, lookups: Lookups): string {
  const { type, match = [], sort = unsorted, extraFields = [], perParent } = related;
  const as = listName(lookups.lists.push(type.uid) - 1);
  const filter = query.filter === undefined ? [] : [{ $match: compileFilter(query.filter, lookups.before) }];
  const source = sourceOf(type, query.latest);
  const isUnited = source.copies !== undefined;
  const matching = [...filter, ...match];
  const tables = tablesOf(sort, { source, join: related.join, matching }, lookups);
  const merging = isUnited ? mergeSorted(sort) : unmerged;
  const fields = [...extraFields, ...merging.fields, ...(isUnited ? [CHANGES] : [])];
  const project = coversAllAttributes(query, type.attributes)
    ? []
    : [{ $project: compileProjection(query, ...fields) }];
  const narrowing = filterComponents(query, lookups.before);
  const slice = perParent === undefined ? [] : isUnited ? firstOf(perParent) : sliceOf(perParent);
  const branches = branchesOf(source).map(({ from, only }): Joined => {
    const pipeline = [...matching, ...only, ...sort.stages, ...slice, ...merging.stages, ...narrowing, ...project];
    // Without stages MongoDB has a faster path for lookups.
    return { from, ...related.join, ...(pipeline.length > 0 && { pipeline }) };
  });
  const variables = Object.keys(tables).length > 0 ? { let: tables } : {};
  if (perParent !== undefined) {
    const joined = ofEachParent(perParent, related.join, branches, merging);
    lookups.stages.push({ $lookup: { ...joined, ...variables, as } });
  } else {
    const lists = branches.map((_, index) => (index === 0 ? as : temporaryName(lookups)));
    for (const [index, branch] of branches.entries())
      lookups.stages.push({ $lookup: { ...branch, ...variables, as: lists[index] } });
    if (isUnited) lookups.stages.push({ $set: { [as]: merging.merge(concatLists(lists)) } });
  }
  if (isUnited) lookups.united.add(as);
  return as;
}

/** The `$lookup` of one collection, without its name. */
type Joined = Document & { readonly from: string };

/**
 * How the sorted lists of several collections become one: the stages that keep what they are sorted by, in these
 * fields.
 */
interface Merging {
  readonly stages: readonly Document[];
  readonly fields: readonly string[];
  readonly merge: (list: Document) => Document;
}

const unmerged: Merging = { stages: [], fields: [], merge: (list) => list };

function mergeSorted({ stages }: Pick<CompiledSort, 'stages'>): Merging {
  const order = Object.entries((stages.at(-1)?.['$sort'] ?? {}) as Readonly<Record<string, 1 | -1>>);
  if (order.length === 0) return unmerged;
  // A projection may omit what is sorted by, and cannot have a path and a part of it.
  const keys = order.map(([path, direction], index) => ({ path, direction, field: `_s${index}` }));
  const sortBy = Object.fromEntries(keys.map(({ field, direction }) => [field, direction]));
  return {
    stages: [{ $set: Object.fromEntries(keys.map(({ field, path }) => [field, `$${path}`])) }],
    fields: keys.map(({ field }) => field),
    merge: (input) => ({ $sortArray: { input, sortBy } }),
  };
}

const unsorted = { routes: [], stages: [] };

/**
 * Reads the parents once more, only their ids, and the slice of each in a lookup of its own, so that an index can end
 * it after the first entries, and others are dropped while they are sorted. Within it, `$$parent` is the id of the
 * parent.
 */
function ofEachParent(perParent: PerParent, join: Document, branches: readonly Joined[], { merge }: Merging): Document {
  const lists = branches.map((_, index) => (index === 0 ? 'entry' : `entry${index}`));
  const lookedUp = branches.map((branch, index) => ({
    $lookup: { ...branch, localField: '_id', let: { parent: '$_id' }, as: lists[index] },
  }));
  const slice = [Math.min(perParent.start, NO_LIMIT), Math.min(perParent.limit ?? NO_LIMIT, NO_LIMIT)];
  const merged = { $set: { entry: { $slice: [merge(concatLists(lists)), ...slice] } } };
  return {
    from: perParent.collection,
    localField: join['localField'] as string,
    foreignField: '_id',
    pipeline: [
      { $project: { _id: 1 } },
      ...lookedUp,
      ...(branches.length > 1 ? [merged] : []),
      { $unwind: '$entry' },
      { $replaceRoot: { newRoot: { $mergeObjects: ['$entry', { [PARENT]: '$_id' }] } } },
    ],
  };
}

const sliceOf = ({ start, limit }: PerParent): readonly Document[] => [
  ...(start > 0 ? [{ $skip: start }] : []),
  ...(limit === undefined ? [] : [{ $limit: limit }]),
];

/** As many as the slice can have of one collection. */
const firstOf = ({ start, limit }: PerParent): readonly Document[] =>
  limit === undefined ? [] : [{ $limit: start + limit }];

/** The tables for a sort: the targets are looked up before the sorted entries. */
function tablesOf(
  { routes }: Pick<CompiledSort, 'routes'>,
  { source, join, matching }: { source: EntrySource; join: Document; matching: readonly Document[] },
  lookups: Lookups,
): Document {
  if (routes.length === 0) return {};
  const ids = Object.fromEntries(routes.map((route, index) => [`ids${index}`, route.ids.value]));
  const lists = branchesOf(source).map(({ from, only }) => {
    const as = temporaryName(lookups);
    lookups.stages.push({ $lookup: { from, ...join, pipeline: [...matching, ...only, { $project: ids }], as } });
    return as;
  });
  const [as = ''] = lists;
  if (lists.length > 1) lookups.stages.push({ $set: { [as]: concatLists(lists) } });
  const sources = routes.map((_, index) => `${as}.ids${index}`);
  return makeTables(routes, sources, lookups);
}

/** The ids of the entries at a path. A page has at least one; other lists can be empty. */
function idsAt(path: string, lookups: Lookups): string {
  if (path === 'page') return 'page._id';
  const ids = lookups.ids.get(path) ?? idsOrNone(`${path}._id`, lookups);
  lookups.ids.set(path, ids);
  return ids;
}

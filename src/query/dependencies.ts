import {
  pathsOf,
  type AnyRelation,
  type Field,
  type Filter,
  type PopulateNode,
  type Query,
  type RelatedQuery,
  type Selection,
  type ValuePath,
} from './ast.js';
import { isLive } from './narrow.js';
import { isLocalized } from '../content-types/model/localized.js';
import type { ContentType } from '../content-types/model/types.js';
import { isUnique, isUniquePerLocale } from '../content-types/model/unique.js';

/**
 * What decides which entries a result contains, and in which order: by the uids of content types, the names of
 * attributes, or `all`. A list of articles sorted by their author's name depends on `author` and `id` of articles and
 * on `name` and `id` of authors. `id` stands for existence: with it, a new or deleted entry may change the result; if
 * it contains published entries only, `published` does, and `published fr` if it contains only those of one locale. A
 * result also depends on each entry that it contains, whose ids are kept beside these names (`EntryIds` in change.ts),
 * and on what it contains of them (`Contents`).
 */
export type Dependencies = ReadonlyMap<string, AttributeNames>;

export type AttributeNames = 'all' | ReadonlySet<string>;

/** Stands for the existence of entries, published or not. */
export const EXISTS = 'id';
/** Stands for the existence of published entries. */
export const PUBLISHED = 'published';
/**
 * Stands for the existence of entries of one locale; no attribute has a space. Some databases compare without regard to
 * case.
 */
export const inLocale = (existence: string, locale: string): string => `${existence} ${locale.toLowerCase()}`;
/** Stands for all values that are stored in an entry itself. */
export const VALUES = '*';

/** What a result contains of its entries. */
export interface Contents {
  /** Attributes by the uids of content types; of other types it contains all. */
  readonly shown: ReadonlyMap<string, AttributeNames>;
  readonly joins: readonly Join[];
}

/**
 * All entries of a type that have links to some entries of another type: a result with these does not depend on links
 * to others.
 */
export interface Join {
  readonly type: string;
  /** The attribute that stores the links. */
  readonly attribute: string;
  /** The uid of the other type. */
  readonly of: string;
  /** What stands for the existence of the entries: only published ones may be joined. */
  readonly existence: string;
  /** Of the entries of the other type; absent: those in the result. */
  readonly ids?: ReadonlySet<number>;
}

/**
 * More attributes count as all: where there are many, hardly any change is of others. Beside all values few relations
 * matter.
 */
const [MAX_SHOWN, MAX_WITH_VALUES] = [8, 4];

/** What the result of a query contains. */
export function contentsOf(query: Query): Contents {
  const shown = new Map<string, { readonly type: ContentType; readonly names: Set<string> }>();
  const joins: Join[] = [];
  const namesOf = (type: ContentType): Set<string> => {
    const ofType = shown.get(type.uid) ?? { type, names: new Set() };
    shown.set(type.uid, ofType);
    return ofType.names;
  };
  const addEntry = (type: ContentType, { fields, populate, availableLocales }: Selection): void => {
    const names = namesOf(type);
    const values = fields.map((field) => field.name);
    // Each write of an entry changes its `updatedAt`.
    for (const name of values.includes('updatedAt') || values.length > MAX_SHOWN ? [VALUES] : values) names.add(name);
    for (const node of populate) {
      names.add(node.attribute.name);
      const join = joinOf(type, node);
      if (join !== undefined) joins.push(join);
      if (join !== undefined && node.kind === 'relation') namesOf(node.attribute.target).add(join.attribute);
    }
    if (availableLocales !== undefined) names.add('localizations');
    addRelated(populate);
    if (typeof availableLocales === 'object') addRelated([availableLocales]);
  };
  const addRelated = (nodes: readonly PopulateNode[]): void => {
    for (const node of nodes) {
      if (node.kind === 'relation') addEntry(node.attribute.target, node.query.count ? numberOnly : node.query);
      else if (node.kind === 'morph') for (const [target, related] of node.on) addEntry(target, related);
      else if (node.kind === 'component') addRelated(node.selection.populate);
      else for (const selection of node.on.values()) addRelated(selection.populate);
    }
  };
  addEntry(query.type, query);
  for (const name of namesWithUnique(query) ?? []) namesOf(query.type).add(name);
  const linked = linkedIn(query);
  if (linked !== undefined) {
    namesOf(query.type).add(linked.join.attribute);
    joins.push(linked.join);
  }
  return { shown: new Map([...shown].map(([uid, { type, names }]) => [uid, summarize(type, names)])), joins };
}

/** `VALUES` stands for all attributes but relations, see `withValues`. */
function summarize({ attributes }: ContentType, names: ReadonlySet<string>): AttributeNames {
  const isNeeded = (name: string): boolean => name === VALUES || attributes.get(name)?.kind === 'relation';
  const needed = names.has(VALUES) ? new Set([...names].filter(isNeeded)) : names;
  return needed.size > (names.has(VALUES) ? MAX_WITH_VALUES : MAX_SHOWN) ? 'all' : needed;
}

const numberOnly: Selection = { fields: [], populate: [] };

/** The join that populates a relation with all entries of its other side; undefined: it does not. */
function joinOf({ uid: of }: ContentType, node: PopulateNode): Join | undefined {
  if (node.kind !== 'relation' || node.attribute.kind !== 'relation') return undefined;
  const { side, inverse: attribute, many, target } = node.attribute;
  const { start, limit, count, filter } = node.query;
  if (side !== 'inverse' || attribute === undefined || !many || count || start > 0 || limit !== undefined)
    return undefined;
  return { type: target.uid, attribute, of, existence: existenceIn(filter) };
}

/** What results that consist of several contain. */
export const uniteContents = (parts: readonly Contents[]): Contents => ({
  shown: uniteDependencies(parts.map(({ shown }) => shown)),
  joins: parts.flatMap(({ joins }) => joins),
});

/** Dependencies while they are collected. */
type Collected = Map<string, 'all' | Set<string>>;

/**
 * The dependencies of a list; isEntry: of the entry with an id, which is not in the filter and which no other entry can
 * replace.
 */
export function dependenciesOf(query: Query, isEntry = false): Dependencies {
  const collected = ofSource(query, isEntry ? [] : [existenceInList(query)]);
  addCopies(collected, query.type, query.latest);
  addList(collected, query.type, query);
  for (const path of query.aggregate === undefined ? [] : pathsOf(query.aggregate))
    addPath(collected, query.type, path);
  return collected;
}

/** What decides about a result with at least and less than so many entries of the type. */
export interface NarrowDependencies {
  readonly type: string;
  readonly least: number;
  readonly below: number;
  readonly dependencies: Dependencies;
}

/**
 * The dependencies of a list that are fewer if it has a number of entries:
 * 1. A list of entries with a unique value, as that of the page with a `slug`, if there is one: no other entry can
 *    replace it as long as it has the value, so they are those of this entry. (Where stored data violates the unique
 *    index, which the start reports, a second entry with the value may come later.)
 * 2. A list of entries with a link to one of these, as the articles of a category, if it has all of them: others come
 *    into it only by such a link (see `Join`), or by what its other conditions are about.
 */
export function narrowDependenciesOf(query: Query): NarrowDependencies | undefined {
  const { type, pagination, latest } = query;
  if (latest === true) return undefined;
  if (namesWithUnique(query) !== undefined) {
    const dependencies = dependenciesOf({ ...query, filter: undefined, sort: [] }, true);
    return { type: type.uid, least: 1, below: Number.POSITIVE_INFINITY, dependencies };
  }
  const linked = linkedIn(query);
  if (linked === undefined) return undefined;
  const ofOthers = dependenciesOf({ ...query, filter: { kind: 'and', filters: linked.others } }, true);
  const ofTarget = dependenciesOfCount({ type: linked.target, filter: linked.only });
  const dependencies = uniteDependencies([ofOthers, ofTarget]);
  return { type: type.uid, least: 0, below: pagination.limit, dependencies };
}

/** The first condition of a list that its entries have a link to one of some entries, and the other conditions. */
function linkedIn({ type, filter, componentPaths, pagination: { start, after = [] } }: Query): Linked | undefined {
  if (filter === undefined || componentPaths !== undefined || start > 0 || after.length > 0) return undefined;
  const conditions = conditionsIn(filter);
  for (const condition of conditions) {
    if (condition.kind !== 'related' || condition.filter.kind !== 'comparison') continue;
    const { attribute, only } = condition;
    const { field, operator, operands } = condition.filter;
    const ids = operands.filter((operand) => typeof operand === 'number');
    const isById = field.kind === 'id' && (operator === '$eq' || operator === '$in') && ids.length === operands.length;
    if (!isById || attribute.kind !== 'relation' || attribute.side !== 'owner') continue;
    const { name, target } = attribute;
    const existence = existenceIn(filter);
    return {
      join: { type: type.uid, attribute: name, of: target.uid, existence, ids: new Set(ids) },
      target,
      only,
      others: conditions.filter((other) => other !== condition),
    };
  }
  return undefined;
}

interface Linked {
  readonly join: Join;
  readonly target: ContentType;
  /** Other entries of it are ignored. */
  readonly only: Filter | undefined;
  readonly others: readonly Filter[];
}

/**
 * The attributes that a filter compares, if only one entry can match it: it compares a unique value, and all its
 * conditions are about values of the entry itself.
 */
function namesWithUnique({
  type,
  filter,
  componentPaths,
}: Pick<Query, 'type' | 'filter' | 'componentPaths'>): readonly string[] | undefined {
  if (filter === undefined || componentPaths !== undefined) return undefined;
  const names: string[] = [];
  const equals: Field[] = [];
  for (const condition of conditionsIn(filter)) {
    if (condition.kind === 'live') names.push('publishedAt');
    else if (condition.kind === 'comparison') {
      names.push(condition.field.name);
      if (condition.operator === '$eq') equals.push(condition.field);
    } else return undefined;
  }
  const mayMixLocales = isLocalized(type) && !equals.some(({ name }) => name === 'locale');
  const isOne = (field: Field): boolean =>
    field.kind === 'id' || (isUnique(field) && !(mayMixLocales && isUniquePerLocale(field, type)));
  return equals.some(isOne) ? names : undefined;
}

/** The conditions that all have to be true. */
const conditionsIn = (filter: Filter): readonly Filter[] =>
  filter.kind === 'and' ? filter.filters.flatMap(conditionsIn) : [filter];

/** What the number of entries that match a filter depends on, or of components at these paths. */
export function dependenciesOfCount({
  type,
  filter,
  componentPaths,
  latest,
}: Pick<Query, 'type' | 'filter' | 'componentPaths' | 'latest'>): Dependencies {
  const collected = ofSource({ type, componentPaths }, [existenceInList({ type, filter })]);
  addCopies(collected, type, latest);
  if (filter !== undefined) addFilter(collected, type, filter);
  return collected;
}

/** What a result that consists of several depends on. */
export function uniteDependencies(parts: readonly Dependencies[]): Dependencies {
  const united: Collected = new Map();
  for (const [uid, names] of parts.flatMap((part) => [...part])) {
    if (names === 'all') united.set(uid, names);
    else add(united, { uid }, [...names]);
  }
  return united;
}

/** What decides whether the entries that match a filter exist. */
const existenceIn = (filter: Filter | undefined): string => (isLive(filter) ? PUBLISHED : EXISTS);

/** As `existenceIn`, of one locale if the list has entries of no other one. */
function existenceInList({ type, filter }: Pick<Query, 'type' | 'filter'>): string {
  const existence = existenceIn(filter);
  if (filter === undefined || !isLocalized(type)) return existence;
  for (const condition of conditionsIn(filter)) {
    if (condition.kind !== 'comparison' || condition.field.name !== 'locale' || condition.operator !== '$eq') continue;
    const [locale] = condition.operands;
    if (typeof locale === 'string' && /^[\w-]+$/.test(locale)) return inLocale(existence, locale);
  }
  return existence;
}

/** What decides about entries by these attributes, or about the components at some paths. */
function ofSource({ type, componentPaths = [] }: Source, names: readonly string[]): Collected {
  const collected: Collected = new Map();
  for (const path of componentPaths) addAll(collected, path.type);
  if (componentPaths.length === 0) add(collected, type, names);
  return collected;
}

interface Source {
  readonly type: ContentType;
  readonly componentPaths?: Query['componentPaths'] | undefined;
}

function add(collected: Collected, { uid }: Pick<ContentType, 'uid'>, names: readonly string[]): void {
  const before = collected.get(uid);
  if (before !== 'all') collected.set(uid, new Set([...(before ?? []), ...names]));
}

const addAll = (collected: Collected, { uid }: ContentType): void => void collected.set(uid, 'all');

/** The latest state of entries depends on all of their working copies. */
function addCopies(collected: Collected, { copies }: ContentType, latest: boolean | undefined): void {
  if (latest === true && copies !== undefined) addAll(collected, copies);
}

type List = Selection & Pick<RelatedQuery, 'filter' | 'sort'>;

/**
 * The filter, the sort and the populated entries of a list.
 * @param root the attribute of `type` that contains the list, if that is one of components
 */
function addList(collected: Collected, type: ContentType, list: List, root?: string): void {
  if (list.filter !== undefined) addFilter(collected, type, list.filter, root);
  for (const key of list.sort) addPath(collected, type, key, root);
  for (const node of list.populate) addNode(collected, type, node, root);
  const { availableLocales } = list;
  if (typeof availableLocales === 'object') addNode(collected, type, availableLocales, root);
}

function addNode(collected: Collected, type: ContentType, node: PopulateNode, root?: string): void {
  switch (node.kind) {
    case 'relation':
      // The entry itself contains the ids of its own side.
      if (
        (node.attribute.kind === 'morphed' || node.attribute.side === 'inverse') &&
        (root !== undefined || joinOf(type, node) === undefined)
      )
        addJoin(collected, type, node.attribute, undefined, node.query.filter);
      return addRelated(collected, node.attribute.target, node.query);
    case 'morph':
      for (const [target, query] of node.on) addRelated(collected, target, query);
      return;
    case 'component':
      return addList(collected, type, node.selection, root ?? node.attribute.name);
    case 'zone':
      for (const selection of node.on.values()) addList(collected, type, selection, root ?? node.attribute.name);
      return;
    default:
      node satisfies never;
  }
}

function addRelated(collected: Collected, target: ContentType, query: RelatedQuery): void {
  addCopies(collected, target, query.latest);
  add(collected, target, query.count ? [existenceIn(query.filter)] : []);
  addList(collected, target, query);
}

/**
 * The links of a relation: entries that store them contain the ids of the others.
 * @param filter of the related entries
 */
function addJoin(
  collected: Collected,
  type: ContentType,
  attribute: AnyRelation,
  root?: string,
  filter?: Filter,
): void {
  if (attribute.kind === 'morphed') addAll(collected, attribute.target);
  else if (attribute.side === 'owner') add(collected, type, [root ?? attribute.name]);
  else add(collected, attribute.target, [existenceIn(filter), attribute.inverse ?? EXISTS]);
}

function addPath(
  collected: Collected,
  type: ContentType,
  { through, field, only, latest }: ValuePath,
  root?: string,
): void {
  let [at, name] = [type, root];
  for (const step of through) {
    if (step.kind === 'component') name ??= step.name;
    else {
      addJoin(collected, at, step, name);
      [at, name] = [step.target, undefined];
      add(collected, at, [EXISTS]);
      addCopies(collected, at, latest?.has(at));
    }
  }
  add(collected, at, [name ?? field.name]);
  for (const [target, filter] of only ?? []) addFilter(collected, target, filter);
}

/** @param root the attribute of `type` whose components the filter is about */
function addFilter(collected: Collected, type: ContentType, filter: Filter, root?: string): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const part of filter.filters) addFilter(collected, type, part, root);
      return;
    case 'not':
    case 'except':
      return addFilter(collected, type, filter.filter, root);
    case 'comparison':
      return add(collected, type, [root ?? filter.field.name]);
    case 'search':
      return add(
        collected,
        type,
        filter.fields.map(({ name }) => root ?? name),
      );
    case 'live':
      return add(collected, type, ['publishedAt']);
    case 'copied':
      add(collected, type, ['publishedAt']);
      return addCopies(collected, type, true);
    case 'component':
    case 'zone':
      return addFilter(collected, type, filter.filter, root ?? filter.attribute.name);
    case 'related': {
      const { attribute, only } = filter;
      addJoin(collected, type, attribute, root);
      add(collected, attribute.target, [EXISTS]);
      addCopies(collected, attribute.target, filter.latest);
      addFilter(collected, attribute.target, filter.filter);
      if (only !== undefined) addFilter(collected, attribute.target, only);
      return;
    }
    case 'fallback':
      if (filter.visible !== undefined) addFilter(collected, type, filter.visible);
      addCopies(collected, type, filter.latest);
      return addAll(collected, type);
    case 'refers':
      return addAll(collected, type);
    case 'never':
      return;
    default:
      filter satisfies never;
  }
}

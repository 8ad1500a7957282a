import { MaxKey, type Document } from 'mongodb';
import { bounds } from '../../../config/bounds.js';
import { AppError } from '../../../errors/app-error.js';
import type { ComponentNode, ComponentSelection, Filter, RelatedQuery, SortKey } from '../../../query/ast.js';
import type { Dialect } from '../../../content-types/model/dialects.js';
import { compileFilter } from '../filter/filter.js';
import type { IdQuery } from '../filter/semi-join.js';
import type { ComponentSort, Slice } from '../plan.js';
import { branchesOf, sourceOf, type EntrySource } from './branches.js';
import { isLive } from '../../../query/narrow.js';
import type { ComponentAttribute, RelationAttribute } from '../../../content-types/model/types.js';

/** `stages` end with the `$sort`. */
export interface CompiledSort {
  /** The paths of keys through relations, whose tables the stages read; see `makeTables`. */
  readonly routes: readonly SortRoute[];
  readonly stages: readonly Document[];
  /** The fields that the stages added. */
  readonly temporary: readonly string[];
  /** The sort keys, in this order. */
  readonly order: ReadonlyMap<string, 1 | -1>;
  /** The field of each sort key. */
  readonly paths: readonly string[];
  /**
   * Where missing values are in ascending order. Those of fields that the stages added are `HIGHEST` if they are last.
   */
  readonly nulls: Dialect['nulls'];
  /**
   * The stored field whose missing values are read by a command of their own, because the database has them first; see
   * `rangesOf`.
   */
  readonly separateNullPath?: string;
}

/** The value of a key without one, where missing values come after all others: the database has nothing higher. */
export const HIGHEST = new MaxKey();

/**
 * Compiles a sort. The targets of relations on the path must be in tables before it. Of a list the lowest value is
 * used, or the highest in a descending sort. Equal entries are ordered by id.
 * @param before receives the reads that must run first
 * @param nullsAreSeparate missing values of the first key may be read by a command of their own, so that an index
 * serves the sort
 * @throws AppError tooCostly
 */
export function compileSort(
  { sort: keys, filter }: Pick<RelatedQuery, 'sort' | 'filter'>,
  before: IdQuery[],
  { nulls }: Pick<Dialect, 'nulls'>,
  nullsAreSeparate = false,
): CompiledSort {
  const order = new Map<string, 1 | -1>();
  const paths: string[] = [];
  const routes: SortRoute[] = [];
  const ends: Document = {};
  const separateNullPath = nulls === 'last' && nullsAreSeparate ? findSeparateNullPath(keys, filter) : undefined;
  for (const key of keys) {
    const route = routeOf(key, (filter) => compileFilter(filter, before));
    const given = route === undefined ? (placeOf(key) ?? listValue(key)) : keyOf(route, routes.length);
    const isMoved =
      nulls === 'last' && isNullable(key, filter) && (given !== undefined || pathOf(key) !== separateNullPath);
    const value = isMoved ? { $ifNull: [given ?? `$${pathOf(key)}`, HIGHEST] } : given;
    if (route !== undefined) routes.push(route);
    const path = value === undefined ? pathOf(key) : `_k${Object.keys(ends).length}`;
    if (value !== undefined) ends[path] = value;
    paths.push(path);
    if (!order.has(path)) order.set(path, key.direction === 'ascending' ? 1 : -1);
  }
  const { sortKeys, sortRelations } = bounds;
  if (order.size > sortKeys) throw new AppError('tooCostly', 'sort keys', sortKeys);
  if (relationsIn(keys) > sortRelations) throw new AppError('tooCostly', 'relations in sort keys', sortRelations);
  if (!order.has('_id')) order.set('_id', 1);
  const set = Object.keys(ends).length > 0 ? [{ $set: ends }] : [];
  const stages = [...set, { $sort: Object.fromEntries(order) }];
  const temporary = Object.keys(ends);
  return {
    routes,
    stages,
    temporary,
    order,
    paths,
    nulls,
    ...(separateNullPath !== undefined && { separateNullPath }),
  };
}

/** The path of the first key, if it is stored in the entry and the only one that can be missing. */
function findSeparateNullPath(keys: readonly SortKey[], filter: Filter | undefined): string | undefined {
  const [first, ...further] = keys;
  if (first === undefined || !isNullable(first, filter)) return undefined;
  if (further.some((key) => isNullable(key, filter))) return undefined;
  const isStored = first.through.every((step) => step.kind === 'component' && !step.repeatable);
  return isStored ? pathOf(first) : undefined;
}

/** Set in every entry. */
const always: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt']);

/** Whether some entry that matches the filter may have no value. */
function isNullable({ through, field, among }: SortKey, filter: Filter | undefined): boolean {
  if (among !== undefined) return false;
  return through.length > 0 || !(always.has(field.name) || (field.name === 'publishedAt' && isLive(filter)));
}

/** The number of relations on the paths of sort keys; a common start of several keys counts once. */
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

const placeOf = (key: SortKey): unknown => key.among && { $indexOfArray: [{ $literal: key.among }, `$${pathOf(key)}`] };

/**
 * The value of a list of components to sort by, because MongoDB sorts by at most one list. Undefined if there is none.
 */
function listValue({ through: path, field, direction }: SortKey): unknown {
  const components = path.filter((step) => step.kind === 'component');
  const { value, list } = valueAt(components, field.name, false);
  return list ? { [direction === 'ascending' ? '$min' : '$max']: value } : undefined;
}

/**
 * The sort keys of a list of components, within each component.
 * @throws AppError invalidParameter for values outside of them
 */
export const sortWithin = ({ attribute, selection }: ComponentNode): readonly ComponentSort[] =>
  attribute.repeatable ? selection.sort.map(keyWithin) : [];

/**
 * The sort keys of the components of one type in a zone, within each component; they apply if the components are
 * limited.
 */
export const sortInZone = ({ sort, ...slice }: ComponentSelection): readonly ComponentSort[] =>
  isCut(slice) ? sort.map(keyWithin) : [];

const keyWithin = (key: SortKey): ComponentSort => ({
  path: pathWithin(key),
  descending: key.direction === 'descending',
  ...rulesOf(key),
});

/** An id is a number, and never missing. */
const rulesOf = ({ field }: SortKey): Pick<ComponentSort, 'nulls' | 'collation'> =>
  field.kind === 'id'
    ? { nulls: 'first', collation: undefined }
    : { nulls: field.dialect.nulls, collation: field.dialect.collation };

/** Whether a slice omits anything. */
export const isCut = ({ start, limit }: Slice): boolean => start > 0 || limit !== undefined;

function pathWithin({ through: path, field }: SortKey): readonly string[] {
  const outside = path.find((step) => step.kind === 'relation' || step.repeatable);
  if (outside !== undefined) throw new AppError('invalidParameter', outside.name);
  return [...path, field].map(({ name }) => name);
}

/** The field for the cursor of an entry: the values of its sort keys and its id. */
export const CURSOR = '_after';

/** The stages that sort, including the cursor condition if it needs computed values. */
export function sortAfter(
  { stages, temporary, order }: CompiledSort,
  after: Document | undefined,
): { readonly stages: readonly Document[]; readonly filter: Document | undefined } {
  const computed = temporary.some((name) => order.has(name));
  if (after === undefined || !computed) return { stages, filter: after };
  return { stages: [...stages.slice(0, -1), { $match: after }, ...stages.slice(-1)], filter: undefined };
}

/** Adds the cursor to each entry before the projection. */
export function projectCursor(
  { paths }: CompiledSort,
  narrowing: readonly Document[],
  projection: Document,
): readonly Document[] {
  const cursor = [...paths, '_id'].map((path) => `$${path}`);
  if (narrowing.length === 0) return [{ $project: { ...projection, [CURSOR]: cursor } }];
  return [{ $set: { [CURSOR]: cursor } }, ...narrowing, { $project: { ...projection, [CURSOR]: 1 } }];
}

/** Uses the lowest of several values, or the highest in a descending sort. */
type Extreme = '$min' | '$max';

/**
 * One relation on the path of a sort key, with the field of its targets: the ids for the next relation, or the value.
 */
interface Step extends EntrySource {
  readonly foreignField: string;
  readonly stored: EntryValue;
  /** The condition for targets that are not ignored. */
  readonly match: Document | undefined;
}

/** A value in an entry; several in a list. */
interface EntryValue {
  readonly value: unknown;
  readonly list: boolean;
}

/** The path of a sort key through relations: from the ids in an entry to the value. */
export interface SortRoute {
  readonly ids: EntryValue;
  readonly steps: readonly Step[];
  readonly extreme: Extreme;
}

/** Collects the stages that build tables: all tables are fields of one document. */
export interface TableStages {
  readonly stages: Document[];
  /** The fields that are dropped at the end. */
  readonly temporary: string[];
}

/**
 * The path of a key; undefined if it goes through no relation.
 * @param compile a condition on targets
 */
function routeOf(
  { through: path, field, direction, only, latest }: SortKey,
  compile: (filter: Filter) => Document,
): SortRoute | undefined {
  const steps: { readonly relation: RelationAttribute; readonly before: readonly ComponentAttribute[] }[] = [];
  let components: ComponentAttribute[] = [];
  for (const step of path) {
    if (step.kind === 'component') {
      components.push(step);
      continue;
    }
    steps.push({ relation: step, before: components });
    components = [];
  }
  const [first] = steps;
  if (first === undefined) return undefined;
  const name = field.kind === 'id' && components.length === 0 ? '_id' : field.name;
  return {
    ids: idsIn(first.relation, first.before),
    steps: steps.map(({ relation }, index) => {
      const next = steps[index + 1];
      const condition = only?.get(relation.target);
      return {
        ...sourceOf(relation.target, latest?.has(relation.target)),
        foreignField: relation.side === 'owner' ? '_id' : (relation.inverse ?? ''),
        stored: next === undefined ? valueAt(components, name, false) : idsIn(next.relation, next.before),
        match: condition && compile(condition),
      };
    }),
    extreme: direction === 'ascending' ? '$min' : '$max',
  };
}

const idsIn = ({ side, name, many }: RelationAttribute, components: readonly ComponentAttribute[]): EntryValue =>
  side === 'owner' ? valueAt(components, name, many) : valueAt([], '_id', false);

/** The values at the end of a path through components; nested lists are flattened. */
export function valueAt(components: readonly ComponentAttribute[], name: string, many: boolean): EntryValue {
  const path = `$${[...components.map((component) => component.name), name].join('.')}`;
  const lists = components.filter(({ repeatable }) => repeatable).length + (many ? 1 : 0);
  const value = Array.from({ length: Math.max(lists - 1, 0) }).reduce<unknown>(
    (input) => ({ $reduce: { input, initialValue: [], in: { $concatArrays: ['$$value', '$$this'] } } }),
    path,
  );
  return { value, list: lists > 0 };
}

/** The names of the variables for the table of a path: the ids of targets, and the key of each. */
const variables = (route: number) => ({ ids: `ids${route}`, keys: `keys${route}` });

/** The key of an entry from the table of its path. */
export const keyOf = ({ ids, extreme }: SortRoute, route: number): unknown => keyIn(ids, variables(route), extreme);

/**
 * The key that a table has for a stored id, or null. Because variables of a `$lookup` are constants within it,
 * the database uses a hash lookup in the list of ids.
 */
function keyIn({ value, list }: EntryValue, { ids, keys }: ReturnType<typeof variables>, extreme: Extreme): unknown {
  // A missing id has the index -1, the last element.
  const find = (id: unknown): unknown => ({ $arrayElemAt: [`$$${keys}`, { $indexOfArray: [`$$${ids}`, id] }] });
  return list ? { [extreme]: { $map: { input: { $ifNull: [value, []] }, in: find('$$this') } } } : find(value);
}

/**
 * Adds the stages that build the tables of a sort: each target is looked up once, however many entries refer to it.
 * @param sources the lists of ids in the entries, by path
 * @returns the variables for the `$lookup` whose entries are sorted
 */
export function makeTables(routes: readonly SortRoute[], sources: readonly string[], to: TableStages): Document {
  const tables = routes.map((route, index) => {
    const table = makeTable(route, sources[index] ?? '', to);
    const { ids, keys } = variables(index);
    return { [ids]: `$${table}._id`, [keys]: keysOf(table) };
  });
  return Object.assign({}, ...tables) as Document;
}

/** The keys of a table, with null at the end for a missing id. Added here once, not for each entry. */
const keysOf = (table: string): Document => ({ $concatArrays: [`$${table}.key`, [null]] });

/** The targets are found from the first relation to the last, their keys from the last to the first. */
function makeTable({ steps, extreme }: SortRoute, source: string, to: TableStages): string {
  const local = [source];
  for (const [index, { stored, ...step }] of steps.slice(0, -1).entries()) {
    const joinsById = steps[index + 1]?.foreignField !== '_id';
    const targets = lookUpTable(
      step,
      local[index] ?? '',
      [{ $project: joinsById ? { _id: 1 } : { ids: stored.value } }],
      { above: {}, extreme, to },
    );
    local.push(joinsById ? idsOrNone(`${targets}._id`, to) : `${targets}.ids`);
  }
  let table = '';
  for (const [index, { stored, ...step }] of [...steps.entries()].toReversed()) {
    const last = index === steps.length - 1;
    const key = last ? extremeOf(stored, extreme) : keyIn(stored, { ids: 'ids', keys: 'keys' }, extreme);
    const above = last ? {} : { let: { ids: `$${table}._id`, keys: keysOf(table) } };
    table = lookUpTable(step, local[index] ?? '', rowsOf(step.foreignField, key, extreme), { above, extreme, to });
  }
  return table;
}

/** Missing values are null, so that the lists of ids and keys have the same length. */
const extremeOf = ({ value, list }: EntryValue, extreme: Extreme): unknown =>
  list ? { [extreme]: value } : { $ifNull: [value, null] };

/** One row per id in entries with its key; several targets can hold the id of one entry. */
const rowsOf = (foreignField: string, key: unknown, extreme: Extreme): readonly Document[] =>
  foreignField === '_id'
    ? [{ $project: { key } }]
    : [
        { $project: { holds: `$${foreignField}`, key } },
        { $unwind: '$holds' },
        { $group: { _id: '$holds', key: { [extreme]: '$key' } } },
      ];

function lookUpTable(
  { foreignField, match, ...source }: Omit<Step, 'stored'>,
  localField: string,
  rows: readonly Document[],
  { above, extreme, to }: { readonly above: Document; readonly extreme: Extreme; readonly to: TableStages },
): string {
  const conditions = match === undefined ? [] : [{ $match: match }];
  const [table = '', ofCopies] = branchesOf(source).map(({ from, only }) => {
    const as = temporaryName(to);
    const pipeline = [...conditions, ...only, ...rows];
    to.stages.push({ $lookup: { from, localField, foreignField, ...above, pipeline, as } });
    return as;
  });
  if (ofCopies === undefined) return table;
  const isGrouped = rows.some((stage) => '$group' in stage);
  to.stages.push({
    $set: { [table]: isGrouped ? mergeRows([table, ofCopies], extreme) : concatLists([table, ofCopies]) },
  });
  return table;
}

/** One list of the elements of several. */
export const concatLists = (lists: readonly string[]): Document => ({ $concatArrays: lists.map((list) => `$${list}`) });

/** The rows of several tables by their ids, each with the lowest or highest of its keys. */
const mergeRows = (tables: readonly string[], extreme: Extreme): Document => ({
  $map: {
    // An id that is in several has the same row twice.
    input: concatLists(tables.map((table) => `${table}._id`)),
    as: 'id',
    in: {
      _id: '$$id',
      key: {
        [extreme]: tables.map((table) => ({
          $arrayElemAt: [keysOf(table), { $indexOfArray: [`$${table}._id`, '$$id'] }],
        })),
      },
    },
  },
});

/** A name for another temporary field. */
export function temporaryName({ temporary }: TableStages): string {
  const name = `l${temporary.length}`;
  temporary.push(name);
  return name;
}

/** Not an id of any type: it equals no stored id. */
const NO_ID = 'none';

/**
 * Builds a list of the ids at a path that is never empty. For a `$lookup` an empty list is null, which equals every
 * empty relation: it would read all entries without a target.
 * https://www.mongodb.com/docs/manual/reference/operator/aggregation/lookup/
 */
export function idsOrNone(path: string, to: TableStages): string {
  const as = temporaryName(to);
  to.stages.push({ $set: { [as]: { $concatArrays: [`$${path}`, [NO_ID]] } } });
  return as;
}

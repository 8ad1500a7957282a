import type { Document } from 'mongodb';
import type { ComponentAttribute, RelationAttribute } from '../../../content-types/model/types.js';
import type { Filter, ValuePath } from '../../../query/ast.js';
import { branchesOf, sourceOf, type EntrySource } from '../read/branches.js';
import { concatLists, idsOrNone, temporaryName, valueAt, type TableStages } from '../read/sort.js';
import { orNull, type Expression } from './values.js';

/** A value of a row: `name` is its field, and `value` makes it of what is stored. */
export interface Leaf {
  readonly name: string;
  readonly path: string;
  readonly value: (stored: Expression) => Expression;
}

/**
 * What is read of entries or components, as a tree: keys that go through the same list share the level below it. Each
 * combination of one element of every list is a row, as in a join; of an empty list the element is one of nulls.
 */
export interface Level {
  readonly leaves: Leaf[];
  /** Below lists of components, by their paths. */
  readonly lists: Map<string, Level>;
  /** Below relations, by their paths. */
  readonly links: Map<string, Link>;
}

/** A relation, and what is read behind it. */
export interface Link extends EntrySource {
  readonly attribute: RelationAttribute;
  /** The path of the ids in a component, or in the entry. */
  readonly path: string;
  /** The ids in the entry that holds them, of which some may be in lists of components. */
  readonly ids: Expression;
  /** Where the entries behind it have these ids. */
  readonly foreignField: string;
  /** The condition for those that are not ignored. */
  readonly match: Document | undefined;
  readonly level: Level;
}

export const emptyLevel = (): Level => ({ leaves: [], lists: new Map(), links: new Map() });

/** @param compile a condition on entries behind relations */
export function addPath(
  root: Level,
  value: ValuePath,
  leaf: Omit<Leaf, 'path'>,
  compile: (filter: Filter) => Document,
): void {
  let [level, prefix] = [root, ''];
  /** On the way from the last entry. */
  let components: ComponentAttribute[] = [];
  for (const step of value.through) {
    const path = prefix + step.name;
    if (step.kind === 'component') {
      components.push(step);
      if (step.repeatable) {
        const below = level.lists.get(path) ?? emptyLevel();
        level.lists.set(path, below);
        [level, prefix] = [below, ''];
      } else prefix = `${path}.`;
      continue;
    }
    const link = level.links.get(path) ?? linkOf(step, { path, components }, value, compile);
    level.links.set(path, link);
    [level, prefix, components] = [link.level, '', []];
  }
  const { field } = value;
  const name = field.kind === 'id' && components.length === 0 ? '_id' : field.name;
  level.leaves.push({ ...leaf, path: prefix + name });
}

function linkOf(
  attribute: RelationAttribute,
  { path, components }: { readonly path: string; readonly components: readonly ComponentAttribute[] },
  { only, latest }: ValuePath,
  compile: (filter: Filter) => Document,
): Link {
  const { target, side, name, many, inverse = '' } = attribute;
  const condition = only?.get(target);
  const isOwner = side === 'owner';
  return {
    ...sourceOf(target, latest?.has(target)),
    attribute,
    path: isOwner ? path : '_id',
    ids: isOwner ? valueAt(components, name, many).value : '$_id',
    foreignField: isOwner ? '_id' : inverse,
    match: condition && compile(condition),
    level: emptyLevel(),
  };
}

/** The relations that the entries of a level hold, in their components too. */
export const linksIn = ({ lists, links }: Level): readonly Link[] => [
  ...links.values(),
  ...[...lists.values()].flatMap(linksIn),
];

/** Of all its rows. */
export const leavesBelow = ({ leaves, lists, links }: Level): readonly Leaf[] => [
  ...leaves,
  ...[...lists.values()].flatMap(leavesBelow),
  ...[...links.values()].flatMap(({ level }) => leavesBelow(level)),
];

/** The other side is found by the id of the entry itself. */
const isIdList = ({ attribute: { side, many } }: Link): boolean => side === 'owner' && many;

/**
 * The names of the tables of a relation: rows by the ids that lead to them. One of entries, and one of working copies.
 */
export type Tables = ReadonlyMap<Link, readonly string[]>;

/** The variables by which the stages of a lookup read tables: constants, so that the database finds ids by a hash. */
export const variablesOf = (tables: Tables): Document =>
  Object.fromEntries(
    [...tables.values()].flat().flatMap((table) => [
      [`${table}ids`, `$${table}._id`],
      // For an id that it does not have.
      [`${table}rows`, { $concatArrays: [`$${table}.rows`, [[]]] }],
    ]),
  );

const rowsFor = (table: string, id: Expression): Document => ({
  $arrayElemAt: [`$$${table}rows`, { $indexOfArray: [`$$${table}ids`, id] }],
});

/** The rows of one entry that are in memory together, at most: most of them are in groups of their own. */
const MAX_ROWS = 100_000;

/** The code of the database's error if there are more: a range has a step of zero, which nothing else here has. */
export const TOO_MANY_ROWS = 34_449;

/** The rows, unless there are too many: then the command fails before the database makes them. */
const orRefuse = (count: Expression, rows: Expression): Document => ({
  $let: {
    vars: { count },
    in: {
      $cond: [
        { $lte: ['$$count', MAX_ROWS] },
        rows,
        // No expression fails by itself.
        { $range: [0, 1, { $multiply: ['$$count', 0] }] },
      ],
    },
  },
});

/** One list of the rows that each element of a list has, where these can be several. */
const joinRows = (input: Expression, as: string, each: Expression): Document => ({
  $let: {
    vars: { lists: { $map: { input, as, in: each } } },
    in: orRefuse(
      { $sum: { $map: { input: '$$lists', as: 'list', in: { $size: '$$list' } } } },
      flatMap('$$lists', 'list', '$$list'),
    ),
  },
});

/** One list of what each element of a list has. */
const flatMap = (input: Expression, as: string, each: Expression): Document => ({
  $reduce: {
    input: { $map: { input, as, in: each } },
    initialValue: [],
    in: { $concatArrays: ['$$value', '$$this'] },
  },
});

/** Whether an entry or component can have several rows. */
const hasSeveral = ({ lists, links }: Level): boolean =>
  lists.size > 0 || [...links.values()].some((link) => link.attribute.many || hasSeveral(link.level));

/** Each row once. */
export const distinctRows = (rows: Expression): Expression =>
  Array.isArray(rows) && rows.length === 1 ? rows : { $setUnion: [rows, []] };

/** A row of nulls. */
const nullRow = (level: Level): Document => Object.fromEntries(leavesBelow(level).map(({ name }) => [name, null]));

/** The rows below a list or a relation; one of nulls, and what it has besides, if there are none. */
export const orNullRow = (rows: Expression, level: Level, besides: Document = {}): Document => ({
  $let: { vars: { rows }, in: { $cond: [{ $eq: ['$$rows', []] }, [{ ...nullRow(level), ...besides }], '$$rows'] } },
});

/** The values of a level that are in its documents themselves. */
export const ownValues = ({ leaves }: Level, at: string): Document =>
  Object.fromEntries(leaves.map(({ name, path, value }) => [name, orNull(value(`${at}${path}`))]));

/**
 * The rows of a document, as a list.
 * @param at the beginning of its paths: `$`, or a variable with a point
 */
export function rowsOf(level: Level, at: string, tables: Tables): Expression {
  const depth = at.length;
  const below = [
    ...[...level.lists].map(([path, list]) => {
      const each = `c${depth}`;
      const join = hasSeveral(list) ? joinRows : flatMap;
      const rows = join({ $ifNull: [at + path, []] }, each, rowsOf(list, `$$${each}.`, tables));
      return orNullRow(rows, list);
    }),
    ...[...level.links.values()].map((link) =>
      orNullRow(rowsBehind(at + link.path, isIdList(link), link.level, tables.get(link)), link.level),
    ),
  ];
  return product(
    level.leaves.length === 0 && below.length > 0 ? undefined : ownValues(level, at),
    below,
    String(depth),
  );
}

/**
 * Every combination of one row of each list, as one row.
 * @param own values of all of them
 * @param scope tells its variables from those of others around it
 */
export function product(own: Document | undefined, lists: readonly Expression[], scope: string): Expression {
  const [first, ...others] = lists;
  if (first === undefined) return [own ?? {}];
  const join = (rows: Expression, to: Expression): Document => ({
    $map: { input: rows, as: `j${scope}`, in: { $mergeObjects: [to, `$$j${scope}`] } },
  });
  const withOwn = (rows: Expression): Expression => (own === undefined ? rows : join(rows, own));
  if (others.length === 0) return withOwn(first);
  const names = lists.map((_, index) => `l${scope}x${index}`);
  const [one, ...more] = names.map((name) => `$$${name}`);
  const rows = more.reduce((joined: Expression, list, index) => {
    const row = `r${scope}x${index}`;
    return flatMap(joined, row, join(list, `$$${row}`));
  }, withOwn(one));
  const count = { $multiply: names.map((name) => ({ $size: `$$${name}` })) };
  return {
    $let: { vars: Object.fromEntries(names.map((name, index) => [name, lists[index]])), in: orRefuse(count, rows) },
  };
}

/**
 * The rows that ids lead to, out of the tables of a relation.
 * @param ids the expression of one id, or with `isList` of several
 */
export function rowsBehind(ids: Expression, isList: boolean, level: Level, tables: readonly string[] = []): Expression {
  const join = hasSeveral(level) ? joinRows : flatMap;
  const parts = tables.map((table) =>
    isList ? join({ $ifNull: [ids, []] }, 'id', rowsFor(table, '$$id')) : rowsFor(table, ids),
  );
  return parts.length === 1 ? parts[0] : { $concatArrays: parts };
}

/**
 * Adds the stages that build the tables of relations, and of those behind them: each entry is looked up once, however
 * many lead to it.
 * @param sources the lists of ids, in the one document that the stages are for
 */
export function makeRowTables(
  links: readonly Link[],
  sources: readonly string[],
  to: TableStages,
  isSet: boolean,
): Tables {
  const made = new Map<Link, readonly string[]>();
  for (const [index, link] of links.entries()) {
    const source = sources[index] ?? '';
    const below = linksIn(link.level);
    const ids = below.length === 0 ? [] : idsBehind(link, below, source, to);
    const inner = makeRowTables(below, ids, to, isSet);
    made.set(link, lookUpRows(link, source, inner, to, isSet));
  }
  return made;
}

/** The lists of ids that the entries behind a relation hold for the next ones. */
function idsBehind(link: Link, below: readonly Link[], source: string, to: TableStages): readonly string[] {
  const project = { $project: Object.fromEntries(below.map(({ ids }, index) => [`d${index}`, ids])) };
  const targets = lookUpAll(link, source, [project], {}, to);
  const [first = ''] = targets;
  if (targets.length > 1) to.stages.push({ $set: { [first]: concatLists(targets) } });
  return below.map(({ foreignField }, index) => {
    const path = `${first}.d${index}`;
    return foreignField === '_id' ? path : idsOrNone(path, to);
  });
}

function lookUpRows(link: Link, source: string, inner: Tables, to: TableStages, isSet: boolean): readonly string[] {
  const { level, foreignField } = link;
  const rows = rowsOf(level, '$', inner);
  const distinct = (list: Expression): Expression => (isSet ? distinctRows(list) : list);
  const stages =
    foreignField === '_id'
      ? [{ $project: { rows: distinct(rows) } }]
      : [
          { $project: { holds: `$${foreignField}`, rows } },
          { $unwind: '$holds' },
          { $unwind: '$rows' },
          { $group: { _id: '$holds', rows: { [isSet ? '$addToSet' : '$push']: '$rows' } } },
        ];
  return lookUpAll(link, source, stages, variablesOf(inner), to);
}

/** A `$lookup` in each collection that has some of the entries. */
const lookUpAll = (
  { foreignField, match, collection, copies }: Link,
  localField: string,
  stages: readonly Document[],
  variables: Document,
  to: TableStages,
): readonly string[] =>
  branchesOf({ collection, copies }).map(({ from, only }) => {
    const as = temporaryName(to);
    const pipeline = [...(match === undefined ? [] : [{ $match: match }]), ...only, ...stages];
    const lets = Object.keys(variables).length > 0 ? { let: variables } : {};
    to.stages.push({ $lookup: { from, localField, foreignField, ...lets, pipeline, as } });
    return as;
  });

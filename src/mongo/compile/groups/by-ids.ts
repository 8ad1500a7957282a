import type { Document } from 'mongodb';
import { COUNT, measureField } from '../../../query/ast.js';
import type { TableStages } from '../read/sort.js';
import { accumulate, accumulateAgain } from './accumulators.js';
import {
  addMeasure,
  assign,
  FIRST,
  keepFirst,
  keysFrom,
  levelOfKeys,
  matching,
  needsFirst,
  type Column,
  type Grouping,
} from './grouping.js';
import {
  distinctRows,
  leavesBelow,
  linksIn,
  makeRowTables,
  orNullRow,
  ownValues,
  product,
  rowsBehind,
  rowsOf,
  variablesOf,
  type Level,
  type Link,
  type Tables,
} from './levels.js';
import { isInIndex, isPresent, orNull, storedValue, type Expression } from './values.js';

/** An entry would count twice in this group. */
export const AGAIN = 'again';
/** No id of any entry. */
const NO_ID = 0;

const idField = (link: number): string => `b${link}`;
const elementField = (list: number): string => `e${list}`;
const distinctField = (measure: number): string => `d${measure}`;

/** Groups of entries by what they store, and of these by what that leads to. */
interface IdGrouping extends Grouping {
  readonly level: Level;
  readonly links: readonly Link[];
  /**
   * Measures of stored values that are accumulated at once, and those whose different values have to be told apart
   * until the end.
   */
  readonly added: readonly Column[];
  readonly distinct: readonly Column[];
  readonly behind: readonly Column[];
}

interface ByIds {
  readonly stages: readonly Document[];
  /** No group can have `again`. */
  readonly isSafe: boolean;
  /** The paths that are read of entries; undefined if an index cannot have them. */
  readonly paths: readonly string[] | undefined;
}

/**
 * Groups entries by the ids that they store, and looks up the targets of all groups together: much cheaper than to
 * follow the relations of each entry. Where an entry leads to several targets with the same value, it would count twice
 * in that group, which then has `again`.
 * @returns undefined if it takes the rows of each entry
 */
export function groupByIds(grouping: Grouping): ByIds | undefined {
  const { columns } = grouping;
  const level = levelOfKeys(grouping);
  const behind = columns.filter(({ place }) => place === 'behind');
  for (const column of behind) addMeasure(level, column, grouping);
  if (!isStored(level) || columns.some(({ place }) => place === 'list')) return undefined;
  const links = [...level.links.values()];
  const own = columns.filter(({ place }) => place === 'entry');
  const isDistinct = ({ measure }: Column): boolean => links.length > 0 && measure.function === 'countDistinct';
  const added = own.filter((column) => !isDistinct(column));
  const all: IdGrouping = { ...grouping, level, links, added, distinct: own.filter(isDistinct), behind };
  const isSafe = links.every(({ attribute }) => !attribute.many);
  const stages = [...entriesOf(all), groupStored(all), ...(links.length === 0 ? [] : regroup(all))];
  return { stages, isSafe, paths: isSafe ? pathsIn(all) : undefined };
}

/** Of values that indexes have as they are. */
function pathsIn({ aggregate, level, links, added, distinct }: IdGrouping): readonly string[] | undefined {
  const paths = [
    ...aggregate.keys.map(({ path }) => path),
    ...[...added, ...distinct].map(({ measure: { path } }) => path),
  ].filter(({ through }) => through.every(({ kind }) => kind === 'component'));
  if (level.lists.size > 0 || !paths.every(({ field }) => isInIndex(field))) return undefined;
  return [...links.map(({ path }) => path), ...paths.map((path) => storedValue(path).slice(1))];
}

/**
 * Whether entries store all that leads to their rows. Those that are ignored behind a relation to many are not told
 * from others by their ids.
 */
const isStored = ({ lists, links }: Level): boolean =>
  [...lists.values()].every((list) => linksIn(list).length === 0) &&
  [...links.values()].every(
    ({ attribute, match }) => attribute.side === 'owner' && !(attribute.many && match !== undefined),
  );

/** The entries, with one document for each combination of elements of their lists. */
const entriesOf = ({ count, level, links }: IdGrouping): readonly Document[] => [
  ...matching(count),
  ...links.flatMap(({ path, attribute }) =>
    attribute.many ? [{ $unwind: { path: `$${path}`, preserveNullAndEmptyArrays: true } }] : [],
  ),
  ...[...level.lists].flatMap(([path, list], index) => {
    const alone: Level = { leaves: [], lists: new Map([[path, list]]), links: new Map() };
    return [
      { $set: { [elementField(index)]: distinctRows(rowsOf(alone, '$', new Map())) } },
      { $unwind: `$${elementField(index)}` },
    ];
  }),
];

/** The values of keys that entries store, by their fields. */
const storedKeys = ({ level }: IdGrouping): Document => ({
  ...ownValues(level, '$'),
  ...assign(
    [...level.lists.values()].flatMap((list, index) =>
      leavesBelow(list).map(({ name }) => ({ [name]: `$${elementField(index)}.${name}` })),
    ),
  ),
});

const accumulated = ({ added }: IdGrouping): Document =>
  assign(
    added.map(({ measure, index }) => {
      const { field } = measure.path;
      return accumulate(measure, index, { field, value: storedValue(measure.path), isList: false, id: '$_id' });
    }),
  );

function groupStored(grouping: IdGrouping): Document {
  const { aggregate, links, distinct } = grouping;
  const keys = storedKeys(grouping);
  return {
    $group: {
      _id: {
        ...keys,
        ...assign(links.map(({ path }, index) => ({ [idField(index)]: orNull(`$${path}`) }))),
        ...assign(
          distinct.map(({ measure, index }) => ({ [distinctField(index)]: orNull(storedValue(measure.path)) })),
        ),
      },
      [COUNT]: { $sum: 1 },
      ...accumulated(grouping),
      ...(links.length > 0 && needsFirst(aggregate) && { [FIRST]: { $min: '$_id' } }),
      ...(links.length === 0 && keepFirst(aggregate, (field) => keys[field] as Expression, '$_id')),
    },
  };
}

/** The groups of stored values become groups of what these lead to. */
function regroup(grouping: IdGrouping): readonly Document[] {
  const { aggregate, links } = grouping;
  const accumulators = accumulated(grouping);
  const kept = [COUNT, ...(needsFirst(aggregate) ? [FIRST] : []), ...Object.keys(accumulators)];
  const fields = assign(kept.map((name) => ({ [name]: `$${name}` })));
  const stages: Document[] = [];
  const to: TableStages = { stages, temporary: [] };
  const sources = links.map((_, index) => `groups.${idField(index)}`);
  const tables = makeRowTables(links, sources, to, true);
  const pipeline = [
    { $documents: '$$groups' },
    {
      $set: {
        row: product(
          undefined,
          links.map((link, index) => rowsOfGroup(link, index, tables)),
          '',
        ),
      },
    },
    { $unwind: '$row' },
    { $group: groupOfRows(grouping, accumulators) },
    ...markTwice(links),
  ];
  return [
    { $group: { _id: null, groups: { $push: { $mergeObjects: ['$_id', fields] } } } },
    ...stages,
    { $lookup: { let: { groups: '$groups', ...variablesOf(tables) }, pipeline, as: 'groups' } },
    { $unwind: '$groups' },
    { $replaceWith: '$groups' },
  ];
}

const lostField = (link: number): string => `q${link}`;

/**
 * What the id of a group leads to. One of a list that leads to nothing is left out if there are others, which the group
 * does not say.
 */
const rowsOfGroup = (link: Link, index: number, tables: Tables): Expression =>
  orNullRow(rowsBehind(`$${idField(index)}`, false, link.level, tables.get(link)), link.level, {
    ...(link.attribute.many && { [lostField(index)]: isPresent(`$${idField(index)}`) }),
  });

function groupOfRows(grouping: IdGrouping, accumulators: Document): Document {
  const { aggregate, distinct, behind, links } = grouping;
  const stored = storedKeys(grouping);
  const valueOf = (field: string): Expression => (field in stored ? `$${field}` : `$row.${field}`);
  const again = ({ measure, index }: Column, value: Expression): Document => {
    const { field } = measure.path;
    return accumulate(measure, index, { field, value, isList: false, id: `$${FIRST}`, weight: `$${COUNT}` });
  };
  return {
    _id: keysFrom(aggregate, valueOf),
    [COUNT]: { $sum: `$${COUNT}` },
    ...accumulateAgain(accumulators),
    ...assign(distinct.map((column) => again(column, `$${distinctField(column.index)}`))),
    ...assign(behind.map((column) => again(column, `$row.${measureField(column.index)}`))),
    ...keepFirst(aggregate, valueOf, `$${FIRST}`),
    ...assign(links.map(({ attribute }, index) => (attribute.many ? idsOfGroup(index) : {}))),
  };
}

const idsOfGroup = (link: number): Document => {
  const id = { $ifNull: [`$${idField(link)}`, NO_ID] };
  return {
    [`o${link}`]: { $min: id },
    [`p${link}`]: { $max: id },
    [lostField(link)]: { $max: `$row.${lostField(link)}` },
  };
};

/** A group that several ids of a list lead to can have an entry twice. */
function markTwice(links: readonly Link[]): readonly Document[] {
  const conditions = links.flatMap(({ attribute }, index) =>
    attribute.many ? [{ $ne: [`$o${index}`, `$p${index}`] }, { $eq: [`$${lostField(index)}`, true] }] : [],
  );
  return conditions.length === 0 ? [] : [{ $set: { [AGAIN]: { $or: conditions } } }];
}

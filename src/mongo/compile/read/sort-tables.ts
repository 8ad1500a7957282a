import type { Document } from 'mongodb';
import type { ComponentAttribute, RelationAttribute } from '../../../content-types/model/types.js';
import type { Filter, SortKey } from '../../../query/ast.js';

/** Uses the lowest of several values, or the highest in a descending sort. */
type Extreme = '$min' | '$max';

/** One relation on the path of a sort key, with the field of its targets: the ids for the next relation, or the value. */
interface Step {
  readonly collection: string;
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
export function routeOf(
  { through: path, field, direction, only }: SortKey,
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
        collection: relation.target.collectionName,
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
      {},
      to,
    );
    local.push(joinsById ? idsOrNone(`${targets}._id`, to) : `${targets}.ids`);
  }
  let table = '';
  for (const [index, { stored, ...step }] of [...steps.entries()].toReversed()) {
    const last = index === steps.length - 1;
    const key = last ? extremeOf(stored, extreme) : keyIn(stored, { ids: 'ids', keys: 'keys' }, extreme);
    const above = last ? {} : { let: { ids: `$${table}._id`, keys: keysOf(table) } };
    table = lookUpTable(step, local[index] ?? '', rowsOf(step.foreignField, key, extreme), above, to);
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
  { collection, foreignField, match }: Omit<Step, 'stored'>,
  localField: string,
  rows: readonly Document[],
  above: Document,
  to: TableStages,
): string {
  const as = temporaryName(to);
  const pipeline = [...(match === undefined ? [] : [{ $match: match }]), ...rows];
  to.stages.push({ $lookup: { from: collection, localField, foreignField, ...above, pipeline, as } });
  return as;
}

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

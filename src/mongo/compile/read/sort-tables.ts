import type { Document } from 'mongodb';
import type { ComponentAttribute, RelationAttribute } from '../../../content-types/model/types.js';
import type { Filter, SortKey } from '../../../query/ast.js';

/** Of several values the lowest counts, or the highest in a descending sort. */
type Extreme = '$min' | '$max';

/** One relation on the way of a sort key, and what its targets hold: the ids for the next relation, or the value. */
interface Step {
  readonly collection: string;
  readonly foreignField: string;
  readonly stored: Held;
  /** Which targets are not ignored. */
  readonly match: Document | undefined;
}

/** A value in an entry; a list has several. */
interface Held {
  readonly value: unknown;
  readonly list: boolean;
}

/** The way of a sort key through relations: from the ids that an entry holds to the value. */
export interface SortRoute {
  readonly ids: Held;
  readonly steps: readonly Step[];
  readonly extreme: Extreme;
}

/** Where stages that make tables go: all tables are fields of one document. */
export interface TableStages {
  readonly stages: Document[];
  /** The fields that are dropped at the end. */
  readonly temporary: string[];
}

/**
 * The way of a key; undefined where it goes through no relation.
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
      return {
        collection: relation.target.collectionName,
        foreignField: relation.side === 'owner' ? '_id' : (relation.inverse ?? ''),
        stored: next === undefined ? heldAt(components, name, false) : idsIn(next.relation, next.before),
        match: matchOf(only?.get(relation.target), compile),
      };
    }),
    extreme: direction === 'ascending' ? '$min' : '$max',
  };
}

const matchOf = (only: Filter | undefined, compile: (filter: Filter) => Document): Document | undefined =>
  only && compile(only);

const idsIn = ({ side, name, many }: RelationAttribute, components: readonly ComponentAttribute[]): Held =>
  side === 'owner' ? heldAt(components, name, many) : heldAt([], '_id', false);

/** What is at the end of a path through components; lists in lists become one. */
export function heldAt(components: readonly ComponentAttribute[], name: string, many: boolean): Held {
  const path = `$${[...components.map((component) => component.name), name].join('.')}`;
  const lists = components.filter(({ repeatable }) => repeatable).length + (many ? 1 : 0);
  const value = Array.from({ length: Math.max(lists - 1, 0) }).reduce<unknown>(
    (input) => ({ $reduce: { input, initialValue: [], in: { $concatArrays: ['$$value', '$$this'] } } }),
    path,
  );
  return { value, list: lists > 0 };
}

/** The names of the variables that hold the table of a route: the ids of targets, and the key of each. */
const variables = (route: number) => ({ ids: `ids${route}`, keys: `keys${route}` });

/** The key of an entry, out of the table of its route. */
export const keyOf = ({ ids, extreme }: SortRoute, route: number): unknown => keyIn(ids, variables(route), extreme);

/**
 * The key that a table has for what is stored, null where it has none. As variables of a `$lookup` are constants within it,
 * the database finds an id in the list of ids by its hash.
 */
function keyIn({ value, list }: Held, { ids, keys }: ReturnType<typeof variables>, extreme: Extreme): unknown {
  const find = (id: unknown): unknown => ({
    // What is not found is at -1: the last.
    $arrayElemAt: [{ $concatArrays: [`$$${keys}`, [null]] }, { $indexOfArray: [`$$${ids}`, id] }],
  });
  return list ? { [extreme]: { $map: { input: { $ifNull: [value, []] }, in: find('$$this') } } } : find(value);
}

/**
 * Adds the stages that make the tables of a sort: each target is looked up once, however many entries lead to it.
 * @param sources where the ids are that entries hold, by route
 * @returns the variables for the `$lookup` whose entries are sorted
 */
export function makeTables(routes: readonly SortRoute[], sources: readonly string[], to: TableStages): Document {
  const tables = routes.map((route, index) => {
    const table = makeTable(route, sources[index] ?? '', to);
    const { ids, keys } = variables(index);
    return { [ids]: `$${table}._id`, [keys]: `$${table}.key` };
  });
  return Object.assign({}, ...tables) as Document;
}

/** From the first relation to the last the targets are found, from the last to the first their keys. */
function makeTable({ steps, extreme }: SortRoute, source: string, to: TableStages): string {
  const local = [source];
  for (const [index, { stored, ...step }] of steps.slice(0, -1).entries()) {
    const joinsById = steps[index + 1]?.foreignField !== '_id';
    const found = lookUp(
      step,
      local[index] ?? '',
      [{ $project: joinsById ? { _id: 1 } : { ids: stored.value } }],
      {},
      to,
    );
    local.push(joinsById ? idsOrNone(`${found}._id`, to) : `${found}.ids`);
  }
  let table = '';
  for (const [index, { stored, ...step }] of [...steps.entries()].toReversed()) {
    const last = index === steps.length - 1;
    const key = last ? extremeOf(stored, extreme) : keyIn(stored, { ids: 'ids', keys: 'keys' }, extreme);
    const above = last ? {} : { let: { ids: `$${table}._id`, keys: `$${table}.key` } };
    table = lookUp(step, local[index] ?? '', rowsOf(step.foreignField, key, extreme), above, to);
  }
  return table;
}

/** Missing values are null, so that ids and keys are lists of the same length. */
const extremeOf = ({ value, list }: Held, extreme: Extreme): unknown =>
  list ? { [extreme]: value } : { $ifNull: [value, null] };

/** One row for each id that entries may hold, and its key; several targets may hold the id of one entry. */
const rowsOf = (foreignField: string, key: unknown, extreme: Extreme): readonly Document[] =>
  foreignField === '_id'
    ? [{ $project: { key } }]
    : [
        { $project: { holds: `$${foreignField}`, key } },
        { $unwind: '$holds' },
        { $group: { _id: '$holds', key: { [extreme]: '$key' } } },
      ];

function lookUp(
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

/** A name for one more field that is dropped at the end. */
export function temporaryName({ temporary }: TableStages): string {
  const name = `l${temporary.length}`;
  temporary.push(name);
  return name;
}

/** No id, of any type: it equals nothing that is stored where ids are. */
const NO_ID = 'none';

/**
 * Makes a list of the ids at a path that is never empty. For a `$lookup` an empty list is a null, which equals every
 * relation that is empty: it would read all entries that lead nowhere.
 * https://www.mongodb.com/docs/manual/reference/operator/aggregation/lookup/
 */
export function idsOrNone(path: string, to: TableStages): string {
  const as = temporaryName(to);
  to.stages.push({ $set: { [as]: { $concatArrays: [`$${path}`, [NO_ID]] } } });
  return as;
}

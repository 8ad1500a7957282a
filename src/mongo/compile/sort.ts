import type { Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import type { PopulateNode, SortKey } from '../../query/ast.js';
import type { ComponentSort } from './plan.js';

/** The database sorts by 32 keys at most, of which the id is one, and the parent where entries are numbered per parent. */
const MOST_KEYS = 30;
/** Each is a look-up for all entries that are sorted, and a stage; see MOST_STAGES. */
const MOST_RELATIONS = 10;

/** One relation on the way of sort keys: looked up once, with the fields that they need of it. */
interface SortLookup {
  readonly join: Document;
  readonly as: string;
  readonly fields: Set<string>;
}

/** `stages` end with the `$sort`. */
export interface CompiledSort {
  readonly stages: readonly Document[];
  /** The fields that the stages added. */
  readonly temporary: readonly string[];
  /** What is sorted by, in this order. */
  readonly order: ReadonlyMap<string, 1 | -1>;
  /** Where the value of each sort key is. */
  readonly paths: readonly string[];
}

/**
 * Compiles a sort. Relations on the way are looked up before it, with the fields that are needed only; of a list the
 * lowest value counts, or the highest in a descending sort. Entries that are equal come in order of id.
 * @throws AppError tooCostly
 */
export function compileSort(keys: readonly SortKey[]): CompiledSort {
  const order = new Map<string, 1 | -1>();
  const paths: string[] = [];
  const lookups = new Map<string, SortLookup>();
  const ends: Document = {};
  for (const key of keys) {
    const path = sortPath(key, lookups);
    const end = `_k${Object.keys(ends).length}`;
    // What is looked up is a list even if it is one entry, and the database sorts by one list at most.
    const isList = key.through.some((step) => step.kind === 'relation' || step.repeatable);
    if (isList) ends[end] = { [key.direction === 'ascending' ? '$min' : '$max']: flatten(`$${path}`, key.through) };
    const field = isList ? end : path;
    paths.push(field);
    if (!order.has(field)) order.set(field, key.direction === 'ascending' ? 1 : -1);
  }
  if (order.size > MOST_KEYS) throw new AppError('tooCostly', 'sort keys', MOST_KEYS);
  if (lookups.size > MOST_RELATIONS) throw new AppError('tooCostly', 'relations in sort keys', MOST_RELATIONS);
  if (!order.has('_id')) order.set('_id', 1);
  const stages = [
    ...[...lookups.values()].map(({ join, as, fields }) => ({
      $lookup: { ...join, pipeline: [{ $project: Object.fromEntries([...fields].map((name) => [name, 1])) }], as },
    })),
    ...(Object.keys(ends).length > 0 ? [{ $set: ends }] : []),
    { $sort: Object.fromEntries(order) },
  ];
  return { stages, temporary: [...[...lookups.values()].map(({ as }) => as), ...Object.keys(ends)], order, paths };
}

/** The values of a list of components that is in another list, or behind a relation, come as lists of lists. */
function flatten(values: string, through: SortKey['through']): unknown {
  const relation = through.findLastIndex((step) => step.kind === 'relation');
  const lists = through.slice(relation + 1).filter((step) => step.kind === 'component' && step.repeatable);
  const outer = relation === -1 ? lists.slice(1) : lists;
  return outer.reduce<unknown>(
    (input) => ({ $reduce: { input, initialValue: [], in: { $concatArrays: ['$$value', '$$this'] } } }),
    values,
  );
}

/** The path of a key's values once the relations on its way are looked up. */
function sortPath({ through, field }: SortKey, lookups: Map<string, SortLookup>): string {
  let prefix = '';
  let within = '';
  let around: SortLookup | undefined;
  let inComponent = false;
  for (const step of through) {
    if (step.kind === 'component') {
      within += `${step.name}.`;
      inComponent = true;
      continue;
    }
    const local = step.side === 'owner' ? within + step.name : '_id';
    around?.fields.add(local);
    const key = `${prefix}${within}${step.name}`;
    const foreignField = step.side === 'owner' ? '_id' : step.inverse;
    const join = { from: step.target.collectionName, localField: prefix + local, foreignField };
    around = lookups.get(key) ?? { join, as: `_s${lookups.size}`, fields: new Set() };
    lookups.set(key, around);
    prefix = `${around.as}.`;
    within = '';
    inComponent = false;
  }
  const name = within + (field.kind === 'id' && !inComponent ? '_id' : field.name);
  around?.fields.add(name);
  return prefix + name;
}

/**
 * What a list of components is sorted by, within each.
 * @throws AppError invalidParameter for what is not within them
 */
export const sortWithin = ({ attribute, selection }: ComponentNode): readonly ComponentSort[] =>
  attribute.repeatable
    ? selection.sort.map((key) => ({ path: pathWithin(key), descending: key.direction === 'descending' }))
    : [];

function pathWithin({ through, field }: SortKey): readonly string[] {
  const outside = through.find((step) => step.kind === 'relation' || step.repeatable);
  if (outside !== undefined) throw new AppError('invalidParameter', outside.name);
  return [...through, field].map(({ name }) => name);
}

type ComponentNode = Extract<PopulateNode, { kind: 'component' }>;

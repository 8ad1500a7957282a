import type { Document } from 'mongodb';
import { isList, keyField, measureField, type Aggregate, type Filter, type Measure } from '../../../query/ast.js';
import type { CountRead } from '../plan.js';
import { unite } from '../read/branches.js';
import { addPath, emptyLevel, type Level } from './levels.js';
import { isAmbiguous, partOf, type Expression } from './values.js';

/** A measure with its place among all. */
export interface Column {
  readonly measure: Measure;
  readonly index: number;
  /** Where its values are: in the entry, behind relations to one, or in a list, of which some may be in the entry. */
  readonly place: 'entry' | 'behind' | 'list';
}

/** What a compilation of groups reads. */
export interface Grouping {
  readonly aggregate: Aggregate;
  readonly columns: readonly Column[];
  readonly count: CountRead;
  /** Compiles a condition on entries behind relations. */
  readonly compile: (filter: Filter) => Document;
}

export const columnsOf = ({ measures }: Aggregate): readonly Column[] =>
  measures.map((measure, index) => {
    const { through } = measure.path;
    const isInside = through.every(({ kind }) => kind === 'component');
    return { measure, index, place: through.some(isList) ? 'list' : isInside ? 'entry' : 'behind' };
  });

/** The stages that read the entries that match. */
export const matching = (count: CountRead): readonly Document[] => [
  ...count.source,
  ...unite(count, (only) => [...(Object.keys(count.filter).length > 0 ? [{ $match: count.filter }] : []), ...only]),
];

/** The keys as a tree. */
export function levelOfKeys({ aggregate: { keys, timeZone }, compile }: Grouping): Level {
  const level = emptyLevel();
  for (const [index, { path, part }] of keys.entries()) {
    const value = (stored: Expression): Expression =>
      part === undefined ? stored : partOf(path.field, part, stored, timeZone);
    addPath(level, path, { name: keyField(index), value }, compile);
  }
  return level;
}

/** Adds the values of a measure to a tree. */
export const addMeasure = (level: Level, { measure, index }: Column, { compile }: Grouping): void =>
  addPath(level, measure.path, { name: measureField(index), value: (stored) => stored }, compile);

/** One document of several. */
export const assign = (documents: readonly Document[]): Document => Object.assign({}, ...documents) as Document;

/** The keys, each with the expression of its value. */
export const keysFrom = ({ keys }: Aggregate, value: (field: string) => Expression): Document =>
  assign(keys.map((_, index) => ({ [keyField(index)]: value(keyField(index)) })));

/** The lowest id of the entries in a group. */
export const FIRST = 'first';

const shownField = (key: number): string => `x${key}`;

/** The keys whose values can be equal for the database, and different. */
const ambiguousKeys = ({ keys }: Aggregate): readonly number[] =>
  [...keys.keys()].filter((index) => {
    const key = keys[index];
    return key !== undefined && key.part === undefined && isAmbiguous(key.path.field);
  });

/** Accumulators that keep the values of ambiguous keys that the first entry of a group has. */
export const keepFirst = (aggregate: Aggregate, value: (field: string) => Expression, id: Expression): Document =>
  assign(
    ambiguousKeys(aggregate).map((index) => ({
      [shownField(index)]: { $min: { id, value: value(keyField(index)) } },
    })),
  );

/** The keys of a group, as an answer shows them. */
export function shownKeys(aggregate: Aggregate): Document {
  const ambiguous = ambiguousKeys(aggregate);
  return assign(
    aggregate.keys.map((_, index) => ({
      [keyField(index)]: ambiguous.includes(index) ? `$${shownField(index)}.value` : `$_id.${keyField(index)}`,
    })),
  );
}

/** Whether the order of entries decides about something in the answer. */
export const needsFirst = (aggregate: Aggregate): boolean =>
  ambiguousKeys(aggregate).length > 0 || aggregate.measures.some(({ path }) => isAmbiguous(path.field));

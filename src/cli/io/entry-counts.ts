import lodash from 'lodash';
import { counted } from './terminal.js';

/** The number of entries in each collection: what export, import and check-data count, so that one can compare them. */
export type EntryCounts = ReadonlyMap<string, number>;

export const sumOf = (counts: EntryCounts): number => lodash.sum([...counts.values()]);

/** A line for each collection that has entries, by name. */
export const describeCounts = (counts: EntryCounts): readonly string[] =>
  Object.entries(filledOf(counts)).map(
    ([collection, entries]) => `  ${collection}: ${counted(entries, 'entry', 'entries')}`,
  );

/** The collections that have entries, by name. */
export const filledOf = (counts: EntryCounts): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...counts].filter(([, entries]) => entries > 0).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

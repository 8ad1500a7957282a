import type { Document } from 'mongodb';
import { COUNT, measureField } from '../../../query/ast.js';
import type { CountRead } from '../plan.js';
import { idsOrNone, type TableStages } from '../read/sort.js';
import { accumulate } from './accumulators.js';
import {
  addMeasure,
  assign,
  keepFirst,
  keysFrom,
  levelOfKeys,
  matching,
  type Column,
  type Grouping,
} from './grouping.js';
import {
  distinctRows,
  emptyLevel,
  linksIn,
  makeRowTables,
  rowsOf,
  variablesOf,
  type Level,
  type Link,
  type Tables,
} from './levels.js';
import { storedValue, type Expression } from './values.js';

/** A measure whose values are found for each entry, as a list. */
interface Listed extends Column {
  readonly level: Level;
}

/**
 * Groups entries by their rows, which are made for each: what relations lead to is in tables, for all entries that
 * match. It reads these twice, first the ids that they store.
 */
export function groupByRows(grouping: Grouping): readonly Document[] {
  const { aggregate, columns, count } = grouping;
  const keys = levelOfKeys(grouping);
  const listed = columns.flatMap((column): readonly Listed[] => {
    if (column.place === 'entry') return [];
    const level = emptyLevel();
    addMeasure(level, column, grouping);
    return [{ ...column, level }];
  });
  const ofKeys = linksIn(keys);
  const links = [...ofKeys, ...listed.flatMap(({ level }) => linksIn(level))];
  const stages: Document[] = [];
  const to: TableStages = { stages, temporary: [] };
  const sources = links.map((link, index) => gather(link, `ids${index}`, count, to));
  const tables = new Map([
    ...makeRowTables(ofKeys, sources, to, true),
    ...makeRowTables(links.slice(ofKeys.length), sources.slice(ofKeys.length), to, false),
  ]);
  const rows = { row: distinctRows(rowsOf(keys, '$', tables)) };
  const values = assign(listed.map((one) => ({ [measureField(one.index)]: valuesOf(one, tables) })));
  const grouped = [
    ...matching(count),
    { $set: { ...rows, ...values } },
    { $unwind: '$row' },
    {
      $group: {
        _id: keysFrom(aggregate, (field) => `$row.${field}`),
        [COUNT]: { $sum: 1 },
        ...assign(columns.map((column) => accumulateOfEntry(column))),
        ...keepFirst(aggregate, (field) => `$row.${field}`, '$_id'),
      },
    },
  ];
  if (links.length === 0) return grouped;
  return [
    // The stages are for one document, whichever it is.
    { $limit: 1 },
    { $project: { _id: 1 } },
    ...stages,
    { $lookup: { from: count.collection, let: variablesOf(tables), pipeline: grouped, as: 'groups' } },
    { $unwind: '$groups' },
    { $replaceWith: '$groups' },
  ];
}

/** Adds the ids that entries hold for a relation, each once; returns their path. */
function gather({ ids, foreignField }: Link, as: string, count: CountRead, { stages, temporary }: TableStages): string {
  const pipeline = [...matching(count), { $project: { ids } }, { $unwind: '$ids' }, { $group: { _id: '$ids' } }];
  stages.push({ $lookup: { from: count.collection, pipeline, as } });
  return foreignField === '_id' ? `${as}._id` : idsOrNone(`${as}._id`, { stages, temporary });
}

/** All values of an entry for a measure. */
const valuesOf = ({ level, index }: Listed, tables: Tables): Expression => ({
  $map: { input: rowsOf(level, '$', tables), as: 'row', in: `$$row.${measureField(index)}` },
});

function accumulateOfEntry({ measure, index, place }: Column): Document {
  const { field } = measure.path;
  if (place === 'entry')
    return accumulate(measure, index, { field, value: storedValue(measure.path), isList: false, id: '$_id' });
  const values = `$${measureField(index)}`;
  // It has at most one.
  const isCounted = measure.function === 'countDistinct';
  return accumulate(measure, index, {
    field,
    value: isCounted ? { $first: values } : values,
    isList: !isCounted,
    id: '$_id',
  });
}

import type { Document } from 'mongodb';
import type { Dialect } from '../../../content-types/model/dialects.js';
import { COUNT, keyField, measureField, type Aggregate, type GroupSort, type Pagination } from '../../../query/ast.js';
import { measureFunctions, measures } from '../../../query/measures.js';
import { compileFilter } from '../filter/filter.js';
import { HIGHEST } from '../read/sort.js';
import { resultOf } from './accumulators.js';
import { AGAIN } from './by-ids.js';
import { assign, shownKeys } from './grouping.js';

/**
 * The stages after groups are accumulated: their results, `having`, and one page of them in one document, with their
 * total.
 * @param isSafe no group has `again`
 */
export function finishGroups(
  aggregate: Aggregate,
  { start, limit }: Pagination,
  dialect: Dialect,
  isSafe: boolean,
): readonly Document[] {
  const having = aggregate.having === undefined ? [] : [{ $match: compileFilter(aggregate.having, []) }];
  const page = [
    ...sortGroups(aggregate, dialect),
    ...(start > 0 ? [{ $skip: Math.min(start, Number.MAX_SAFE_INTEGER) }] : []),
    { $limit: limit },
  ];
  const counted = { $count: 'count' };
  return [
    { $project: resultsOf(aggregate, isSafe) },
    ...(aggregate.keys.length === 0 ? orEmpty(aggregate) : []),
    {
      $facet: {
        page: [...having, ...page],
        total: [...having, counted],
        ...(having.length > 0 && { all: [counted] }),
        ...(!isSafe && { [AGAIN]: [{ $match: { [AGAIN]: true } }, { $limit: 1 }, { $project: { [AGAIN]: 1 } }] }),
      },
    },
  ];
}

/** A group as `having` and the answer read it: measures are below the names of their functions. */
const resultsOf = (aggregate: Aggregate, isSafe: boolean): Document => ({
  _id: 0,
  ...shownKeys(aggregate),
  [COUNT]: 1,
  ...byFunction(aggregate, (index) => {
    const measure = aggregate.measures[index];
    return measure === undefined ? null : resultOf(measure, index);
  }),
  ...(!isSafe && { [AGAIN]: 1 }),
});

const byFunction = ({ measures: asked }: Aggregate, value: (index: number) => unknown): Document =>
  assign(
    measureFunctions.flatMap((name) => {
      const indexes = [...asked.keys()].filter((index) => asked[index]?.function === name);
      return indexes.length === 0
        ? []
        : [{ [name]: assign(indexes.map((index) => ({ [measureField(index)]: value(index) }))) }];
    }),
  );

/** Without keys all entries are one group, also if there are none. */
const orEmpty = (aggregate: Aggregate): readonly Document[] => [
  {
    $unionWith: {
      pipeline: [
        {
          $documents: [
            {
              [COUNT]: 0,
              ...byFunction(aggregate, (index) => {
                const measure = aggregate.measures[index];
                return (measure && measures[measure.function].empty) ?? null;
              }),
            },
          ],
        },
      ],
    },
  },
  { $limit: 1 },
];

/** Equal groups are sorted by their keys. */
function sortGroups({ keys, measures: asked, sort }: Aggregate, { nulls }: Dialect): readonly Document[] {
  const pathOf = ({ by }: GroupSort): string => {
    if (by === COUNT) return COUNT;
    if ('key' in by) return keyField(by.key);
    return `${asked[by.measure]?.function}.${measureField(by.measure)}`;
  };
  const order = new Map<string, 1 | -1>();
  for (const one of sort) if (!order.has(pathOf(one))) order.set(pathOf(one), one.direction === 'ascending' ? 1 : -1);
  for (const index of keys.keys()) if (!order.has(keyField(index))) order.set(keyField(index), 1);
  if (order.size === 0) return [];
  if (nulls === 'first') return [{ $sort: Object.fromEntries(order) }];
  const fields = [...order].map(([path, direction], index) => ({ path, direction, field: `s${index}` }));
  return [
    { $set: assign(fields.map(({ path, field }) => ({ [field]: { $ifNull: [`$${path}`, HIGHEST] } }))) },
    { $sort: Object.fromEntries(fields.map(({ field, direction }) => [field, direction])) },
    { $unset: fields.map(({ field }) => field) },
  ];
}

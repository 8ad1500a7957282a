import type { Query, Aggregate } from '../../../query/ast.js';
import { measureAttribute } from '../../../query/parse/parse-aggregate.js';
import { compileFilter } from '../filter/filter.js';
import type { IdQuery } from '../filter/semi-join.js';
import type { GroupPlan } from '../plan.js';
import { compileCount } from '../read/compile-query.js';
import { groupByIds } from './by-ids.js';
import { groupByRows } from './by-rows.js';
import { finishGroups } from './finish.js';
import { columnsOf, type Grouping } from './grouping.js';

/** Compiles the groups of a list: pure, as the list is. @throws AppError tooCostly */
export function compileGroups(query: Query, aggregate: Aggregate): GroupPlan {
  const { type, filter, latest, modified, pagination } = query;
  const { before: first, count } = compileCount(type, filter, undefined, { latest, modified });
  const before: IdQuery[] = [...first];
  const columns = columnsOf(aggregate);
  const grouping: Grouping = {
    aggregate,
    columns,
    count,
    compile: (condition) => compileFilter(condition, before),
  };
  const finish = (isSafe: boolean) => finishGroups(aggregate, pagination, type.dialect, isSafe);
  const byIds = groupByIds(grouping);
  return {
    before,
    count,
    pipelines: [
      ...(byIds === undefined ? [] : [[...byIds.stages, ...finish(byIds.isSafe)]]),
      ...(byIds?.isSafe === true ? [] : [[...groupByRows(grouping), ...finish(true)]]),
    ],
    keys: aggregate.keys.map(({ name, path, part }) => ({ name, field: part === undefined ? path.field : undefined })),
    measures: columns.map(({ measure, index }) => ({
      function: measure.function,
      name: measure.name,
      attribute: measureAttribute(measure, index, type),
    })),
  };
}

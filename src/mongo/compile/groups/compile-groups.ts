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
  const pipelinesOf = (): GroupPlan['pipelines'] => {
    const isCertain = byIds?.isSafe === true;
    const byRows = isCertain ? [] : [...groupByRows(grouping), ...finish(true)];
    if (byIds === undefined) return [byRows];
    const first = [...byIds.stages, ...finish(isCertain)];
    return isCertain ? [first] : [first, byRows];
  };
  return {
    before,
    count,
    paths: byIds?.paths,
    pipelines: pipelinesOf(),
    keys: aggregate.keys.map(({ name, path, part }) => ({ name, field: part === undefined ? path.field : undefined })),
    measures: columns.map(({ measure, index }) => ({
      function: measure.function,
      name: measure.name,
      attribute: measureAttribute(measure, index, type),
    })),
  };
}

import lodash from 'lodash';
import type { Db, Document } from 'mongodb';
import type { Query } from '../../query/ast.js';
import { adviseIndex } from '../indexes/advise-index.js';
import { compileGroups } from '../compile/groups/compile-groups.js';
import type { ReadPlan } from '../compile/plan.js';
import { compileQuery } from '../compile/read/compile-query.js';
import { bindIds, idCommand } from '../compile/filter/semi-join.js';
import { groupCommands } from './execute-groups.js';
import { commandOf, countCommand, partsOf, readIds, skipBefore, withIds } from './execute-read.js';
import type { NaturalOrder } from './natural-order.js';
import type { ReadCommand } from './read-batch.js';
import { translated } from '../errors.js';

/** A command with MongoDB's execution plan: keys and documents examined, and the time. */
interface ExplainedCommand {
  readonly command: Document;
  readonly plan: Document;
}

/** How a query is executed: the reads of ids that come first, the page, and the total if the query counts. */
export interface Explanation {
  readonly before: readonly ExplainedCommand[];
  readonly main: ExplainedCommand;
  readonly count?: ExplainedCommand;
  /** Why the page is read without an index, and which one would serve it. */
  readonly advice?: string;
}

/**
 * Lets the database explain the commands of a query, which executes them.
 * @param timeout milliseconds of a command
 * @throws AppError unavailable, outOfTime
 */
export async function explainRead(
  db: Db,
  query: Query,
  { order, timeout }: { readonly order: NaturalOrder; readonly timeout: number },
): Promise<Explanation> {
  const explain = async (command: ReadCommand & Document): Promise<ExplainedCommand> => {
    const explained = 'find' in command ? command : { ...command, cursor: {} };
    const plan = await db.command({ explain: explained, verbosity: 'executionStats', maxTimeMS: timeout });
    return { command: readable(command) as Document, plan: readable(lodash.omit(plan, ofServer)) as Document };
  };
  const explainBefore = async ({ before }: Pick<ReadPlan, 'before'>) => {
    const ids = await readIds(db, before, { timeout });
    const explained: ExplainedCommand[] = [];
    for (const { collection, pipeline } of before)
      explained.push(await explain(idCommand(collection, bindIds(pipeline, ids))));
    return { ids, explained };
  };
  return translated(async () => {
    const { type, aggregate } = query;
    if (aggregate !== undefined) {
      const plan = compileGroups(query, aggregate);
      const { ids, explained } = await explainBefore(plan);
      const [command] = groupCommands(plan, ids, await order.hintOf(db, type, plan));
      return { before: explained, main: await explain(command) };
    }
    const plan = await order(db, type, compileQuery(query));
    const { main, count } = plan;
    const advice = adviseIndex(type, main);
    const { ids, explained: first } = await explainBefore(plan);
    // The first part of a page fills most of them.
    const [part = main] = partsOf(withIds(main, ids));
    const page = await explain(commandOf(await skipBefore(db, part, { timeout })));
    const explanation = { before: first, main: page, ...(advice !== undefined && { advice }) };
    if (!query.pagination.withCount) return explanation;
    return { ...explanation, count: await explain(countCommand(bindIds(count, ids))) };
  });
}

/** Clients do not see the server and its settings. */
const ofServer = ['command', 'serverInfo', 'serverParameters', '$clusterTime', 'operationTime'];

/** Values that are not JSON, as in MongoDB's Extended JSON. */
function readable(value: unknown): unknown {
  if (typeof value === 'bigint') return { $numberLong: String(value) };
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(readable);
  if (Object.prototype.toString.call(value) !== '[object Object]' || value === null) return value;
  return Object.fromEntries(Object.entries(value as object).map(([name, part]) => [name, readable(part)]));
}

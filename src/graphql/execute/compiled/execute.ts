import {
  defaultFieldResolver,
  execute,
  GraphQLError,
  OperationTypeNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
} from 'graphql';
import type { GraphqlExecutor, GraphqlResolver } from '../../../plugins/contract/graphql/parts.js';
import type { Read } from '../../../documents/read-operation.js';
import { uniteIds, type EntryIds } from '../../../query/change.js';
import { buildExecutionContext, collectFields } from '../graphql-internals.js';
import { RootRead, valueOf } from '../root-read.js';
import {
  planFields,
  planType,
  type Complete,
  type Counted,
  type PlainResolvers,
  type PlannedField,
} from './plan-field.js';
import { usesVariables } from './uses-variables.js';

/** Executes operations: by a plan if only generated resolvers are involved, otherwise by graphql-js. */
export interface Execution {
  /** Undefined for operations that graphql-js must execute. */
  readonly plan: (args: ExecutionArgs) => PlannedQuery | undefined;
  /** Continues with graphql-js if the context has what a plan has prepared. */
  readonly execute: (args: ExecutionArgs) => Promise<ExecutionResult>;
}

/** A query that is executed like by graphql-js, in a third of its time, unless there is an error. */
export interface PlannedQuery {
  /** The fields of Query that are prepared, by response name: graphql-js reads them if the plan fails. */
  readonly prepared: ReadonlyMap<string, unknown>;
  /**
   * Checks the caller and the arguments of each field of Query.
   * @returns the reads that determine the data; undefined if it must not be cached
   * @throws errors that graphql-js reports with their path
   */
  readonly prepare: () => Promise<readonly Read[] | undefined>;
  /** The data of what is prepared, and the ids of its entries; undefined: any. @throws errors that graphql-js reports with their path */
  readonly read: () => Promise<{ readonly data: Values; readonly ids: (() => EntryIds) | undefined }>;
}

export function createExecution(
  plain: PlainResolvers,
  { fieldResolver = defaultFieldResolver, observe = () => undefined }: ExecutionOptions = {},
): Execution {
  const planWithin = planOnce(new WeakMap());
  const plan = (args: ExecutionArgs): PlannedQuery | undefined => {
    const fields = planRoot(args, plain, planWithin);
    return fields && planQuery(fields, args.contextValue as Counted, observe);
  };
  const continueWith = (args: ExecutionArgs, prepared: ReadonlyMap<string, unknown>) => {
    observe('both');
    const context = args.contextValue as Counted;
    if (context.budget.left < 0) return { data: null };
    return execute({ ...args, fieldResolver, contextValue: { ...context, prepared } });
  };
  return {
    plan,
    execute: async (args) => {
      const { prepared } = args.contextValue as Counted;
      if (prepared !== undefined) return continueWith(args, prepared);
      const planned = plan(args);
      if (planned === undefined) {
        observe('graphql-js');
        return execute({ ...args, fieldResolver });
      }
      try {
        await planned.prepare();
        const { data } = await planned.read();
        return { data };
      } catch {
        return continueWith(args, planned.prepared);
      }
    },
  };
}

interface ExecutionOptions {
  /** For graphql-js: the default for fields without a resolver. */
  readonly fieldResolver?: GraphqlResolver;
  /** Called for each operation. */
  readonly observe?: (executor: GraphqlExecutor) => void;
}

type Values = Record<string, unknown>;

function planQuery(
  fields: readonly PlannedField[],
  context: Counted,
  observe: (executor: GraphqlExecutor) => void,
): PlannedQuery {
  const prepared = new Map<string, unknown>();
  return {
    prepared,
    prepare: async () => {
      for (const { name, read } of fields) prepared.set(name, read(undefined, context));
      const reads = await Promise.all(prepared.values());
      const requested = reads.map((field) => (field instanceof RootRead ? field.requested : undefined));
      return requested.every((read) => read !== undefined) ? requested : undefined;
    },
    read: async () => {
      const reads = await Promise.all(prepared.values());
      const values = await Promise.all(reads.map(async (field) => valueOf(field)));
      const ids = await Promise.all(
        reads.map(async (field) => (field instanceof RootRead ? field.read().ids : undefined)),
      );
      const data = giveBackUnused(context, () =>
        Object.fromEntries(fields.map(({ name, complete }, index) => [name, complete(values[index], context)])),
      );
      observe('compiled');
      const complete = ids.filter((ofField) => ofField !== undefined);
      return { data, ids: complete.length < ids.length ? undefined : () => uniteIds(complete.map((read) => read())) };
    },
  };
}

function planRoot(
  args: ExecutionArgs,
  plain: PlainResolvers,
  planWithin: typeof planType,
): readonly PlannedField[] | undefined {
  const executed = buildExecutionContext(args);
  if (!('schema' in executed)) return undefined;
  const { schema, fragments, variableValues, operation } = executed;
  const type = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || !type) return undefined;
  try {
    const groups = collectFields(schema, fragments, variableValues, type, operation.selectionSet);
    return planFields(type, groups, { executed, plain }, planWithin);
  } catch (error) {
    // Arguments or directives use missing variables: graphql-js reports it.
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** Assembles a response; if that fails, the budget is restored for graphql-js. */
function giveBackUnused({ budget }: Counted, complete: () => Values): Values {
  const before = budget.left;
  try {
    return complete();
  } catch (error) {
    if (budget.left >= 0) budget.spend(budget.left - before);
    throw error;
  }
}

/**
 * Plans the selection of a field of Query once for all requests, unless it uses variables. Plans are cached by the field's
 * node in the cached document.
 */
const planOnce =
  (plans: WeakMap<FieldNode, Complete | undefined>): typeof planType =>
  (type, group, planning) => {
    const [node, ...otherNodes] = group;
    if (node === undefined || otherNodes.length > 0) return planType(type, group, planning);
    if (plans.has(node)) return plans.get(node);
    const { executed, plain } = planning;
    if (usesVariables(node.selectionSet, executed.fragments)) return planType(type, group, planning);
    // Do not retain anything of this request.
    const lasting = { ...executed, variableValues: {}, rootValue: undefined, contextValue: undefined };
    const complete = planType(type, group, { executed: lasting, plain });
    plans.set(node, complete);
    return complete;
  };

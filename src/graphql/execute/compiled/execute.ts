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
import { buildExecutionContext, collectFields } from '../graphql-internals.js';
import {
  planFields,
  planType,
  type Complete,
  type Counted,
  type PlainResolvers,
  type PlannedField,
} from './plan-field.js';
import { usesVariables } from './uses-variables.js';

/**
 * Executes a query like graphql-js, in a third of its time, if only generated resolvers are involved and
 * there is no error. Everything else is executed by graphql-js, which reuses the results that root fields have returned so far.
 */
export const createExecution = (
  plain: PlainResolvers,
  { fieldResolver = defaultFieldResolver, observe = () => undefined }: ExecutionOptions = {},
): ((args: ExecutionArgs) => Promise<ExecutionResult>) => {
  const planWithin = planOnce(new WeakMap());
  return async (args) => {
    const plan = planQuery(args, plain, planWithin);
    if (plan === undefined) {
      observe('graphql-js');
      return execute({ ...args, fieldResolver });
    }
    const rootResults: RootResults = new Map();
    try {
      const data = await plan(rootResults);
      observe('compiled');
      return { data };
    } catch {
      observe('both');
      const context = args.contextValue as Counted;
      if (context.budget.left < 0) return { data: null };
      // graphql-js reports the error, with its path.
      return execute({ ...args, fieldResolver, contextValue: { ...context, rootResults } });
    }
  };
};

interface ExecutionOptions {
  /** For graphql-js: the default for fields without a resolver. */
  readonly fieldResolver?: GraphqlResolver;
  /** Called for each operation. */
  readonly observe?: (executor: GraphqlExecutor) => void;
}

/** Results of root fields of Query, by response name. */
type RootResults = Map<string, unknown>;
type Values = Record<string, unknown>;
type Plan = (rootResults: RootResults) => Promise<Values>;

/** Undefined for operations that graphql-js must execute. */
function planQuery(args: ExecutionArgs, plain: PlainResolvers, planWithin: typeof planType): Plan | undefined {
  const fields = planRoot(args, plain, planWithin);
  const context = args.contextValue as Counted;
  if (fields === undefined) return undefined;
  return async (rootResults) => {
    for (const { name, read } of fields) rootResults.set(name, read(undefined, context));
    const values = await Promise.all(rootResults.values());
    return giveBackUnused(context, () =>
      Object.fromEntries(fields.map(({ name, complete }, index) => [name, complete(values[index], context)])),
    );
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

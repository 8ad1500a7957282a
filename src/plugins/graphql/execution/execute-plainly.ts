import {
  defaultFieldResolver,
  execute,
  getArgumentValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  OperationTypeNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { buildExecutionContext, buildResolveInfo } from 'graphql/execution/execute.js';
import type { GraphqlResolver } from '../../graphql-parts.js';
import type { Mention } from './fields.js';

/** Resolvers that give what is there, at once and however often they are asked: the fields of Query promise theirs. */
export type PlainResolvers = WeakSet<GraphqlResolver>;

/**
 * Executes a query as graphql-js does, in a third of its time, where nothing but plain resolvers is involved and
 * nothing goes wrong. All else is left to graphql-js; what the fields of Query gave by then, they give it again.
 */
export const createExecution =
  (plain: PlainResolvers) =>
  async (args: ExecutionArgs): Promise<ExecutionResult> => {
    const answer = planQuery(args, plain);
    if (answer === undefined) return execute(args);
    const found: Found = new Map();
    try {
      return { data: await answer(found) };
    } catch {
      // Whatever it was: graphql-js says it, at its place.
      return execute({ ...args, contextValue: { ...(args.contextValue as object), found } });
    }
  };

interface Planning {
  readonly executed: Exclude<ReturnType<typeof buildExecutionContext>, readonly unknown[]>;
  readonly plain: PlainResolvers;
}

/** Makes a value of the answer of what is there. @throws Unusual, or what a scalar throws: graphql-js deals with it */
type Complete = (value: unknown) => unknown;

class Unusual extends Error {}

function planQuery(args: ExecutionArgs, plain: PlainResolvers): ((found: Found) => Promise<Values>) | undefined {
  const executed = buildExecutionContext(args);
  if (!('schema' in executed)) return undefined;
  const planning = { executed, plain };
  const { schema, fragments, variableValues, operation } = executed;
  const type = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || !type) return undefined;
  try {
    const mentions = collectFields(schema, fragments, variableValues, type, operation.selectionSet);
    const fields = [...mentions].map(([name, mention]) => ({ name, ...planField(type, mention, planning) }));
    return async (found) => {
      for (const { name, read } of fields) found.set(name, read(undefined));
      const values = await Promise.all(found.values());
      return Object.fromEntries(fields.map(({ name, complete }, index) => [name, complete(values[index])]));
    };
  } catch {
    return undefined;
  }
}

/** What the fields of Query gave, by their names in the answer. */
type Found = Map<string, unknown>;
type Values = Record<string, unknown>;

/** A field of an object: where its value is found, and what becomes of it. */
interface PlannedField {
  readonly read: (source: unknown) => unknown;
  readonly complete: Complete;
}

function planField(type: GraphQLObjectType, mention: Mention, planning: Planning): PlannedField {
  const [node] = mention;
  const name = node?.name.value ?? '';
  // An answer is a plain object, to be fast.
  if (node === undefined || node.alias?.value === '__proto__') throw new Unusual();
  if (name === '__typename') return { read: () => type.name, complete: (value) => value };
  const definition = type.getFields()[name];
  if (definition === undefined) throw new Unusual();
  const { resolve = defaultFieldResolver } = definition;
  const complete = planType(definition.type, mention, planning);
  if (resolve === defaultFieldResolver) return { read: (source) => (source as Values)[name], complete };
  if (!planning.plain.has(resolve)) throw new Unusual();
  const args = getArgumentValues(definition, node, planning.executed.variableValues);
  const path = { prev: undefined, key: node.alias?.value ?? name, typename: type.name };
  const info = buildResolveInfo(planning.executed, definition, mention, type, path);
  const { contextValue } = planning.executed;
  return { read: (source) => resolve(source, args, contextValue, info), complete };
}

function planType(type: GraphQLOutputType, mention: Mention, planning: Planning): Complete {
  if (isNonNullType(type)) {
    const complete = planType(type.ofType, mention, planning);
    return (value) => {
      const completed = complete(value);
      if (completed === null) throw new Unusual();
      return completed;
    };
  }
  return orNull(planNullable(type, mention, planning));
}

const orNull =
  (complete: Complete): Complete =>
  (value) =>
    value === null || value === undefined ? null : complete(value);

function planNullable(type: GraphQLOutputType, mention: Mention, planning: Planning): Complete {
  if (isListType(type)) {
    const complete = planType(type.ofType as GraphQLOutputType, mention, planning);
    return (value) => {
      if (!Array.isArray(value)) throw new Unusual();
      return value.map(complete);
    };
  }
  if (isLeafType(type)) {
    return (value) => {
      const serialized = type.serialize(value);
      if (serialized === null || serialized === undefined) throw new Unusual();
      return serialized;
    };
  }
  if (isObjectType(type)) return planObject(type, mention, planning);
  if (isAbstractType(type)) return planAbstract(type, mention, planning);
  throw new Unusual();
}

function planObject(type: GraphQLObjectType, mention: Mention, planning: Planning): Complete {
  if (type.isTypeOf) throw new Unusual();
  const { schema, fragments, variableValues } = planning.executed;
  const fields = [...collectSubfields(schema, fragments, variableValues, type, mention)].map(([name, within]) => ({
    name,
    ...planField(type, within, planning),
  }));
  return (source) => {
    if (source instanceof Error) throw new Unusual();
    const answer: Values = {};
    for (const { name, read, complete } of fields) answer[name] = complete(atOnce(read(source)));
    return answer;
  };
}

/** What is there already. A promise is asked for again by graphql-js, which says what becomes of it. */
function atOnce(value: unknown): unknown {
  if (!(value instanceof Promise)) return value;
  value.catch(() => undefined);
  throw new Unusual();
}

/** Members are planned when one comes: most of them never do. */
function planAbstract(type: GraphQLAbstractType, mention: Mention, planning: Planning): Complete {
  const members = new Map<string, Complete>();
  const plan = (name: string): Complete => {
    const member = planning.executed.schema.getType(name);
    if (!isObjectType(member) || !planning.executed.schema.isSubType(type, member)) throw new Unusual();
    const complete = planObject(member, mention, planning);
    members.set(name, complete);
    return complete;
  };
  return (value) => {
    const name: unknown = type.resolveType?.(value, planning.executed.contextValue, {} as never, type);
    if (typeof name !== 'string') throw new Unusual();
    return (members.get(name) ?? plan(name))(value);
  };
}

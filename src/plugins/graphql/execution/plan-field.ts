import {
  defaultFieldResolver,
  getArgumentValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields.js';
import { buildResolveInfo, type ExecutionContext } from 'graphql/execution/execute.js';
import type { GraphqlResolver } from '../../graphql-parts.js';
import type { Mention } from './fields.js';

/** Resolvers that give what is there, at once and however often they are asked: the fields of Query promise theirs. */
export type PlainResolvers = WeakSet<GraphqlResolver>;

/** What a plan is made for. */
export interface Planning {
  readonly executed: ExecutionContext;
  readonly plain: PlainResolvers;
}

/**
 * Makes a value of the answer of what is there; the context is that of the request.
 * @throws Unusual, or what a scalar throws: graphql-js deals with it
 */
export type Complete = (value: unknown, context: unknown) => unknown;

/** Thrown for what is left to graphql-js. */
class Unusual extends Error {}

type Values = Record<string, unknown>;

/** A field of an object: where its value is found, and what becomes of it. */
export interface PlannedField {
  readonly read: (source: unknown, context: unknown) => unknown;
  readonly complete: Complete;
}

/**
 * Plans how a field is answered where all resolvers are plain.
 * @throws Unusual where they are not
 */
export function planField(
  type: GraphQLObjectType,
  mention: Mention,
  planning: Planning,
  planWithin: typeof planType = planType,
): PlannedField {
  const [node] = mention;
  const name = node?.name.value ?? '';
  // An answer is a plain object, to be fast.
  if (node === undefined || node.alias?.value === '__proto__') throw new Unusual();
  if (name === '__typename') return { read: () => type.name, complete: (value) => value };
  const definition = type.getFields()[name];
  if (definition === undefined) throw new Unusual();
  const { resolve = defaultFieldResolver } = definition;
  const complete = planWithin(definition.type, mention, planning);
  if (resolve === defaultFieldResolver) return { read: (source) => (source as Values)[name], complete };
  if (!planning.plain.has(resolve)) throw new Unusual();
  const args = getArgumentValues(definition, node, planning.executed.variableValues);
  const path = { prev: undefined, key: node.alias?.value ?? name, typename: type.name };
  const info = buildResolveInfo(planning.executed, definition, mention, type, path);
  return { read: (source, context) => resolve(source, args, context, info), complete };
}

export function planType(type: GraphQLOutputType, mention: Mention, planning: Planning): Complete {
  if (isNonNullType(type)) {
    const complete = planType(type.ofType, mention, planning);
    return (value, context) => {
      const completed = complete(value, context);
      if (completed === null) throw new Unusual();
      return completed;
    };
  }
  const complete = planNullable(type, mention, planning);
  return (value, context) => (value === null || value === undefined ? null : complete(value, context));
}

function planNullable(type: GraphQLOutputType, mention: Mention, planning: Planning): Complete {
  if (isListType(type)) {
    const complete = planType(type.ofType as GraphQLOutputType, mention, planning);
    return (value, context) => {
      if (!Array.isArray(value)) throw new Unusual();
      return value.map((one) => complete(one, context));
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
  return (source, context) => {
    if (source instanceof Error) throw new Unusual();
    const answer: Values = {};
    for (const { name, read, complete } of fields) answer[name] = complete(atOnce(read(source, context)), context);
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
  return (value, context) => {
    const name: unknown = type.resolveType?.(value, context, {} as never, type);
    if (typeof name !== 'string') throw new Unusual();
    return (members.get(name) ?? plan(name))(value, context);
  };
}

import {
  defaultFieldResolver,
  getArgumentValues,
  GraphQLID,
  GraphQLString,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLAbstractType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { jsonSize, textSize } from '../../../documents/response/response-size.js';
import type { GraphqlContext, GraphqlResolver } from '../../../plugins/contract/graphql/parts.js';
import type { FieldGroup } from '../fields.js';
import { buildResolveInfo, collectSubfields, type ExecutionContext } from '../graphql-internals.js';

/**
 * Pure synchronous resolvers, except those of Query, which return promises. By the resolver in the
 * schema, the resolver to call.
 */
export type PlainResolvers = WeakMap<GraphqlResolver, GraphqlResolver>;

/** The size of a field in addition to its name: quotes, colon, comma, and a short value. */
export const FIELD = 8;

/** The context of a plan. */
export interface Planning {
  readonly executed: ExecutionContext;
  readonly plain: PlainResolvers;
}

/**
 * Converts the result of a resolver to a value of the response, in the context of the request.
 * @throws CompletionError, or the error of a scalar: graphql-js executes the operation again and reports it
 */
export type Complete = (value: unknown, context: Counted) => unknown;

/** Counts the size of the response. */
export type Counted = Pick<GraphqlContext, 'budget' | 'prepared'>;

/** A value does not match the type of its field. */
class CompletionError extends Error {}

type Values = Record<string, unknown>;

/** A field of an object: how its value is resolved and completed. */
export interface PlannedField {
  readonly name: string;
  readonly read: (source: unknown, context: Counted) => unknown;
  readonly complete: Complete;
}

/** Plans the fields of an object by their names in the response; undefined unless all of them can be planned. */
export function planFields(
  type: GraphQLObjectType,
  groups: ReadonlyMap<string, FieldGroup>,
  planning: Planning,
  planWithin: typeof planType = planType,
): readonly PlannedField[] | undefined {
  const fields: PlannedField[] = [];
  for (const [name, group] of groups) {
    const planned = planField(type, group, planning, planWithin);
    // A response is a plain object, to be fast.
    if (planned === undefined || name === '__proto__') return undefined;
    fields.push({ name, ...planned });
  }
  return fields;
}

/** Undefined if a resolver cannot be compiled. */
function planField(
  type: GraphQLObjectType,
  group: FieldGroup,
  planning: Planning,
  planWithin: typeof planType,
): Omit<PlannedField, 'name'> | undefined {
  const [node] = group;
  const name = node?.name.value ?? '';
  if (name === '__typename') return { read: () => type.name, complete: (value) => value };
  const definition = type.getFields()[name];
  if (node === undefined || definition === undefined) return undefined;
  const { resolve = defaultFieldResolver } = definition;
  const plain = planning.plain.get(resolve);
  if (plain === undefined && resolve !== defaultFieldResolver) return undefined;
  const complete = planWithin(definition.type, group, planning);
  if (complete === undefined) return undefined;
  if (plain === undefined) return { read: (source) => (source as Values)[name], complete };
  const args = getArgumentValues(definition, node, planning.executed.variableValues);
  const path = { prev: undefined, key: node.alias?.value ?? name, typename: type.name };
  const info = buildResolveInfo(planning.executed, definition, group, type, path);
  return { read: (source, context) => plain(source, args, context as GraphqlContext, info), complete };
}

/** Plans the completion of a value of this type; undefined if it cannot be planned. */
export function planType(type: GraphQLOutputType, group: FieldGroup, planning: Planning): Complete | undefined {
  if (isNonNullType(type)) {
    const complete = planType(type.ofType, group, planning);
    return (
      complete &&
      ((value, context) => {
        const completed = complete(value, context);
        if (completed === null) throw new CompletionError();
        return completed;
      })
    );
  }
  const complete = planNullable(type, group, planning);
  return complete && ((value, context) => (value === null || value === undefined ? null : complete(value, context)));
}

function planNullable(type: GraphQLOutputType, group: FieldGroup, planning: Planning): Complete | undefined {
  if (isListType(type)) return planList(type.ofType as GraphQLOutputType, group, planning);
  if (isLeafType(type)) return planLeaf(type);
  if (isObjectType(type)) return planObject(type, group, planning);
  return isAbstractType(type) ? planAbstract(type, group, planning) : undefined;
}

function planList(type: GraphQLOutputType, group: FieldGroup, planning: Planning): Complete | undefined {
  const complete = planType(type, group, planning);
  return (
    complete &&
    ((value, context) => {
      if (!Array.isArray(value)) throw new CompletionError();
      return value.map((item) => complete(item, context));
    })
  );
}

/** The types whose strings are their own serialization, which GraphQL's functions find out in a multiple of the time. */
const ofText = new Set<GraphQLLeafType>([GraphQLString, GraphQLID]);

const planLeaf = (type: GraphQLLeafType): Complete => {
  const isOfText = ofText.has(type);
  return (value, { budget }) => {
    const serialized: unknown = isOfText && typeof value === 'string' ? value : type.serialize(value);
    if (serialized === null || serialized === undefined) throw new CompletionError();
    if (typeof serialized === 'string') budget.spend(textSize(serialized));
    else if (typeof serialized === 'object') budget.spend(jsonSize(serialized, budget.left));
    return serialized;
  };
};

function planObject(type: GraphQLObjectType, group: FieldGroup, planning: Planning): Complete | undefined {
  if (type.isTypeOf) return undefined;
  const { schema, fragments, variableValues } = planning.executed;
  const fields = planFields(type, collectSubfields(schema, fragments, variableValues, type, group), planning);
  if (fields === undefined) return undefined;
  const size = fields.reduce((sum, { name }) => sum + name.length + FIELD, 0);
  return (source, context) => {
    if (source instanceof Error) throw new CompletionError();
    context.budget.spend(size);
    const values: Values = {};
    for (const { name, read, complete } of fields) values[name] = complete(requireSync(read(source, context)), context);
    return values;
  };
}

/** A value that is available synchronously. Promises are left to graphql-js, which resolves the field again. */
function requireSync(value: unknown): unknown {
  if (!(value instanceof Promise)) return value;
  value.catch(() => undefined);
  throw new CompletionError();
}

/** Members are planned when the first one occurs: most of them never do. */
function planAbstract(type: GraphQLAbstractType, group: FieldGroup, planning: Planning): Complete {
  const members = new Map<string, Complete | undefined>();
  const planMember = (name: string): Complete | undefined => {
    if (members.has(name)) return members.get(name);
    const member = planning.executed.schema.getType(name);
    const isMember = isObjectType(member) && planning.executed.schema.isSubType(type, member);
    const complete = isMember ? planObject(member, group, planning) : undefined;
    members.set(name, complete);
    return complete;
  };
  return (value, context) => {
    const name: unknown = type.resolveType?.(value, context, {} as never, type);
    const complete = typeof name === 'string' ? planMember(name) : undefined;
    if (complete === undefined) throw new CompletionError();
    return complete(value, context);
  };
}

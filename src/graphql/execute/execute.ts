import { inspect } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  defaultTypeResolver,
  getArgumentValues,
  getVariableValues,
  GraphQLError,
  GraphQLID,
  GraphQLString,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  locatedError,
  OperationTypeNode,
  responsePathAsArray,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { jsonSize, textSize } from '../../documents/response/response-body.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { collectFields, type Executed, type FieldGroup, type Selecting } from './fields.js';

export interface ExecuteArgs {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
  readonly contextValue: GraphqlContext;
  /** The event, for a subscription. */
  readonly rootValue?: unknown;
}

/** Returns the result that graphql-js returns; never rejects. Resolvers of root fields of a query are called before it returns. */
export type Execute = (args: ExecuteArgs) => Promise<ExecutionResult>;

export interface ExecuteOptions {
  /** Maximum errors of variables. */
  readonly maxErrors: number;
  /** Errors of variables suggest no names of the schema. */
  readonly hideSuggestions: boolean;
}

/**
 * Executes operations as the specification of GraphQL says, with the results and errors of graphql-js. It differs in the work that it does for
 * each value: a selection is planned once for all entries, and for all requests if no variable can change it; fields that only read a
 * property get no `info`. `docs/internals/optimizations.md` has the gain.
 *
 * It counts the size of the response in the budget of the context. Once that is exceeded, the rest is null, without a call of a resolver.
 */
export function createExecute(schema: GraphQLSchema, options: ExecuteOptions): Execute {
  const plans = new WeakMap<OperationDefinitionNode, Plan>();
  const planOf = (operation: OperationDefinitionNode, { fragments, variableValues }: Run): Plan => {
    const known = plans.get(operation);
    if (known !== undefined) return known;
    const type = schema.getRootType(operation.operation);
    if (!type) throw new GraphQLError(`Schema is not configured to execute ${operation.operation} operation.`);
    const isLasting = ![operation, ...Object.values(fragments)].some(isConditional);
    // What lasts retains nothing of this request.
    const planning = { schema, fragments, variableValues: isLasting ? {} : variableValues };
    const plan = planFields(type, [operation], planning);
    if (isLasting) plans.set(operation, plan);
    return plan;
  };
  return async ({ document, operation, variableValues, contextValue, rootValue }) => {
    const { errors: invalid, coerced } = getVariableValues(
      schema,
      operation.variableDefinitions ?? [],
      variableValues ?? {},
      options,
    );
    if (coerced === undefined) return { errors: invalid ?? [] };
    const fragments = fragmentsOf(document);
    const errors = new CollectedErrors();
    const run: Run = { schema, fragments, operation, variableValues: coerced, contextValue, rootValue, errors };
    let data: Values | null = null;
    try {
      const plan = planOf(operation, run);
      const isSerial = operation.operation === OperationTypeNode.MUTATION;
      data = await (isSerial ? executeSerially : executeFields)(plan, rootValue, undefined, run);
    } catch (error) {
      errors.add(error as GraphQLError, undefined);
    }
    return errors.all.length === 0 ? { data } : { errors: errors.all, data };
  };
}

function fragmentsOf({ definitions }: DocumentNode): Run['fragments'] {
  const fragments = Object.create(null) as Run['fragments'];
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  return fragments;
}

/** Whether a variable decides which fields are selected. */
function isConditional(part: OperationDefinitionNode | FragmentDefinitionNode): boolean {
  let isFound = false;
  visit(part, { Directive: { enter: (node) => void (isFound ||= node.arguments?.some(isVariable) === true) } });
  return isFound;
}

const isVariable = ({ value }: { readonly value: { readonly kind: Kind } }): boolean => value.kind === Kind.VARIABLE;

interface Run extends Executed, Pick<GraphQLResolveInfo, 'operation' | 'rootValue'> {
  readonly contextValue: GraphqlContext;
  readonly errors: CollectedErrors;
}

type Path = GraphQLResolveInfo['path'];

/** The errors of an execution, without those below a place that another error has made null. */
class CollectedErrors {
  readonly all: GraphQLError[] = [];
  readonly #nulled = new Set<Path | undefined>();

  add(error: GraphQLError, path: Path | undefined): void {
    if (this.#nulled.has(undefined)) return;
    for (let place = path; place !== undefined; place = place.prev) if (this.#nulled.has(place)) return;
    this.#nulled.add(path);
    this.all.push(error);
  }
}

/** A place for a value: a field or an item of a list. */
interface Slot {
  readonly type: GraphQLOutputType;
  readonly nodes: FieldGroup;
  readonly complete: Complete;
}

/** Turns the result of a resolver into a value of the response, or a promise of it. @throws the error of the field */
type Complete = (value: unknown, path: Path, run: Run) => unknown;

/** Where a document selects a field. */
interface FieldPlace {
  readonly parent: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: FieldGroup;
}

interface Field extends Slot, FieldPlace {
  readonly key: string;
  /** Without resolver and arguments. */
  readonly isProperty: boolean;
}

/** The selected fields of an object. */
interface Plan {
  readonly fields: readonly Field[];
  /** Bytes of the names and of short values. */
  readonly size: number;
}

/** Bytes of a field besides its name: quotes, colon, comma and a short value. */
const FIELD_SIZE = 8;
/** Bytes of an error: far more in memory than in the response. */
const ERROR_SIZE = 1000;

/** @param selecting what selects the fields: a field or the operation */
function planFields(parent: GraphQLObjectType, selecting: readonly Selecting[], planning: Executed): Plan {
  const fields = [...collectFields(planning, parent, selecting)].flatMap(([key, nodes]): Field[] => {
    const definition = definitionOf(planning.schema, parent, nodes[0]?.name.value ?? '');
    if (definition === undefined) return [];
    const { type, resolve = defaultFieldResolver, args } = definition;
    const isProperty = resolve === defaultFieldResolver && args.length === 0;
    const complete = planValue(type, { parent, definition, nodes, planning });
    return [{ key, parent, definition, nodes, type, isProperty, complete }];
  });
  return { fields, size: fields.reduce((sum, { key }) => sum + key.length + FIELD_SIZE, 0) };
}

function definitionOf(schema: GraphQLSchema, parent: GraphQLObjectType, name: string): Field['definition'] | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  const meta = [SchemaMetaFieldDef, TypeMetaFieldDef].find((definition) => definition.name === name);
  return meta !== undefined && parent === schema.getQueryType() ? meta : parent.getFields()[name];
}

/** Objects without inherited properties, so that every name can be a key. V8 is slow with those of `Object.create(null)`. */
const Values = function Values() {} as unknown as new () => Values;
Values.prototype = Object.create(null) as object;
type Values = Record<string, unknown>;

function executeFields(
  { fields, size }: Plan,
  source: unknown,
  path: Path | undefined,
  run: Run,
): Values | Promise<Values> {
  const values = new Values();
  let isPending = false;
  run.contextValue.budget.spend(size);
  try {
    for (const field of fields) {
      const value = executeField(field, source, path, run);
      values[field.key] = value;
      isPending ||= isPromise(value);
    }
  } catch (error) {
    return failAfter(isPending ? Object.values(values) : [], error);
  }
  return isPending ? settle(values) : values;
}

async function executeSerially(
  { fields, size }: Plan,
  source: unknown,
  path: Path | undefined,
  run: Run,
): Promise<Values> {
  const values = new Values();
  run.contextValue.budget.spend(size);
  for (const field of fields) values[field.key] = await executeField(field, source, path, run);
  return values;
}

async function settle(values: Values): Promise<Values> {
  const keys = Object.keys(values);
  const settled = await Promise.all(Object.values(values));
  for (const [index, key] of keys.entries()) values[key] = settled[index];
  return values;
}

/** Throws an error; what was begun may be rejected too, which must not end the process. */
function failAfter(begun: readonly unknown[], error: unknown): never | Promise<never> {
  if (begun.length === 0) throw error;
  return Promise.allSettled(begun).then(() => {
    throw error;
  });
}

function executeField(field: Field, source: unknown, parentPath: Path | undefined, run: Run): unknown {
  if (run.contextValue.budget.left < 0) return null;
  const path: Path = { prev: parentPath, key: field.key, typename: field.parent.name };
  let value: unknown;
  try {
    value = resolveField(field, source, path, run);
  } catch (error) {
    return handleError(error, field, path, run);
  }
  return completeSlot(field, value, path, run);
}

function resolveField(
  { definition, nodes, parent, isProperty }: Field,
  source: unknown,
  path: Path,
  run: Run,
): unknown {
  if (isProperty && typeof source === 'object' && source !== null) {
    const value = (source as Values)[definition.name];
    if (typeof value !== 'function') return value;
  }
  const args = getArgumentValues(definition, nodes[0] as FieldGroup[0], run.variableValues);
  const resolve = definition.resolve ?? defaultFieldResolver;
  return resolve(source, args, run.contextValue, infoOf({ definition, nodes, parent }, path, run));
}

function infoOf({ definition, nodes, parent }: FieldPlace, place: Path, run: Run): GraphQLResolveInfo {
  const { schema, fragments, rootValue, operation, variableValues } = run;
  let path = place;
  // Of the field, for an item of its list.
  while (typeof path.key === 'number' && path.prev !== undefined) path = path.prev;
  return {
    fieldName: definition.name,
    fieldNodes: nodes,
    returnType: definition.type,
    parentType: parent,
    path,
    schema,
    fragments,
    rootValue,
    operation,
    variableValues,
  };
}

function completeSlot(slot: Slot, value: unknown, path: Path, run: Run): unknown {
  try {
    const completed = next(value, (resolved) => slot.complete(resolved, path, run));
    return isPromise(completed)
      ? completed.then(undefined, (error: unknown) => handleError(error, slot, path, run))
      : completed;
  } catch (error) {
    return handleError(error, slot, path, run);
  }
}

/** Makes the value null; where its type does not allow that, the object around it. */
function handleError(error: unknown, { type, nodes }: Slot, path: Path, run: Run): null {
  const located = locatedError(error, nodes, responsePathAsArray(path));
  if (isNonNullType(type)) throw located;
  run.errors.add(located, path);
  run.contextValue.budget.spend(ERROR_SIZE);
  return null;
}

interface Planned extends FieldPlace {
  readonly planning: Executed;
}

const nameOf = ({ parent, definition }: FieldPlace): string => `${parent.name}.${definition.name}`;

function planValue(type: GraphQLOutputType, planned: Planned): Complete {
  if (isNonNullType(type)) {
    const complete = planValue(type.ofType, planned);
    return (value, path, run) => {
      const completed = complete(value, path, run);
      if (completed === null) throw new Error(`Cannot return null for non-nullable field ${nameOf(planned)}.`);
      return completed;
    };
  }
  const complete = planNullable(type, planned);
  return (value, path, run) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    return complete(value, path, run);
  };
}

function planNullable(type: GraphQLOutputType, planned: Planned): Complete {
  if (isListType(type)) return planList(type.ofType as GraphQLOutputType, planned);
  if (isLeafType(type)) return planLeaf(type);
  return isObjectType(type) ? planObject(type, planned) : planAbstract(type, planned);
}

function planList(type: GraphQLOutputType, planned: Planned): Complete {
  const slot = { type, nodes: planned.nodes, complete: planValue(type, planned) };
  return (value, prev, run) => {
    if (!isIterable(value)) {
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${nameOf(planned)}".`);
    }
    const items: unknown[] = [];
    let isPending = false;
    try {
      for (const item of value) {
        const completed = completeSlot(slot, item, { prev, key: items.length, typename: undefined }, run);
        items.push(completed);
        isPending ||= isPromise(completed);
      }
    } catch (error) {
      return failAfter(isPending ? items : [], error);
    }
    return isPending ? Promise.all(items) : items;
  };
}

/** Their strings are their own serialization, which their functions find out in a multiple of the time. */
const textTypes = new Set<GraphQLLeafType>([GraphQLString, GraphQLID]);

function planLeaf(type: GraphQLLeafType): Complete {
  const isText = textTypes.has(type);
  return (value, _path, { contextValue: { budget } }) => {
    const serialized: unknown = isText && typeof value === 'string' ? value : type.serialize(value);
    if (serialized === null || serialized === undefined) {
      throw new Error(
        `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(serialized)}`,
      );
    }
    if (typeof serialized === 'string') budget.spend(textSize(serialized));
    else if (typeof serialized === 'object') budget.spend(jsonSize(serialized, budget.left));
    return serialized;
  };
}

function planObject(type: GraphQLObjectType, planned: Planned): Complete {
  const { nodes, planning } = planned;
  let plan: Plan | undefined;
  const execute: Complete = (value, path, run) => {
    plan ??= planFields(type, nodes, planning);
    return executeFields(plan, value, path, run);
  };
  const { isTypeOf } = type;
  if (!isTypeOf) return execute;
  return (value, path, run) =>
    next(isTypeOf(value, run.contextValue, infoOf(planned, path, run)), (isOfType) => {
      if (isOfType) return execute(value, path, run);
      throw new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`, { nodes });
    });
}

/** Members are planned when the first one occurs: most of them never do. */
function planAbstract(type: GraphQLAbstractType, planned: Planned): Complete {
  const members = new Map<GraphQLObjectType, Complete>();
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return (value, path, run) =>
    next(resolveType(value, run.contextValue, infoOf(planned, path, run), type), (name) => {
      const member = memberOf(type, name, value, planned);
      const complete = members.get(member) ?? planObject(member, planned);
      members.set(member, complete);
      return complete(value, path, run);
    });
}

function memberOf(type: GraphQLAbstractType, name: unknown, value: unknown, planned: Planned): GraphQLObjectType {
  const { schema } = planned.planning;
  const refuse = (message: string): never => {
    throw new GraphQLError(message, { nodes: planned.nodes });
  };
  const must = `Abstract type "${type.name}" must resolve to an Object type at runtime for field "${nameOf(planned)}"`;
  if (name === null || name === undefined) {
    return refuse(
      `${must}. Either the "${type.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
    );
  }
  if (typeof name !== 'string') return refuse(`${must} with value ${inspect(value)}, received "${inspect(name)}".`);
  const member = schema.getType(name);
  const resolved = `Abstract type "${type.name}" was resolved to a`;
  if (member === undefined) return refuse(`${resolved} type "${name}" that does not exist inside the schema.`);
  if (!isObjectType(member)) return refuse(`${resolved} non-object type "${name}".`);
  if (schema.isSubType(type, member)) return member;
  return refuse(`Runtime Object type "${member.name}" is not a possible type for "${type.name}".`);
}

const next = <T>(value: T | PromiseLike<T>, then: (value: T) => unknown): unknown =>
  isPromise(value) ? value.then(then) : then(value);

/** As graphql-js recognizes promises, which need not be those of JavaScript. */
const isPromise = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function';

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

import {
  isNonNullType,
  isObjectType,
  Kind,
  type FragmentDefinitionNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { type ResponseBudget, jsonSize } from '../../documents/response/response-size.js';
import type { GraphqlResolver } from '../../plugins/contract/graphql/parts.js';
import { FIELD, type PlainResolvers } from './compiled/plan-field.js';

/** The size of an error: far more in memory than in the response. */
const ERROR = 1000;

/** Makes a resolver count the values that it returns. */
export type Counting = (resolve: GraphqlResolver) => GraphqlResolver;

/**
 * Counts values for graphql-js, which does not report them. When the budget is exceeded, no more fields are resolved:
 * everything is null, and the response is refused.
 */
export function createCounting(): Counting {
  const sizeOfFields = createSizeOfFields();
  /** Strings, and the names of the selected fields of each object. */
  const count = (value: unknown, budget: ResponseBudget, info: GraphQLResolveInfo): unknown => {
    const { fieldNodes, fragments, returnType } = info;
    if (value === null || value === undefined) {
      if (isNonNullType(returnType)) budget.spend(ERROR);
    } else if (fieldNodes[0]?.selectionSet === undefined) {
      budget.spend(jsonSize(value, budget.left));
    } else {
      const times = Array.isArray(value) ? value.length : 1;
      for (const { selectionSet } of fieldNodes) budget.spend(times * sizeOfFields(selectionSet, fragments));
    }
    return value;
  };
  return (resolve) => (source, args, context, info) => {
    const { budget } = context;
    if (budget.left < 0) return null;
    const refused = (error: unknown): never => {
      budget.spend(ERROR);
      throw error;
    };
    try {
      const value: unknown = resolve(source, args, context, info);
      if (!isPromise(value)) return count(value, budget, info);
      return value.then((resolved) => count(resolved, budget, info), refused);
    } catch (error) {
      return refused(error);
    }
  };
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** The minimum size of the fields of one object: names and short values. Cached by selection set. */
function createSizeOfFields(): (selectionSet: SelectionSetNode | undefined, fragments: Fragments) => number {
  const sizes = new WeakMap<SelectionSetNode, number>();
  const sizeOf = (selectionSet: SelectionSetNode | undefined, fragments: Fragments): number => {
    const cached = selectionSet && sizes.get(selectionSet);
    if (selectionSet === undefined || cached !== undefined) return cached ?? 0;
    let size = 0;
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) size += (selection.alias ?? selection.name).value.length + FIELD;
      else if (selection.kind === Kind.INLINE_FRAGMENT) size += sizeOf(selection.selectionSet, fragments);
      else size += sizeOf(fragments[selection.name.value]?.selectionSet, fragments);
    }
    sizes.set(selectionSet, size);
    return size;
  };
  return sizeOf;
}

/**
 * Makes all resolvers of a schema count.
 * @param plain receives the plain resolver of each counting one
 */
export function countValues(schema: GraphQLSchema, counting: Counting, plain: PlainResolvers): void {
  for (const [name, type] of Object.entries(schema.getTypeMap())) {
    // The types of introspection are those of every schema.
    if (!isObjectType(type) || name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (resolve === undefined) continue;
      field.resolve = counting(resolve);
      const original = plain.get(resolve);
      if (original !== undefined) plain.set(field.resolve, original);
    }
  }
}

import type { GraphQLResolveInfo } from 'graphql';
import { readCalls, type AskedRead, type ReadCall } from '../../calls/read-call.js';
import type { ContentType } from '../../content-types/model/types.js';
import { emptyQuery } from '../../documents/context.js';
import { presentEntry, presentList } from '../../documents/read-operation.js';
import { forRead } from '../../documents/request-context.js';
import { hasCode } from '../../errors/app-error.js';
import type { ReadForm } from '../../plugins/contract/graphql/form.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import type { Filter, Query } from '../../query/ast.js';
import type { SchemaShape } from '../schema/shape.js';
import { pageInfo, parseListing, type Arguments, type ReadLimits } from './listing.js';
import { rememberQueries } from './remember-queries.js';
import { requestsCount, selectData } from './selection-for-resolver.js';

/** What a root field does, whatever its form: it answers with `nodes` and `meta`, or with a `value`. */
export type Operation = (
  type: ContentType,
  args: Arguments,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => Promise<unknown>;

/** What the fields of a schema ask for, in their arguments. */
export interface FieldForm extends Pick<ReadForm, 'presenter' | 'scope'> {
  /** The entry that the arguments name: by its id, or by another value. @throws AppError */
  readonly entryOf: (type: ContentType, args: Arguments) => { readonly id: string } | { readonly filter: Filter };
  /** The state of one entry, where `scope` does not say it. @throws AppError invalidParameter */
  readonly stateOfOne?: (type: ContentType, args: Arguments, limits: ReadLimits) => Partial<Query>;
  /** Whether a preview link shows an entry. */
  readonly isPreviewed: (context: GraphqlContext, type: ContentType, id: number | undefined) => boolean;
}

/** The fields of Query of a content type, in any schema: the reads of every door. */
export function fieldReads(
  form: FieldForm,
  shape: SchemaShape,
  limits: ReadLimits,
): Readonly<Record<'find' | 'findOne' | 'findSingle', Operation>> {
  const remembered = rememberQueries();
  const listOf = (...[type, args, { caller }, info]: Parameters<Operation>): Query =>
    remembered(info, args, caller, (observed) => {
      const listing = parseListing(args, type, observed, limits, shape);
      const withCount = requestsCount(info, shape.wayToPage);
      const pagination = { ...listing.pagination, withCount };
      const selection = selectData(type, info, { caller: observed, limits, shape });
      return form.scope({ ...emptyQuery(type), ...selection, ...listing, pagination }, args);
    });
  const entryOf = ([type, args, { caller }, info]: Parameters<Operation>, filter: Filter | undefined): Query => {
    const state = form.stateOfOne?.(type, args, limits);
    const selection = selectData(type, info, { caller, limits, shape });
    return form.scope({ ...emptyQuery(type), ...selection, ...state, filter }, args);
  };
  const asked = (field: Parameters<Operation>, id = '', filter?: Filter): AskedRead => {
    const [type, args, context] = field;
    return {
      type,
      caller: context.caller,
      id,
      list: () => listOf(...field),
      entry: () => ({ input: args, query: entryOf(field, filter), unused: nothing }),
      single: () => entryOf(field, undefined),
      isPreviewed: (shown) => form.isPreviewed(context, type, shown),
      isByCode: () => false,
      maxLimit: undefined,
    };
  };
  const readOne = (context: GraphqlContext, callOf: () => ReadCall): Promise<unknown> =>
    orNothing(async () => context.read({ ...forRead(context, form.presenter), ...callOf().read }, presentEntry));
  return {
    find: async (...field) => {
      const [, , context] = field;
      const { read } = readCalls.find(asked(field));
      const { entries, total = 0 } = await context.read({ ...forRead(context, form.presenter), ...read }, presentList);
      return { nodes: entries, meta: { pagination: pageInfo(read.query.pagination, total) } };
    },
    findOne: async (...field) =>
      readOne(field[2], () => {
        const named = form.entryOf(field[0], field[1]);
        return 'id' in named
          ? readCalls.findOne(asked(field, named.id))
          : readCalls.findByKey(asked(field, '', named.filter));
      }),
    findSingle: async (...field) => readOne(field[2], () => readCalls.findSingle(asked(field))),
  };
}

/** A field of one entry has neither filters nor a sort. */
const nothing = { filter: undefined, sort: [] };

/** As recorded, a missing entry is null, without an error. */
export async function orNothing(work: () => Promise<unknown>): Promise<{ readonly value: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (hasCode(error, 'notFound')) return { value: null };
    throw error;
  }
}

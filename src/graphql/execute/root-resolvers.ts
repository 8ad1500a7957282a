import type { GraphQLResolveInfo } from 'graphql';
import lodash from 'lodash';
import { isRecord } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { type EntryRequest, emptyQuery } from '../../documents/context.js';
import type { Documents } from '../../documents/documents.js';
import { presentEntry, presentList, withoutRelations } from '../../documents/read-operation.js';
import { requestedQuery } from '../../documents/read.js';
import { forRead } from '../../documents/request-context.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { Query } from '../../query/ast.js';
import { parametersOf, parseValues, selectedValues } from '../../query/plugin-parameters.js';
import { parseId, requireId } from '../../query/parse/input.js';
import { parseKey, type Key } from '../../query/parse/parse-key.js';
import { hasStatus, parseStatus, stateOfStatus } from '../../query/parse/parse-status.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { graphqlPresenter } from '../../plugins/contract/graphql/presenter.js';
import type { RootField } from '../schema/root-fields.js';
import { v4Shape } from '../schema/shape.js';
import { rememberQueries } from './remember-queries.js';
import { requestsCount, selectData } from './selection-for-resolver.js';
import { pageInfo, parseListing, parseSingle, type Arguments, type ReadLimits } from './listing.js';

type Operation = (
  type: ContentType,
  args: Arguments,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => Promise<unknown>;

/** The arguments that Strapi v4 does not have. */
export const optionsOf = (type: ContentType): readonly string[] => [
  'by',
  ...(hasStatus(type) ? ['status'] : []),
  ...parametersOf(type).flatMap(({ name, graphql }) => (graphql.isAddition === true ? [name] : [])),
  'dryRun',
];

/** Those of fields that return entries. */
export type EntryOperation = Exclude<RootField['operation'], 'aggregate'>;

export interface Operations extends Readonly<Record<EntryOperation, Operation>> {
  /** Counts the entries that the caller may see. */
  readonly count: (type: ContentType, args: Arguments, context: GraphqlContext) => Promise<number>;
}

type ReadOperation = 'find' | 'findOne' | 'findSingle' | 'count';

/**
 * Strapi v4's generated queries and mutations: translate the arguments, call the service, return the source objects of
 * the types.
 */
export const rootOperations = (documents: Documents, limits: ReadLimits): Operations => ({
  ...readOperations(limits),
  ...writeOperations(documents),
});

function readOperations(limits: ReadLimits): Pick<Operations, ReadOperation> {
  const remembered = rememberQueries();
  return {
    find: async (type, args, context, info) => {
      const query = remembered(info, args, context.caller, (caller) => {
        const listing = parseListing(args, type, caller, limits);
        const selection = selectData(type, info, { caller, limits, shape: v4Shape });
        const withCount = requestsCount(info);
        return queryOf(type, args, { ...selection, ...listing, pagination: { ...listing.pagination, withCount } });
      });
      const { entries, total = 0 } = await context.read(
        { ...forRead(context, graphqlPresenter), action: 'find', query },
        presentList,
      );
      return { nodes: entries, meta: { pagination: pageInfo(query.pagination, total) } };
    },
    findOne: async (type, args, context, info) => {
      if (args['by'] !== undefined) {
        const filter = parseKey(keyIn(args), type);
        const status = parseStatus(args['status'], type);
        const query = queryOf(type, args, {
          ...selectData(type, info, { caller: context.caller, limits, shape: v4Shape }),
          filter,
          ...(status && { publicationState: stateOfStatus[status] }),
        });
        return orNothing(() =>
          context.read({ ...forRead(context, graphqlPresenter), action: 'findByKey', query }, presentEntry),
        );
      }
      const request = { ...entryRequest(type, args, context, info), parameters: parseValues(args, type) };
      const id = parseId(args['id']);
      if (id === undefined) return { value: null };
      const previewed = context.isPreviewed({ uid: type.uid, id });
      const query = requestedQuery(type, request);
      return orNothing(() =>
        context.read({ ...forRead(context, graphqlPresenter), action: 'findOne', query, id, previewed }, presentEntry),
      );
    },
    findSingle: async (type, args, context, info) => {
      const query = queryOf(type, args, {
        ...selectData(type, info, { caller: context.caller, limits, shape: v4Shape }),
        ...parseSingle(args, type, limits),
      });
      const previewed = context.isPreviewed({ uid: type.uid });
      return orNothing(() =>
        context.read({ ...forRead(context, graphqlPresenter), action: 'findSingle', query, previewed }, presentEntry),
      );
    },
    count: async (type, args, context) => {
      // As in Strapi v4, drafts count unless the arguments leave them out.
      const listing = parseListing(args, type, context.caller, limits);
      const publicationState = (args['publicationState'] ?? null) === null ? 'stored' : listing.publicationState;
      const pagination = { ...listing.pagination, limit: 1, withCount: true };
      const query = queryOf(type, args, { ...listing, publicationState, fields: [], pagination });
      const request = { ...forRead(context, graphqlPresenter), action: 'find', query } as const;
      return (await context.read(request, presentList)).total ?? 0;
    },
  };
}

function writeOperations(documents: Documents): Omit<Operations, ReadOperation> {
  return {
    create: async (type, args, context, info) => ({
      value: await documents.create(type, dataOf(type, args), entryRequest(type, args, context, info), asDraft),
    }),
    update: async (type, args, context, info) =>
      orNothing(async () => {
        const target = { type, id: idToWrite(args) };
        return (await documents.update(target, dataOf(type, args), entryRequest(type, args, context, info))).entry;
      }),
    delete: async (type, args, context, info) =>
      orNothing(async () => {
        const target = { type, id: idToWrite(args) };
        return documents.delete(target, withoutRelations(entryRequest(type, args, context, info)));
      }),
    updateSingle: async (type, args, context, info) => {
      const data = dataOf(type, args);
      const request = entryRequest(type, args, context, info);
      return failAtValue(async () => (await documents.update({ type, single: true }, data, request, asDraft)).entry);
    },
    deleteSingle: async (type, args, context, info) => {
      const query = queryOf(type, args, { publicationState: 'preview' });
      const { value } = await orNothing(() =>
        documents.read(
          { ...forRead(context, graphqlPresenter), mayLag: false, action: 'findSingle', query },
          presentEntry,
        ),
      );
      if (value === null) throw new AppError('notFound', 'Entity not found');
      const { id } = value as { readonly id: number };
      return { value: await documents.delete({ type, id }, withoutRelations(entryRequest(type, args, context, info))) };
    },
  };
}

const entryRequest = (...[type, args, context, info]: Parameters<Operation>): EntryRequest => ({
  ...context.entryRequest(type, info),
  parameters: parseValues(args, type, 'scope'),
  dryRun: args['dryRun'] === true,
  ...(hasStatus(type) && { status: parseStatus(args['status'], type) }),
});

/** As in Strapi v4, an entry created over GraphQL is a draft unless the data has `publishedAt`. */
const asDraft = { publish: false };

const queryOf = (type: ContentType, args: Arguments, overrides: Partial<Query>): Query => ({
  ...emptyQuery(type),
  ...overrides,
  parameters: parseValues(args, type),
});

/** @throws AppError badRequest */
function keyIn({ id, by }: Arguments): Key {
  const [key, ...others] = Object.entries(isRecord(by) ? by : {});
  if (id !== undefined || typeof key?.[1] !== 'string' || others.length > 0)
    throw new AppError('badRequest', 'An entry has to be named by its id or by one unique value');
  return { attribute: key[0], value: key[1] };
}

/**
 * The id of the entry to write. As recorded, nothing is written where a client's is that of no entry.
 * @throws AppError notFound; badRequest for what is neither text nor a number, which only code can set
 */
export function idToWrite({ id }: Arguments): number {
  if (typeof id === 'string' || typeof id === 'number') return requireId(id);
  throw new AppError('badRequest', 'The argument id must be a string or a number');
}

/** Written data, with the attributes that the arguments select by. */
export function dataOf(type: ContentType, args: Arguments): unknown {
  // The objects of graphql have no prototype; those of JSON do.
  const values: unknown = lodash.cloneDeep(args['data']);
  return isRecord(values) ? { ...values, ...selectedValues(type, args) } : values;
}

/**
 * As recorded, errors in the data of a single type have the path of `data`: as in Strapi v4, the value is a promise.
 */
export async function failAtValue(work: () => Promise<unknown>): Promise<{ readonly value: unknown }> {
  const value = work();
  await value.catch(() => undefined);
  return { value };
}

/** As recorded, a missing entry is null, without an error. */
export async function orNothing(work: () => Promise<unknown>): Promise<{ readonly value: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (hasCode(error, 'notFound')) return { value: null };
    throw error;
  }
}

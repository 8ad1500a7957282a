import type { GraphQLResolveInfo } from 'graphql';
import type { ContentType } from '../../content-types/model/types.js';
import { emptyQuery } from '../../documents/context.js';
import { presentEntry, presentList } from '../../documents/read-operation.js';
import { forRead } from '../../documents/request-context.js';
import type { GraphqlForm, RootOperation } from '../../plugins/contract/graphql/form.js';
import type { GraphqlContext, GraphqlResolver, GraphqlResolvers } from '../../plugins/contract/graphql/parts.js';
import { both, type Query } from '../../query/ast.js';
import type { FieldGuards } from '../field-guards.js';
import type { GeneratedSchema } from '../schema/generate.js';
import type { RootFields } from '../schema/root-fields.js';
import type { SchemaShape } from '../schema/shape.js';
import { holdReads, requirePermission, showing, valueResolvers } from './create-resolvers.js';
import { pageInfo, parseListing, type Arguments, type ReadLimits } from './listing.js';
import { rememberQueries } from './remember-queries.js';
import { orNothing } from './root-resolvers.js';
import { requestsCount, selectData } from './selection-for-resolver.js';

interface FormOptions {
  readonly form: GraphqlForm;
  readonly shape: SchemaShape;
  readonly limits: ReadLimits;
  readonly guardOf: FieldGuards;
}

/** The resolvers of what is generated from the content types in another form. */
export function formResolvers(
  generated: GeneratedSchema,
  { form, shape, limits, guardOf }: FormOptions,
): GraphqlResolvers {
  const operations = formOperations(form, shape, limits);
  const root = (name: string, fields: RootFields): Readonly<Record<string, GraphqlResolver>> =>
    Object.fromEntries(
      [...fields].map(([field, { type, operation, action, shown }]) => {
        const resolve: GraphqlResolver = (_source, args, context, info) =>
          operations[operation](type, args as Arguments, context, info);
        return [field, requirePermission(action, showing(resolve, shown), guardOf(`${name}.${field}`))];
      }),
    );
  return {
    Query: holdReads(root('Query', generated.query)),
    Mutation: root('Mutation', generated.mutation),
    ...valueResolvers(generated, { limits, shape, presenter: form.reads.presenterOf({}) }),
  };
}

type Operation = (
  type: ContentType,
  args: Arguments,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => Promise<unknown>;

function formOperations(
  { reads, writes }: GraphqlForm,
  shape: SchemaShape,
  limits: ReadLimits,
): Readonly<Record<RootOperation, Operation>> {
  const remembered = rememberQueries();
  const readOne =
    (action: 'findByKey' | 'findSingle'): Operation =>
    async (type, args, context, info) => {
      const { filter, ...scope } = reads.scopeOf(type, args);
      const query: Query = {
        ...emptyQuery(type),
        ...selectData(type, info, { caller: context.caller, limits, shape }),
        ...scope,
        filter: action === 'findSingle' ? filter : both(reads.entryOf(type, args), filter),
      };
      return orNothing(() =>
        context.read({ ...forRead(context, reads.presenterOf(args)), action, query }, presentEntry),
      );
    };
  const write =
    (operation: keyof typeof writes): Operation =>
    async (type, args, context, info) => {
      const request = { ...context.entryRequest(type, info), presenter: reads.presenterOf(args) };
      return orNothing(() => writes[operation](type, args, request, context));
    };
  return {
    find: async (type, args, context, info) => {
      const query = remembered(info, args, context.caller, (caller): Query => {
        const listing = parseListing(args, type, caller, limits, shape.audience);
        const { filter, ...scope } = reads.scopeOf(type, args);
        return {
          ...emptyQuery(type),
          ...selectData(type, info, { caller, limits, shape }),
          ...listing,
          ...scope,
          filter: both(listing.filter, filter),
          pagination: { ...listing.pagination, withCount: requestsCount(info, shape.wayToPage) },
        };
      });
      const request = { ...forRead(context, reads.presenterOf(args)), action: 'find', query } as const;
      const { entries, total = 0 } = await context.read(request, presentList);
      return { nodes: entries, meta: { pagination: pageInfo(query.pagination, total) } };
    },
    findOne: readOne('findByKey'),
    findSingle: readOne('findSingle'),
    create: write('create'),
    update: write('update'),
    delete: write('delete'),
    updateSingle: write('updateSingle'),
    deleteSingle: write('deleteSingle'),
  };
}

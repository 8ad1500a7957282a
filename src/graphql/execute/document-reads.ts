import lodash from 'lodash';
import { isRecord, type Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { GraphqlDocuments, ObservedRead } from '../../plugins/contract/graphql/project.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import type { GraphQLResolveInfo } from 'graphql';
import { attributesFor, type Audience } from '../../query/visibility.js';
import { filterInput } from './filter-input.js';
import { pageInfo, type Arguments } from './listing.js';

type Reads = Readonly<Record<'find' | 'findOne' | 'findSingle', Read>>;
type Read = (type: ContentType, args: Arguments, context: GraphqlContext, info: GraphQLResolveInfo) => Promise<unknown>;

const actions = { find: 'findMany', findOne: 'findOne', findSingle: 'findFirst' } as const;

/** What a read of a schema answers before it is shown. */
interface Answer {
  readonly nodes?: unknown;
  readonly value?: unknown;
  readonly meta?: unknown;
}

/**
 * The reads of a schema between the middlewares and events that code of Strapi 5 has around `strapi.documents`: it gets
 * the parameters and the entries of its form, and what it changes of them counts.
 */
export function documentReads(documents: GraphqlDocuments, reads: Reads, audience: Audience): Reads {
  const observed =
    (operation: keyof Reads): Read =>
    async (type, args, context, info) => {
      const before = paramsOf(type, args, audience);
      const call: ObservedRead = { uid: type.uid, action: actions[operation], params: { ...before } };
      let answer: Answer = { meta: { pagination: pageInfo({ start: 0, limit: 1 }, 0) } };
      const result = await documents.around(call, async (params) => {
        answer = (await reads[operation](type, changedArguments(args, before, params), context, info)) as Answer;
        return answer.nodes ?? answer.value ?? null;
      });
      return operation === 'find' ? { ...answer, nodes: result } : { ...answer, value: result ?? null };
    };
  return { find: observed('find'), findOne: observed('findOne'), findSingle: observed('findSingle') };
}

/** The arguments of a field as the parameters of `strapi.documents`. */
function paramsOf(type: ContentType, { filters, pagination, ...args }: Arguments, audience: Audience): Data {
  return {
    ...args,
    ...(isRecord(filters) && { filters: filterInput(filters, attributesFor(type, audience), audience) }),
    ...(isRecord(pagination) && pagination),
  };
}

const ofPages = ['page', 'pageSize', 'start', 'limit'] as const;
/** What code can change. */
const known = new Set<string>([
  'filters',
  'sort',
  'status',
  'locale',
  'documentId',
  'publicationFilter',
  'hasPublishedVersion',
  ...ofPages,
]);

/** @throws AppError badRequest for a parameter that the field does not know */
function changedArguments(args: Arguments, before: Data, params: Data): Arguments {
  const names = [...new Set([...Object.keys(before), ...Object.keys(params)])];
  const changed = names.filter((name) => !lodash.isEqual(before[name], params[name]));
  const unknown = changed.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new AppError('badRequest', `${unknown} that code of the project sets has no effect here`);
  if (changed.length === 0) return args;
  const page = lodash.pickBy(lodash.pick(params, ofPages), (value) => value !== undefined);
  const others = lodash.omit(lodash.pick(params, [...known]), ofPages);
  return { ...lodash.omit(args, [...known]), ...others, pagination: page };
}

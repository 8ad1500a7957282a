import { defaultFieldResolver } from 'graphql';
import type { ContentType } from '../../content-types/model/types.js';
import type { EntityService } from '../../plugins/contract/application.js';
import { namesOf } from '../../plugins/contract/graphql/names.js';
import type { GraphqlResolver, GraphqlResolvers } from '../../plugins/contract/graphql/parts.js';
import type { QueryInput } from '../../query/parse/input.js';
import { pageInfo, type PageInfo } from './listing.js';

/** The content type of entries, and the arguments of their query, which determine the total. */
export interface ResponseInfo {
  readonly args?: QueryInput | undefined;
  readonly resourceUID?: string | undefined;
}

/** What a resolver of a project returns for several entries, as in Strapi v4; `null`: none. */
interface Nodes {
  readonly nodes?: readonly unknown[] | null;
  readonly info?: ResponseInfo;
}

type Count = EntityService['count'];

/**
 * The fields of the responses of a content type. The service's own resolvers return `{ data }` and `{ data, meta }`; those of projects also
 * Strapi v4's `{ value, info }` and `{ nodes, info }`.
 */
export function responseTypes(type: ContentType, count: Count): GraphqlResolvers {
  const { response, collection, relationCollection } = namesOf(type);
  return {
    [response]: { data: oneOf },
    [collection]: { data: listOf, meta: (source) => source.meta ?? { pagination: () => pageOf(source, count) } },
    [relationCollection]: { data: listOf },
  };
}

const oneOf: GraphqlResolver = (source, ...rest) =>
  source.value === undefined ? defaultFieldResolver(source, ...rest) : source.value;

/** As recorded, an empty to-many relation is an empty list, unlike over REST. */
const listOf: GraphqlResolver = ({ nodes, data }) => nodes ?? data ?? [];

async function pageOf({ nodes, info: { args, resourceUID } = {} }: Nodes, count: Count): Promise<PageInfo> {
  const { length } = nodes ?? [];
  if (args === undefined || resourceUID === undefined)
    return { total: length, page: 1, pageSize: length, pageCount: 1 };
  const { start = 0, limit = length, ...filtered } = args;
  const total = await count(resourceUID, filtered);
  const all = { total, page: 1, pageSize: total - Number(start), pageCount: 1 };
  return limit === -1 ? all : pageInfo({ start: Number(start), limit: Math.max(1, Number(limit)) }, total);
}

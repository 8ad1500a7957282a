import type { ContentType } from '../../content-types/model/types.js';
import { namesOf } from '../../plugins/contract/graphql/names.js';
import type { GraphqlContext, GraphqlResolver, GraphqlResolvers } from '../../plugins/contract/graphql/parts.js';
import { pageInfo, type Arguments, type PageInfo } from './listing.js';

/** The content type of entries, and the arguments of their query, which determine the total. */
export interface ResponseInfo {
  readonly args?: Arguments | undefined;
  readonly resourceUID?: string | undefined;
}

/** The source of a response with one entry, as in Strapi v4. */
interface Value {
  readonly value: unknown;
}

/** The source of a response with several entries, as in Strapi v4. */
interface Nodes {
  readonly nodes?: readonly unknown[] | null;
}

/** Its generated resolver knows the page. */
interface Page extends Nodes {
  readonly meta?: { readonly pagination: PageInfo };
}

/** One that code of the project has seen or made is counted anew, as in Strapi v4. */
interface Listed extends Page {
  readonly info?: ResponseInfo;
}

/** Counts the entries that the caller may see. @throws AppError for arguments that the caller may not use */
export type Count = (uid: string, args: Arguments, context: GraphqlContext) => Promise<number>;

/** The fields of the responses of a content type. */
export function responseTypes(type: ContentType, count: Count): GraphqlResolvers {
  const { response, collection, relationCollection, entity } = namesOf(type);
  const meta: GraphqlResolver = (source: Listed, _args, context) =>
    source.meta ?? { pagination: () => pageOf(source, context, count) };
  return {
    [response]: { data: ({ value }: Value) => value },
    [collection]: { data: listOf, meta },
    [relationCollection]: { data: listOf },
    [entity]: { attributes: (entry: unknown) => entry },
  };
}

/** As recorded, an empty to-many relation is an empty list, unlike over REST. */
const listOf: GraphqlResolver = ({ nodes }: Nodes) => nodes ?? [];

async function pageOf({ nodes, info = {} }: Listed, context: GraphqlContext, count: Count): Promise<PageInfo> {
  const { args, resourceUID } = info;
  const { length } = nodes ?? [];
  if (args === undefined || resourceUID === undefined)
    return { total: length, page: 1, pageSize: length, pageCount: 1 };
  const { start = 0, limit = length, ...filtered } = args;
  const total = await count(resourceUID, filtered, context);
  const all = { total, page: 1, pageSize: total - Number(start), pageCount: 1 };
  return limit === -1 ? all : pageInfo({ start: Number(start), limit: Math.max(1, Number(limit)) }, total);
}

/**
 * A response as code of the project sees it in Strapi v4: entries, the arguments that they were read with, and their
 * content type. The value of a query is a promise.
 */
export function asSeen(response: Page | Value, isQuery: boolean, info: ResponseInfo): object {
  if (!('value' in response)) return { nodes: response.nodes ?? null, info };
  return { value: isQuery ? Promise.resolve(response.value) : response.value, info };
}

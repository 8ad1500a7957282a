import DataLoader from 'dataloader';
import type { GraphqlContext, GraphqlResolver } from '../graphql-parts.js';
import type { PluginContext } from '../plugin.js';
import { findRelated, type RelatedEntry } from './find-related.js';

/**
 * What has a file in its media fields, with its plain values. It is looked for once for all files of a request that are
 * resolved together.
 */
export function resolveRelated(context: () => PluginContext): GraphqlResolver {
  const loaders = new WeakMap<GraphqlContext, DataLoader<number, readonly RelatedEntry[]>>();
  const loaderOf = (request: GraphqlContext): DataLoader<number, readonly RelatedEntry[]> => {
    const known = loaders.get(request);
    if (known !== undefined) return known;
    const loader = new DataLoader<number, readonly RelatedEntry[]>(async (ids) => {
      const related = await findRelated(context(), ids, request.caller);
      return ids.map((id) => related.get(id) ?? []);
    });
    loaders.set(request, loader);
    return loader;
  };
  return ({ id }: { readonly id: number }, _, request) => loaderOf(request).load(id);
}

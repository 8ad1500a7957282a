import type { GraphqlResolver } from '../../contract/graphql/parts.js';
import { createBatchLoader } from '../../contract/batch-loader.js';
import type { PluginContext } from '../../contract/plugin.js';
import { findRelated, type RelatedRequest, type RelatedEntry } from './find-related.js';

/** What has a file in its media fields, looked for once for all files that one field of a query asks it of. */
export function resolveRelated(context: () => PluginContext): GraphqlResolver {
  const load = createBatchLoader<readonly RelatedEntry[]>();
  return async ({ id }: { readonly id: number }, _, request, info) => {
    const { caller, signal, bytesRead, selected } = request;
    const related: RelatedRequest = { caller, signal, bytesRead, select: (of) => selected(of, info) };
    const place = String(info.fieldNodes[0]?.loc?.start);
    return (await load(request, place, id, (ids) => findRelated(context(), ids, related))) ?? [];
  };
}

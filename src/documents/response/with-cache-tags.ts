import type { Caller } from '../caller.js';
import type { DocumentsContext } from '../context.js';
import type { SerializedResponse } from './response-cache.js';

/** The response to a read, as far as caches on the way to the client need to know it. */
export type Tagged = Pick<SerializedResponse, 'sources' | 'sharedTags' | 'cacheTags'>;

/**
 * Adds the tags for caches on the way to the client, if everybody may see the response and it still holds. One that
 * took long to read is compared with the changes since: the purge of a change can reach such a cache before the
 * response. Purges are sent later than that.
 */
export async function withCacheTags<R extends Tagged>(
  { store, cacheTags, quickRead }: DocumentsContext,
  caller: Caller,
  read: () => Promise<R>,
): Promise<R> {
  if (cacheTags === undefined || caller.kind !== 'public') return read();
  const started = performance.now();
  const before = store.commonVersions();
  const response = await read();
  const sources = caller.isTimed?.() === true ? undefined : response.sources?.();
  if (sources === undefined) return response;
  const holds = performance.now() - started < quickRead || (await store.stillHolds(sources, await before));
  return holds ? { ...response, cacheTags: response.sharedTags?.() ?? cacheTags(sources) } : response;
}

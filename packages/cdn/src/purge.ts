import { isRecord } from 'content-service/plugin';
import { adapters, type Cache } from './adapters.js';

/**
 * Purges the responses with one of these tags; resolves with the status of the cache's response. The address is one of
 * the operator, who may declare one in a private network.
 * @throws Error with the reason why the cache has not purged them
 */
export async function purge(cache: Cache, tags: readonly string[], signal: AbortSignal): Promise<number> {
  const { url, method, headers, body } = adapters[cache.type].request(cache, tags);
  const content = body === '' ? {} : { body };
  const response = await fetch(url, { method, headers, ...content, redirect: 'manual', signal }).catch(explain);
  // Otherwise the connection could not be used again.
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.status;
}

/** What `fetch` says is that it failed; its cause says why. */
function explain(error: unknown): never {
  throw isRecord(error) && error['cause'] instanceof Error ? error['cause'] : error;
}

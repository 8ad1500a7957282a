import type { IncomingMessage } from 'node:http';

/**
 * Whether the client has the response, by its conditional headers. `Cache-Control: no-cache` changes nothing: it asks caches on the way to ask the
 * service, and the `fetch` of Node sends it with every condition. Express takes it for a wish to receive the response again.
 */
export function isFresh(request: IncomingMessage & { readonly fresh: boolean }): boolean {
  const { 'cache-control': _, ...headers } = request.headers;
  const asking = Object.create(request, { headers: { value: headers } }) as typeof request;
  return asking.fresh;
}

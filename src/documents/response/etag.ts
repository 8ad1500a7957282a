import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The weak tag that express computes for a body. */
export function tagOf(body: string | Uint8Array | Iterable<string>): string {
  const hash = createHash('sha1');
  let length = 0;
  for (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
    hash.update(chunk);
    length += Buffer.byteLength(chunk);
  }
  return `W/"${length.toString(16)}-${hash.digest('base64').slice(0, 27)}"`;
}

/**
 * Whether the client has the response, by its conditional headers. `Cache-Control: no-cache` changes nothing: it asks caches on the way to ask the
 * service, and the `fetch` of Node sends it with every condition. Express takes it for a wish to receive the response again.
 */
export function isFresh(request: IncomingMessage & { readonly fresh: boolean }): boolean {
  const { 'cache-control': _, ...headers } = request.headers;
  const asking = Object.create(request, { headers: { value: headers } }) as typeof request;
  return asking.fresh;
}

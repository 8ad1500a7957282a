import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createVersionedCache } from '../../mongo/cache/versioned-cache.js';
import type { Page } from '../../mongo/read/page.js';
import type { CacheKey } from '../../mongo/store.js';
import type { Query } from '../../query/ast.js';
import type { EntryPresenter, LazyEntry } from '../../query/entry-presenter.js';

/** A body to send: a string, or chunks if it is long. Chunks are created one by one, and again by each iteration. */
export type ResponseBody = string | Iterable<string>;

/** What a read is answered with. */
export interface SerializedResponse {
  /** Encoded if it was cached. */
  readonly body: ResponseBody | Uint8Array;
  /** The ETag of the body, if it was cached. */
  readonly tag?: string;
}

/** What the cache holds. */
interface CachedResponse {
  readonly body: Uint8Array;
  readonly tag: string;
}

/** How a transport serializes what a query finds. */
export interface ResponseSerializer {
  /** Distinguishes serializers. */
  readonly name: string;
  readonly presenter: EntryPresenter;
  /** @throws AppError notFound, tooCostly */
  readonly serialize: (page: Page<LazyEntry>, query: Query) => ResponseBody;
}

/** Serialized responses, each valid until an entry of a type changes that it was read from. */
export interface ResponseCache {
  /** The cached response, or the one that `read` makes. Errors of `read` are not cached. */
  get(key: CacheKey, serializer: ResponseSerializer, read: () => Promise<ResponseBody>): Promise<SerializedResponse>;
}

/** How many keys the cache remembers without their bodies: about 1 MB. */
const REQUESTED_ONCE = 10_000;
/** No body may take more than this share of the cache. */
const LARGEST = 1 / 8;
/** Bytes of an entry beside its body: its key, tag and version, and the objects that hold them. */
const OVERHEAD = 600;

/**
 * Holds a body from its second request on, so that requests that nobody repeats do not evict those that many send. Requests that
 * wait for the same response share one read.
 * @param bytes the limit of all bodies together
 */
export function createResponseCache(bytes: number): ResponseCache {
  const maxBody = Math.floor(bytes * LARGEST) - OVERHEAD;
  const responses = createVersionedCache<CachedResponse>({
    bytes,
    sizeOf: ({ body }) => OVERHEAD + body.length,
  });
  const requested = new LRUCache<string, true>({ max: REQUESTED_ONCE });
  const reads = new Map<string, Promise<SerializedResponse>>();
  return {
    get: async ({ key, version }, { name }, read) => {
      const ownKey = createHash('sha1').update(`${name} ${key}`).digest('base64');
      const cached = responses.get(ownKey, version);
      if (cached !== undefined) return cached;
      const isRepeated = requested.has(ownKey);
      requested.set(ownKey, true);
      const readOwn = async (): Promise<SerializedResponse> => {
        const body = await read();
        const held = isRepeated ? hold(body, maxBody) : undefined;
        if (held !== undefined) responses.set(ownKey, version, held);
        return held ?? { body };
      };
      const readKey = `${ownKey} ${version}`;
      const shared = reads.get(readKey);
      // The other client may have gone away, and its read with it.
      if (shared !== undefined) return shared.catch(readOwn);
      const own = readOwn();
      reads.set(readKey, own);
      try {
        return await own;
      } finally {
        reads.delete(readKey);
      }
    },
  };
}

/** The body as it is sent, with its tag; undefined if it takes more bytes. */
function hold(body: ResponseBody, max: number): CachedResponse | undefined {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (const chunk of typeof body === 'string' ? [body] : body) {
    const encoded = Buffer.from(chunk);
    size += encoded.length;
    if (size > max) return undefined;
    chunks.push(encoded);
  }
  // Memory of its own: a short piece of a shared pool would keep the whole pool.
  const joined = Buffer.allocUnsafeSlow(size);
  let start = 0;
  for (const chunk of chunks) {
    joined.set(chunk, start);
    start += chunk.length;
  }
  return { body: joined, tag: tagOf(joined) };
}

/** The weak tag that express makes of a body. */
export function tagOf(body: SerializedResponse['body']): string {
  const hash = createHash('sha1');
  let length = 0;
  for (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
    hash.update(chunk);
    length += Buffer.byteLength(chunk);
  }
  return `W/"${length.toString(16)}-${hash.digest('base64').slice(0, 27)}"`;
}

import { createHash } from 'node:crypto';
import lodash from 'lodash';
import { createVersionedCache, type Sources } from '../../mongo/cache/versioned-cache.js';
import { versionText } from '../../mongo/cache/versions.js';
import { createSingleFlight } from '../../mongo/coordination/coalesce.js';
import type { CacheKey } from '../../mongo/read/entry-reads.js';
import type { EntryIds } from '../../query/change.js';
import { heldBytes } from '../../query/held-bytes.js';
import { createSizedCache } from '../../query/sized-cache.js';
import { tagOf } from './response-body.js';

/** A body to send: a string, or chunks if it is long. Chunks are created one by one, and again by each iteration. */
export type ResponseBody = string | Iterable<string>;

export interface SerializedResponse {
  /** Encoded if it was cached. */
  readonly body: ResponseBody | Uint8Array;
  /** The ETag of the body, if it was cached. */
  readonly tag?: string | undefined;
  /** What it depends on; undefined: that is not known. */
  readonly sources?: (() => Sources) | undefined;
  /** The tags of all requests that get it, determined once. */
  readonly sharedTags?: (() => readonly string[]) | undefined;
  /** Those for caches on the way to the client; undefined: they must not keep it. */
  readonly cacheTags?: readonly string[] | undefined;
}

/** The tags of what depends on these sources, for caches on the way to the client. */
export type TagsOf = (sources: Sources) => readonly string[];

export interface ReadResponse {
  readonly body: ResponseBody;
  /** Those of the entries in it; undefined: any. */
  readonly ids?: (() => EntryIds) | undefined;
}

interface CachedResponse {
  readonly body: Uint8Array;
  readonly tag: string;
  readonly sources: () => Sources;
  readonly sharedTags: (() => readonly string[]) | undefined;
}

/** Serialized responses, each valid until a change affects it. */
export interface ResponseCache {
  /**
   * The cached response, or the result of `read`. Errors of `read` are not cached.
   * @param name of the form of the response
   */
  get(key: CacheKey, name: string, read: () => Promise<ReadResponse>): Promise<SerializedResponse>;
}

/** Bytes of the keys that the cache remembers with their last request, without bodies. */
const REQUESTED_BYTES = 4 * 2 ** 20;
/** No body may take more than this share of the cache. */
const LARGEST = 1 / 8;
/** Longer keys are hashed. */
const MAX_KEY = 100;
/** Bytes of a cache entry in addition to its body: key, tag, version and their objects. */
const OVERHEAD = 600;
const BYTES_OF_TAG = 40;

interface Requested {
  /** The version of the data that it was for. */
  readonly version: string;
  /** Whether a body was stored since, or before, that no request has used. */
  isUnused: boolean;
}

/**
 * Stores a body when it is requested for the second time, so that unique requests do not evict common ones; if a write
 * invalidated the last one before it was used, when it is requested for the second time between writes. Requests that
 * wait for the same response share one read.
 * @param bytes the limit of all bodies together
 * @param tagsOf undefined: responses have no tags
 */
export function createResponseCache(bytes: number, tagsOf?: TagsOf): ResponseCache {
  const maxBody = Math.floor(bytes * LARGEST) - OVERHEAD;
  const responses = createVersionedCache<CachedResponse>({
    bytes,
    sizeOf: ({ body, sharedTags }) => OVERHEAD + body.length + (sharedTags?.().length ?? 0) * BYTES_OF_TAG,
  });
  const requested = createSizedCache<Requested>({ bytes: REQUESTED_BYTES, sizeOf: heldBytes });
  const readOnce = createSingleFlight<SerializedResponse>();
  return {
    get: async ({ key, versions, ...depending }, name, read) => {
      const ownKey = shorten(`${name} ${key}`);
      const cached = await responses.get(ownKey, versions);
      const last = requested.get(ownKey);
      if (cached !== undefined) {
        if (last !== undefined) last.isUnused = false;
        return cached;
      }
      const version = versionText(depending.dependencies.keys(), versions);
      const isRepeated = last !== undefined && (last.version === version || !last.isUnused);
      requested.set(ownKey, { version, isUnused: isRepeated || last?.isUnused === true });
      const readOwn = async (): Promise<SerializedResponse> => {
        const { body, ids } = await read();
        const storable = isRepeated ? toStorable(body, maxBody) : undefined;
        const sources = lodash.once(() => sourcesOf({ versions, ...depending }, ids));
        const sharedTags = tagsOf && lodash.once(() => tagsOf(sources()));
        if (storable === undefined) return { body, sources, sharedTags };
        const cached = { ...storable, sources, sharedTags };
        responses.set(ownKey, sources(), cached);
        return cached;
      };
      return readOnce(`${ownKey} ${version}`, readOwn);
    },
  };
}

const shorten = (key: string): string => (key.length > MAX_KEY ? createHash('sha1').update(key).digest('base64') : key);

/** Keeps nothing; says what responses depend on. */
export const noResponseCache: ResponseCache = {
  get: async (key, _name, read) => {
    const { body, ids } = await read();
    return { body, sources: () => sourcesOf(key, ids) };
  },
};

/** Without the ids of its entries, a response is affected by each change of its types. */
export function sourcesOf(
  { versions, dependencies, narrow, contents }: Omit<CacheKey, 'key'>,
  idsOf: ReadResponse['ids'],
): Sources {
  const ids = idsOf?.();
  if (ids === undefined)
    return { versions, dependencies: new Map([...dependencies.keys()].map((type) => [type, 'all'])) };
  const count = (narrow && ids.get(narrow.type)?.size) ?? 0;
  const isNarrow = narrow !== undefined && count >= narrow.least && count < narrow.below;
  return { versions, dependencies: isNarrow ? narrow.dependencies : dependencies, contents, ids };
}

/** The encoded body with its tag; undefined if it is too large. */
function toStorable(body: ResponseBody, max: number): Pick<CachedResponse, 'body' | 'tag'> | undefined {
  let text = '';
  for (const chunk of typeof body === 'string' ? [body] : body) {
    text += chunk;
    if (text.length > max) return undefined;
  }
  // Not a short slice of the pool of buffers, which would keep the entire pool in memory.
  const { buffer, byteOffset, byteLength } = new TextEncoder().encode(text);
  const encoded = Buffer.from(buffer, byteOffset, byteLength);
  return encoded.length > max ? undefined : { body: encoded, tag: tagOf(encoded) };
}

/** A body as one string. */
export const textOf = (body: SerializedResponse['body']): string =>
  typeof body === 'string' ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : [...body].join('');

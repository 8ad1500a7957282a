import { createVersionedCache } from '../../mongo/cache/versioned-cache.js';
import type { Page } from '../../mongo/read/page.js';
import type { CacheKey } from '../../mongo/store.js';
import type { Query } from '../../query/ast.js';
import type { EntryPresenter, LazyEntry } from '../../query/entry-presenter.js';

/** A body that can be sent: whole, or in chunks if it is long. Chunks are made one by one, and again by each iteration. */
export type ResponseBody = string | Iterable<string>;

/** How a transport serializes a list. */
export interface ListSerializer {
  /** Distinguishes serializers. */
  readonly name: string;
  readonly presenter: EntryPresenter;
  readonly serialize: (page: Page<LazyEntry>, query: Query) => ResponseBody;
}

/** Serialized lists, each valid until an entry of a type changes that it was read from. */
export interface ResponseCache {
  /** The cached body, or the one that `read` makes. */
  get(key: CacheKey, serializer: ListSerializer, read: () => Promise<ResponseBody>): Promise<ResponseBody>;
}

/** @param bytes the limit of all bodies together */
export function createResponseCache(bytes: number): ResponseCache {
  const bodies = createVersionedCache<readonly string[]>({
    bytes,
    sizeOf: (chunks, key) => sizeOf(key) + chunks.reduce((sum, chunk) => sum + sizeOf(chunk), 0),
  });
  return {
    get: async ({ key, version }, { name }, read) => {
      const ownKey = `${name} ${key}`;
      const cached = bodies.get(ownKey, version);
      if (cached !== undefined) return bodyOf(cached);
      const body = await read();
      const chunks = collect(body, bytes);
      if (chunks === undefined) return body;
      bodies.set(ownKey, version, chunks);
      return bodyOf(chunks);
    },
  };
}

/** A character takes at most two bytes. */
const sizeOf = (text: string): number => 2 * text.length;

const bodyOf = (chunks: readonly string[]): ResponseBody => (chunks.length === 1 ? (chunks[0] as string) : chunks);

/** All chunks of a body; undefined if they take more bytes. */
function collect(body: ResponseBody, bytes: number): readonly string[] | undefined {
  const chunks: string[] = [];
  let left = bytes;
  for (const chunk of typeof body === 'string' ? [body] : body) {
    left -= sizeOf(chunk);
    if (left < 0) return undefined;
    chunks.push(chunk);
  }
  return chunks;
}

/**
 * A cache in front of the service, which purges responses by their tags. The service stores what it still has to purge.
 */
export interface TaggedCache {
  /** Unique among all caches: what it has to purge is stored by it, and the log names it. */
  readonly name: string;
  /** The header in which it expects the tags of a response, e.g. `Surrogate-Key`. */
  readonly header: string;
  /** What separates the tags there. */
  readonly separator: string;
  /** The maximum number of tags of one purge. */
  readonly maxTags: number;
  /**
   * Purges all responses with one of these tags; resolves when it has. If it rejects, it is called again with these
   * tags, and whoever waits for them waits on. Absent: the cache gets tags, and is not told of changes.
   * @param signal aborts after ten seconds, and when the service stops
   */
  readonly purge?: (tags: readonly string[], signal: AbortSignal) => Promise<void>;
}

/** How a write is executed. */
export interface DryRunOptions {
  /** Checks the write and answers as it would, but stores nothing. The `id` of a new entry is null. */
  readonly dryRun?: boolean;
}

/** Conditions of a write. */
export interface WriteOptions extends DryRunOptions {
  /**
   * The `etag` of an answer: the write is refused with status 412 if the entry has changed since. The query must be the
   * same.
   */
  readonly ifMatch?: string | undefined;
}

/** How an entry is created, or a batch executed. */
export interface CreateOptions extends DryRunOptions {
  /**
   * A request is executed once for each key, so that one without an answer can be repeated. Of a batch whose process
   * died, the answer to the repetition has null for entries that are deleted since.
   */
  readonly idempotencyKey?: string;
}

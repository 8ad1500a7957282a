/** How a write is executed. */
export interface DryRunOptions {
  /** Checks the write and answers as it would, but stores nothing. The `id` of a new entry is null. */
  readonly dryRun?: boolean;
}

/** Conditions of a write. */
export interface WriteOptions extends DryRunOptions {
  /** The `etag` of an answer: the write is refused with status 412 if the entry has changed since. The query must be the same. */
  readonly ifMatch?: string | undefined;
}

/** How an entry is created. */
export interface CreateOptions extends DryRunOptions {
  /** The same key with the same data creates the entry once, so that a request without an answer can be repeated. */
  readonly idempotencyKey?: string;
}

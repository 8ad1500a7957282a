/**
 * How a write came in. `code` is that of the project, with its cron tasks, and of plugins; the last ones are commands.
 */
export type Door =
  'rest' | 'graphql' | 'batch' | 'mcp' | 'schedule' | 'code' | 'import' | 'migrate' | 'seed' | (string & {});

/**
 * What was done to an entry. `save` and `discard` concern its working copy, `purge` the trash, `replace` is that of an
 * import.
 */
export type ReceiptAction =
  | 'create'
  | 'update'
  | 'publish'
  | 'unpublish'
  | 'delete'
  | 'save'
  | 'discard'
  | 'schedule'
  | 'review'
  | 'restore'
  | 'purge'
  | 'replace';

/** Who did it, as far as the service knows. */
export interface Author {
  readonly kind: 'public' | 'user' | 'token' | 'strategy' | 'system';
  /** The id of a user or a token. */
  readonly id?: number;
  /** The name of a user or a token at that time. */
  readonly name?: string;
}

/** Where a request came from. */
export interface Origin {
  readonly door: Door;
  readonly address?: string;
  /** The id of the request, as the log of the service has it. */
  readonly request?: string;
}

/**
 * What is known of a write when it is stored: it is stored with the write, so that one is there exactly if the other
 * is.
 */
export interface Receipt {
  /** The id of the write; those of several entries that one statement writes have the same. */
  readonly id: string;
  readonly at: Date;
  readonly action: ReceiptAction;
  readonly by: Author;
  readonly origin: Origin;
  /** The names of the written attributes. */
  readonly names: readonly string[];
  /** Of the written values; absent: none were written. */
  readonly hash?: string;
}

/** A receipt with the entry that was written. */
export interface EntryReceipt {
  readonly collection: string;
  readonly id: number;
  readonly receipt: Receipt;
}

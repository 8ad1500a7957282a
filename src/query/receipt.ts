/**
 * How a write came in. `code` is that of the project, with its cron tasks, and of plugins; the last ones are commands.
 */
export type Door =
  'rest' | 'graphql' | 'batch' | 'mcp' | 'schedule' | 'code' | 'import' | 'export' | 'migrate' | 'seed' | (string & {});

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

/** Who asks, and how the request came in. */
export type Signature = Pick<Receipt, 'by' | 'origin'>;

/**
 * What is done besides writes of entries. `endSession` is a log-out from elsewhere, `define` changes a definition file.
 */
export type ActivityAction = 'login' | 'failedLogin' | 'logout' | 'endSession' | 'define' | 'export';

/** What was done besides writes of entries. */
export interface Activity extends Signature {
  readonly id: string;
  readonly at: Date;
  readonly action: ActivityAction;
  /** The uid of the content type that it concerns, and the id of the entry. */
  readonly type?: string;
  readonly entry?: number;
  /** Hashes of what it changed, as it was before and is now. */
  readonly before?: string;
  readonly hash?: string;
  /** What has proved who logs in, such as `password` and `passkey`. */
  readonly factors?: readonly string[];
}

/** One that is to be recorded. Default of `by`: whoever asks. */
export type NewActivity = Omit<Activity, 'id' | 'at' | 'by' | 'origin'> & Partial<Pick<Activity, 'by'>>;

/** A receipt with the entry that was written. */
export interface EntryReceipt {
  readonly collection: string;
  readonly id: number;
  readonly receipt: Receipt;
}

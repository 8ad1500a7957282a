import type { Db, MongoClient } from 'mongodb';

/** An open database, whichever of the ways it was opened. */
export interface Database {
  /** All commands go to the primary: whatever is decided by what they read must be true now. */
  readonly db: Db;
  /** For reads of clients alone: they go where the URI's `readPreference` says, and may be behind. */
  readonly reads: Db;
  readonly client: MongoClient;
  /** Where the data comes from, for the log: no secrets. */
  readonly description: string;
  /** This process alone uses it: an engine on our own data folder. */
  readonly exclusive: boolean;
  /** Of an engine of our own: how a process that this one starts can use it as well. */
  readonly uri?: string;
  close(): Promise<void>;
}

/** The part of a logger that this room uses. */
export interface Log {
  info(message: string): void;
  error(message: string): void;
}

import type { Db, MongoClient } from 'mongodb';

/** An open database, independent of its source. */
export interface Database {
  /** All commands go to the primary, because decisions need current data. */
  readonly db: Db;
  /** For reads of clients only: they follow the URI's `readPreference`, and can be stale. */
  readonly reads: Db;
  readonly client: MongoClient;
  /** A description of the source for the log, without secrets. */
  readonly description: string;
  /** Whether only this process uses it: an engine on its own data folder. */
  readonly exclusive: boolean;
  /** For a local engine: the settings with which a child process can use it too. */
  readonly uri?: string;
  close(): Promise<void>;
}

/** Whether reads of this database see every acknowledged write. Reads of secondaries can be stale. */
export const readsPrimary = ({ readPreference }: Db): boolean =>
  readPreference === undefined || readPreference.mode === 'primary';

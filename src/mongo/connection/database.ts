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

/**
 * Whether a client is connected to a replica set or a sharded cluster. A single server has no majority and no
 * snapshots.
 */
export async function isReplicated(client: MongoClient): Promise<boolean> {
  const { setName, msg } = await client.db().admin().command({ hello: 1 });
  return setName !== undefined || msg === 'isdbgrid';
}

/**
 * Counts the connections that the database or the network has closed from now on: the database may have crashed and
 * started again.
 */
export function countLostConnections(client: MongoClient): () => number {
  let lost = 0;
  client.on('connectionClosed', ({ reason }) => {
    lost += Number(reason === 'error' || reason === 'stale');
  });
  return () => lost;
}

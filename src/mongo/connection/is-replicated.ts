import type { MongoClient } from 'mongodb';

/** Whether a client is connected to a replica set or a sharded cluster. A single server has no majority and no snapshots. */
export async function isReplicated(client: MongoClient): Promise<boolean> {
  const { setName, msg } = await client.db().admin().command({ hello: 1 });
  return setName !== undefined || msg === 'isdbgrid';
}

import type { MongoClient } from 'mongodb';

/** Is there a replica set, or a cluster of such, behind a client? A single server has no majority and no snapshots. */
export async function isReplicated(client: MongoClient): Promise<boolean> {
  const { setName, msg } = await client.db().admin().command({ hello: 1 });
  return setName !== undefined || msg === 'isdbgrid';
}

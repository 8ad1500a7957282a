import type { ClientSession, MongoClient } from 'mongodb';
import { translated } from './translate-error.js';

/**
 * A session that reads everything as it was at its first read. Undefined on a single server, which has no snapshots
 * that outlast a command.
 */
export async function openSnapshot(client: MongoClient): Promise<ClientSession | undefined> {
  const { setName, msg } = await translated(() => client.db().admin().command({ hello: 1 }));
  return setName !== undefined || msg === 'isdbgrid' ? client.startSession({ snapshot: true }) : undefined;
}

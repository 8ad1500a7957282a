import type { ClientSession, MongoClient } from 'mongodb';
import { isReplicated } from '../connection/is-replicated.js';
import { translated } from '../errors.js';

/**
 * A session that reads everything as it was at its first read. Undefined on a single server, which has no snapshots
 * that outlast a command.
 */
export async function openSnapshot(client: MongoClient): Promise<ClientSession | undefined> {
  const replicated = await translated(() => isReplicated(client));
  return replicated ? client.startSession({ snapshot: true }) : undefined;
}

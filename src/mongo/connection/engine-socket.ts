import fs from 'node:fs';
import path from 'node:path';
import type { Database } from './database.js';

/** A link in the data folder to the socket of the engine that runs on it. Only users with access to the socket's folder can use it. */
const linkIn = (dataFolder: string): string => path.join(dataFolder, 'database.sock');

/** Publishes the engine to other processes; returns a function that withdraws it. */
export function announceEngine(dataFolder: string, socket: string): () => void {
  const link = linkIn(dataFolder);
  const withdraw = (): void => fs.rmSync(link, { force: true });
  withdraw();
  fs.symlinkSync(socket, link);
  return withdraw;
}

/** The database of a service that runs on the data folder; undefined if none runs. */
export async function joinEngine(dataFolder: string, name: string): Promise<Database | undefined> {
  const socket = readLink(linkIn(dataFolder));
  if (socket === undefined || !fs.existsSync(socket)) return undefined;
  const { connectToSocket } = await import('./connect.js');
  // A killed service leaves its socket behind.
  const client = await connectToSocket(socket).catch(() => undefined);
  return (
    client && {
      db: client.db(name),
      reads: client.db(name),
      client,
      description: `the running service's, data in ${dataFolder}`,
      exclusive: false,
      close: () => client.close(),
    }
  );
}

function readLink(link: string): string | undefined {
  try {
    return fs.readlinkSync(link);
  } catch {
    return undefined;
  }
}

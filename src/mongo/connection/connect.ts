import { setTimeout as wait } from 'node:timers/promises';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { MongoClient, MongoServerSelectionError, type Db, type DbOptions, type MongoClientOptions } from 'mongodb';
import type { Logger } from '../../errors/logger.js';
import { StartError } from '../../errors/start-error.js';
import { askMembers, type Finding } from './ask-members.js';
import { isReplicated } from './database.js';

/**
 * Milliseconds. A request fails quickly if there is no database; a start can wait for a database that is starting too.
 * A database that hangs is detected by a heartbeat without a reply within the connect timeout: then all pending
 * operations fail.
 */
const times = { selection: 2000, connection: 10_000, refused: 5000, silent: 60_000, retry: 250 };

/** The wire version of MongoDB 7.0. */
export const oldestWireVersion = 21;

/**
 * Connects once. Writes are acknowledged when they are in the journal.
 * @param monitored reports every command, see `openQueryCosts`
 * @param local options that an external database has in its URI
 */
async function connectOnce(uri: string, monitored: boolean, local: MongoClientOptions = {}): Promise<MongoClient> {
  const client = new MongoClient(uri, {
    appName: 'content-service',
    serverSelectionTimeoutMS: times.selection,
    connectTimeoutMS: times.connection,
    writeConcern: { w: 1, journal: true },
    ...(monitored && { monitorCommands: true }),
    ...local,
  });
  closeHalfOpenSockets(client);
  return client.connect();
}

/** Connects to a local database process that listens on this Unix socket. */
export const connectToSocket = (socket: string, monitored = false): Promise<MongoClient> =>
  connectOnce(`mongodb://${encodeURIComponent(socket)}`, monitored, {
    directConnection: true,
    // The embedded engine runs eight commands at a time.
    maxPoolSize: 16,
  });

/** Connects to an engine that this process has started: it listens. */
export const connectToOwn = (socket: string, monitored?: boolean): Promise<MongoClient> =>
  connectUntil(deadlines(times.silent), () => connectToSocket(socket, monitored));

/**
 * Connects to an external MongoDB; `openShared` says when its writes are acknowledged.
 * @throws StartError if it does not respond, refuses the connection, or is too old
 */
export async function connectToUri(uri: string, monitored = false, log?: Logger): Promise<MongoClient> {
  return checkVersion(await connectUnchecked(uri, monitored, log));
}

/**
 * Connects to an external MongoDB of any version.
 * @param log gets a line if that takes longer: what is waited for
 * @throws StartError if it does not respond, refuses the connection, or is not of the replica set that the URI names
 */
export async function connectUnchecked(uri: string, monitored = false, log?: Logger): Promise<MongoClient> {
  const name = `The database of MONGODB_URI (${describeUri(uri)})`;
  let finding: Finding | undefined;
  const explain = async ({ message }: Error): Promise<void> => {
    finding = await askMembers(uri, times.selection);
    if (finding?.isFinal === true) throw new StartError(`${name} cannot be used: ${finding.reason}`);
    log?.warn(`${name} is waited for: ${finding?.reason ?? message}`);
  };
  try {
    return await connectUntil(deadlines(times.refused), () => connectOnce(uri, monitored), explain);
  } catch (error) {
    if (error instanceof StartError || !(error instanceof Error)) throw error;
    throw new StartError(`${name} cannot be used: ${[error.message, finding?.reason ?? []].flat().join('; ')}`);
  }
}

/** The times until which a start waits for a database that refuses connections, and for one that is silent. */
export interface Deadlines {
  readonly refused: number;
  /** Later: on a busy machine the first replies may take long. */
  readonly silent: number;
}

const deadlines = (refused: number): Deadlines => ({
  refused: Date.now() + refused,
  silent: Date.now() + times.silent,
});

/**
 * Tries again while no server is found, until the deadline.
 * @param explain looks into the first failure, and throws if it is final
 */
export async function connectUntil(
  { refused, silent }: Deadlines,
  connect: () => Promise<MongoClient>,
  explain?: (error: Error) => Promise<void>,
): Promise<MongoClient> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await connect();
    } catch (error) {
      if (!(error instanceof MongoServerSelectionError)) throw error;
      if (Date.now() > (error.reason?.error ? refused : silent)) throw error;
      if (failures === 0) await explain?.(error);
      await wait(times.retry);
    }
  }
}

/**
 * A database with writes that the majority of a replica set acknowledges. A single server is not asked for a majority:
 * the embedded engine would then acknowledge before it writes its journal, and lose the write if it is killed.
 * `readPreference` in the URI applies to `reads` only.
 */
export async function openShared(client: MongoClient, name: string): Promise<{ readonly db: Db; readonly reads: Db }> {
  const options: DbOptions = (await isReplicated(client)) ? { writeConcern: { w: 'majority', journal: true } } : {};
  return { db: client.db(name, { ...options, readPreference: 'primary' }), reads: client.db(name, options) };
}

/** The hosts of a URI, without user and password; the path of a socket. */
export const describeUri = (uri: string): string =>
  uri.replace(/^[^/]*\/\/(?:[^@/?]*@)?([^/?]*).*$/s, '$1').replaceAll(/%2F/gi, '/');

async function checkVersion(client: MongoClient): Promise<MongoClient> {
  const { maxWireVersion } = await client.db().admin().command({ hello: 1 });
  if (maxWireVersion >= oldestWireVersion) return client;
  await client.close();
  throw new StartError('The database of MONGODB_URI is too old: MongoDB 7.0 or newer is needed');
}

const CHANNEL = 'net.client.socket';

/**
 * Tells the driver immediately that the database has closed a connection, until the client is closed. Version 7.8
 * notices it when the socket is closed, one turn of the event loop after it was destroyed: a command that is sent in
 * between never gets a reply, nor does any command that waits for it.
 */
function closeHalfOpenSockets(client: MongoClient): void {
  const watch = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once('end', () => {
      if (isOfDriver(socket))
        socket.destroy(Object.assign(new Error('Connection closed by the database'), { code: 'ECONNRESET' }));
    });
  };
  subscribe(CHANNEL, watch);
  client.once('topologyClosed', () => unsubscribe(CHANNEL, watch));
}

/** Identifies sockets of the driver by their listener; other sockets are not touched. */
const isOfDriver = (socket: Socket): boolean => socket.listeners('close').some(({ name }) => name === 'bound onClose');

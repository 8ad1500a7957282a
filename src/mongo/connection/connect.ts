import { setTimeout as wait } from 'node:timers/promises';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { MongoClient, MongoServerSelectionError, type Db, type DbOptions, type MongoClientOptions } from 'mongodb';
import { StartError } from '../../errors/start-error.js';
import { isReplicated } from './is-replicated.js';

/**
 * Milliseconds. A request fails soon if there is no database; a start may wait for a database that is starting, too. One that
 * hangs is found out by a heartbeat that is not answered in the time for a connection: then all that wait for it learn it.
 */
const times = { selection: 2000, connection: 10_000, start: 5000, retry: 250 };

/** What the drivers call MongoDB 7.0. */
const oldestWireVersion = 21;

const options: MongoClientOptions = {
  appName: 'content-service',
  serverSelectionTimeoutMS: times.selection,
  connectTimeoutMS: times.connection,
};
/** Reports commands, see `openQueryCosts`; what the URI says stays. */
const monitoring = (monitored: boolean): MongoClientOptions => (monitored ? { monitorCommands: true } : {});

/** Connects to a database process of our own, which listens on this Unix socket. */
export async function connectToSocket(socket: string, monitored = false): Promise<MongoClient> {
  const client = new MongoClient(`mongodb://${encodeURIComponent(socket)}`, {
    ...options,
    ...monitoring(monitored),
    directConnection: true,
    // The embedded engine runs eight commands at a time.
    maxPoolSize: 16,
    writeConcern: { w: 1, journal: true },
  });
  closeHalfOpenSockets(client);
  return client.connect();
}

/**
 * Connects to a MongoDB somewhere else. Writes are acknowledged when they are in the journal; see `openShared`.
 * @throws StartError when it does not answer, refuses us, or is too old
 */
export async function connectToUri(uri: string, monitored = false): Promise<MongoClient> {
  const deadline = Date.now() + times.start;
  const writeConcern = { w: 1, journal: true };
  for (;;) {
    try {
      const client = new MongoClient(uri, { ...options, ...monitoring(monitored), writeConcern });
      closeHalfOpenSockets(client);
      return await checkVersion(await client.connect());
    } catch (error) {
      if (error instanceof StartError || !(error instanceof Error)) throw error;
      if (!(error instanceof MongoServerSelectionError) || Date.now() > deadline) {
        throw new StartError(`The database of MONGODB_URI (${describeUri(uri)}) cannot be used: ${error.message}`);
      }
      await wait(times.retry);
    }
  }
}

/**
 * A database of a client, whose writes are acknowledged by the majority where there is a replica set. Of a single server no
 * majority is asked: the embedded engine then acknowledges before its journal is written, and loses that when it is killed.
 * Whatever the URI says of `readPreference` counts for `reads` alone.
 */
export async function openShared(client: MongoClient, name: string): Promise<{ readonly db: Db; readonly reads: Db }> {
  const options: DbOptions = (await isReplicated(client)) ? { writeConcern: { w: 'majority', journal: true } } : {};
  return { db: client.db(name, { ...options, readPreference: 'primary' }), reads: client.db(name, options) };
}

/** The hosts of a URI, without user and password; of a socket its path. */
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
 * Lets the driver learn at once that the database has ended a connection, until the client is closed. Version 7.8 learns
 * it when the socket is closed, a turn of the event loop after it was destroyed: a command that is sent in between is
 * never answered, nor is any that waits for it.
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

/** No socket of anyone else is touched: this is how the driver's connections wait for the end of theirs. */
const isOfDriver = (socket: Socket): boolean => socket.listeners('close').some(({ name }) => name === 'bound onClose');

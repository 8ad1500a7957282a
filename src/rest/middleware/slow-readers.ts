import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Patience {
  /** Milliseconds in which a client has to take something of its answer. */
  readonly longest: number;
  /** The same when others wait for their turn; it is also how often one looks. */
  readonly shortest: number;
  readonly isCrowded: () => boolean;
}

/**
 * Cuts the connection of clients that take nothing of their answers for too long. Requests that are worked on, or whose
 * bodies still come, have other limits.
 */
export const limitSlowReaders = ({ longest, shortest, isCrowded }: Patience): ((response: ServerResponse) => void) => {
  return (response) => {
    let [stalled, last] = [0, 0];
    response.setTimeout(shortest).on('timeout', (socket: Socket) => {
      const now = performance.now();
      // A look comes so long after the last sign of life: after a longer time there was one in between.
      stalled = now - last < 1.1 * shortest ? stalled + shortest : shortest;
      last = now;
      if (response.writableLength === 0) stalled = 0;
      if (stalled >= longest || (stalled > 0 && isCrowded())) socket.destroy();
      else socket.setTimeout(shortest);
    });
  };
};

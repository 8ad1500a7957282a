import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface SlowReaderLimits {
  /** Milliseconds within which a client must read some of its response. */
  readonly timeout: number;
  /**
   * Milliseconds until a slow reader is cut off while other requests are queued; it is also the interval of the checks.
   */
  readonly timeoutWhenCrowded: number;
  readonly isCrowded: () => boolean;
}

/** Closes the connection of a client that reads nothing of a response for too long, once the client reads it slowly. */
export const limitSlowReaders =
  ({ timeout, timeoutWhenCrowded: interval, isCrowded }: SlowReaderLimits) =>
  (response: ServerResponse): void => {
    let [stalled, lastCheck] = [0, 0];
    response.setTimeout(interval).on('timeout', (socket: Socket) => {
      const now = performance.now();
      // The timer starts again with every byte: after a longer time than the interval, the client has read something.
      stalled = now - lastCheck < 1.1 * interval ? stalled + interval : interval;
      lastCheck = now;
      if (response.writableLength === 0) stalled = 0;
      if (stalled >= timeout || (stalled > 0 && isCrowded())) socket.destroy();
      else socket.setTimeout(interval);
    });
  };

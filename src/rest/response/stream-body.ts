import { pipeline } from 'node:stream';
import type { Response } from 'express';

/**
 * Writes an answer, whose head is written, as fast as the client takes it: no more than one piece waits for it. When the client
 * goes away, or is cut off, no more pieces are made; when one cannot be made the connection is cut, and the error goes to express.
 * Done when everything is sent, or nothing more will be.
 */
export const streamBody = (response: Response, pieces: Iterable<string>): Promise<void> =>
  new Promise((resolve) => {
    pipeline(pieces, response, (error) => {
      if (error != null && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') response.req.next?.(error);
      resolve();
    });
  });

import { pipeline } from 'node:stream';
import type { Response } from 'express';

/** Milliseconds in which a client has to take something. */
const PATIENCE = 60_000;

/**
 * Writes an answer, whose head is written, as fast as the client takes it. When the client goes away, or takes nothing for too
 * long, no more pieces are made; when one cannot be made the connection is cut, and the error goes to express.
 */
export function sendPieces(response: Response, pieces: Iterable<string>, patience = PATIENCE): void {
  response.setTimeout(patience, () => response.destroy());
  pipeline(pieces, response, (error) => {
    if (error != null && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') response.req.next?.(error);
  });
}

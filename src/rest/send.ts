import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { Text } from '../mongo/answers.js';
import { sendPieces } from './send-pieces.js';

/** Answers with JSON; with 304 where answers have tags and the client has this one. */
export const send = (response: Response, body: unknown, status = 200): void =>
  sendText(response, JSON.stringify(body), status);

/** The same with JSON that is written already. The length of what is written in pieces is not told. */
export function sendText(response: Response, text: Text, status = 200): void {
  const tag = response.app.get('etag fn') as ((body: string) => string) | undefined;
  if (tag !== undefined && status === 200) {
    response.setHeader('ETag', typeof text === 'string' ? tag(text) : tagOf(text));
    if (response.req.fresh) return void response.status(304).end();
  }
  const head = { 'Content-Type': 'application/json; charset=utf-8' };
  if (typeof text === 'string') {
    response.writeHead(status, { ...head, 'Content-Length': Buffer.byteLength(text) });
    response.end(text);
    return;
  }
  response.writeHead(status, head);
  if (response.req.method === 'HEAD') response.end();
  else sendPieces(response, text);
}

/** The tag that express gives the whole of it. */
function tagOf(pieces: Iterable<string>): string {
  const hash = createHash('sha1');
  let length = 0;
  for (const piece of pieces) {
    hash.update(piece);
    length += Buffer.byteLength(piece);
  }
  return `W/"${length.toString(16)}-${hash.digest('base64').slice(0, 27)}"`;
}

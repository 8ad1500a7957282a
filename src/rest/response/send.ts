import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Text } from '../../mongo/cache/response-cache.js';
import { streamBody } from './stream-body.js';
import type { Responses } from '../../plugins/contract/plugin.js';
import { serializeJson } from './serialize-json.js';

/**
 * Answers with JSON; with 304 where answers have tags and the client has this one. Done when it is sent, or the connection
 * ended.
 * @param limit the most bytes that it may take
 * @throws AppError tooCostly before anything is sent
 */
export const send = (response: Response, body: unknown, limit: number, status = 200): Promise<void> =>
  sendText(response, serializeJson(body, limit), status);

/** The same with JSON that is written already. */
export function sendText(response: Response, text: Text, status = 200): Promise<void> {
  const tag = response.app.get('etag fn') as ((body: string) => string) | undefined;
  if (tag !== undefined && status === 200) {
    response.setHeader('ETag', typeof text === 'string' ? tag(text) : tagOf(text));
    if (response.req.fresh) return whenTaken(response.status(304).end());
  }
  return sendAs(response, text, status, { 'Content-Type': 'application/json; charset=utf-8' });
}

/** The same with this head, and without a tag. The length of what is written in pieces is not told. */
export function sendAs(
  response: Response,
  text: Text,
  status: number,
  head: Readonly<Record<string, string>>,
): Promise<void> {
  if (typeof text === 'string') {
    return whenTaken(response.writeHead(status, { ...head, 'Content-Length': Buffer.byteLength(text) }).end(text));
  }
  response.writeHead(status, head);
  return response.req.method === 'HEAD' ? whenTaken(response.end()) : streamBody(response, text);
}

/** How plugins answer where they do not leave it to a route. @param limit the most bytes of an answer */
export const createResponses = (limit: number): Responses => ({
  limit,
  send: sendAs,
});

/** Done when nothing of an answer waits for its client to take it, or the connection ended. Most are taken at once. */
const whenTaken = (response: ServerResponse): Promise<void> =>
  response.writableLength === 0 || response.destroyed
    ? taken
    : new Promise((resolve) => {
        response.once('close', resolve);
      });

const taken = Promise.resolve();

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

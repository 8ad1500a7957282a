import { serializeJson } from '../../calls/serialize.js';
import { tagOf } from '../../documents/response/response-body.js';
import { isFresh } from '../../plugins/contract/http/response-body.js';
import type { SerializedResponse } from '../../documents/response/response-cache.js';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Response } from 'express';
import type { Responses } from '../../plugins/contract/built-in.js';
import type { ContentAnswer } from '../../plugins/contract/content-api.js';
import { isPublicRead, isRead } from '../read-requests.js';
import type { AwaitPurges } from './await-purges.js';

/** Sends the answer of an action. @throws AppError tooCostly */
export async function sendAnswer(response: Response, answer: ContentAnswer): Promise<void> {
  const { headers, status } = answer;
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  return sendSerialized(response, answer, status);
}

/**
 * Sends JSON; or 304, if responses have tags and the client has this one. Resolves when the client has received the
 * response, or the connection ended.
 * @param limit the maximum bytes of the body
 * @throws AppError tooCostly before anything is sent
 */
export const send = (response: Response, value: unknown, limit: number, status = 200): Promise<void> =>
  sendSerialized(response, { body: serializeJson(value, limit) }, status);

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' };

/** Sends a value that is serialized already. Responses to reads have tags. */
export async function sendSerialized(
  response: Response,
  { body, tag, cacheTags }: SerializedResponse,
  status = 200,
  headers: Readonly<Record<string, string>> = JSON_HEADERS,
): Promise<void> {
  const isReadRequest = isRead(response.req);
  const tagging = response.app.get(CACHE_TAGS) as SentTags | undefined;
  if (tagging !== undefined) {
    if (isReadRequest) setCacheTags(response, status === 200 ? cacheTags : undefined, tagging);
    else if (status < 300) await tagging.awaitPurges?.(response);
  }
  if (isTagged(response) && isReadRequest && status === 200) {
    response.setHeader('ETag', tag ?? tagOf(body));
    if (isFresh(response.req)) return whenTaken(response.status(304).end());
  }
  if (status === NO_CONTENT) return whenTaken(response.status(status).end());
  return sendBody(response, body, status, headers);
}

const NO_CONTENT = 204;

/**
 * The setting of the app with how caches on the way to the client are told the tags of responses; undefined: they are
 * not.
 */
export const CACHE_TAGS = 'cache tags';

/** A header with tags, and what separates them. */
export interface TagHeader {
  readonly name: string;
  readonly separator: string;
}

export interface SentTags {
  readonly headers: readonly TagHeader[];
  /** The header `Cache-Control` of responses with tags whose route sets none. */
  readonly cacheControl: string | undefined;
  /** What waits for caches that purge; undefined: there are none. */
  readonly awaitPurges: AwaitPurges | undefined;
}

/** Nobody would purge a response without tags, so no cache may keep it. */
function setCacheTags(response: Response, tags: readonly string[] | undefined, tagging: SentTags): void {
  if (tags === undefined || !isPublicRead(response.req)) {
    response.setHeader('Cache-Control', 'no-store');
    return;
  }
  for (const { name, separator } of tagging.headers) response.setHeader(name, tags.join(separator));
  if (response.hasHeader('Cache-Control') || tagging.cacheControl === undefined) return;
  response.setHeader('Cache-Control', tagging.cacheControl);
  response.vary('Authorization, Cookie');
}

/** Whether responses to reads have tags. */
export const isTagged = ({ app }: Response): boolean => app.get('etag fn') !== undefined;

/** Sends a body with these headers, without a tag. A body in chunks has no `Content-Length`. */
function sendBody(
  response: Response,
  body: SerializedResponse['body'],
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    return whenTaken(response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body));
  }
  response.writeHead(status, headers);
  return response.req.method === 'HEAD' ? whenTaken(response.end()) : streamBody(response, body);
}

/** For plugins that send responses themselves. @param limit the maximum bytes of a body */
export const createResponses = (limit: number): Responses => ({ limit, send: sendBody, sendTagged: sendSerialized });

/** Resolves when the client has received the response, or the connection ended. Usually it is received immediately. */
const whenTaken = (response: ServerResponse): Promise<void> =>
  response.writableLength === 0 || response.destroyed
    ? taken
    : new Promise((resolve) => {
        response.once('close', resolve);
      });

const taken = Promise.resolve();

/**
 * Writes the body of a response at the client's pace: at most one chunk is buffered. If the client disconnects or is
 * disconnected, no more chunks are created; if a chunk fails the connection is closed, and express receives the error.
 * Resolves when everything is sent, or nothing more will be.
 */
const streamBody = (response: Response, pieces: Iterable<string>): Promise<void> =>
  new Promise((resolve) => {
    pipeline(pieces, response, (error) => {
      if (error != null && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') response.req.next?.(error);
      resolve();
    });
  });

import { jsonSize, createResponseBudget, isFresh, tagOf } from '../../documents/response/response-body.js';
import type { ResponseBody, SerializedResponse } from '../../documents/response/response-cache.js';
import type { WrittenResponse } from '../../documents/response/written-response.js';
import { responseTooLong } from '../../mongo/read/read-batch.js';
import {
  changesMeta,
  pageMeta,
  presentEntry,
  presentList,
  type Present,
  type ReadResult,
} from '../../documents/read-operation.js';
import type { ResponseSerializer } from '../../documents/response/respond.js';
import type { StoredSchedule } from '../../mongo/events/schedules.js';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Response } from 'express';
import type { Responses } from '../../plugins/contract/built-in.js';
import type { ContentAnswer } from '../../plugins/contract/content-api.js';
import { isPublicRead, isRead } from '../read-requests.js';
import type { AwaitPurges } from './await-purges.js';

/** Serializes lists. @param limit the maximum bytes of one */
export const listSerializer = (limit: number): ResponseSerializer => ({
  name: 'list',
  present: ({ page, query, presenter }) =>
    serializeList(
      page.entries.map((entry) => () => entry(presenter)),
      metaOfList({ page, query }),
      limit,
    ),
});

/** Serializes single entries. @param limit the maximum bytes of one */
export const entrySerializer = (limit: number): ResponseSerializer => ({
  name: 'entry',
  present: (result) => serializeJson(entryEnvelope(result), limit),
});

/** Serializes all entries of a list without its pagination. @param limit the maximum bytes */
export const entriesSerializer = (limit: number): ResponseSerializer => ({
  present: (result) => serializeJson(envelope(presentList(result).entries), limit),
});

export const countSerializer: ResponseSerializer = {
  present: ({ page: { total } }) => JSON.stringify({ data: { count: total } }),
};

interface Envelope {
  readonly data: unknown;
  readonly meta: object;
}

/** A response to a request for one entry, or for entries without pages. */
export const envelope = (entry: unknown): Envelope => ({ data: entry, meta: {} });

/** The response to a read of one entry. @throws AppError notFound */
export const entryEnvelope: Present<Envelope> = (result) => ({ data: presentEntry(result), meta: changesMeta(result) });

/** A list with `meta.pagination` in the form that the request uses. */
export const listEnvelope: Present<Envelope> = (result) => ({
  data: presentList(result).entries,
  meta: metaOfList(result),
});

const metaOfList = ({ page, query }: Pick<ReadResult, 'page' | 'query'>): object => ({
  ...pageMeta(page, query.pagination),
  ...changesMeta({ page, query }),
});

/** A schedule as clients see it, with null in place of a missing time. */
export const shownSchedule = ({ publishAt, unpublishAt, error }: StoredSchedule = {}) => ({
  publishAt: publishAt ?? null,
  unpublishAt: unpublishAt ?? null,
  ...(error !== undefined && { error }),
});

/** The approximate size of a chunk in bytes. */
const PIECE = 2 ** 18;

/** Parts of a text in chunks that are created on demand, so that pending chunks take no memory. */
function* inPieces(parts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** The parts of a value's JSON: complete if they are short, otherwise the brackets and the elements between them. */
function* partsOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || jsonSize(value, PIECE) <= PIECE) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') {
    yield* partsOf(Reflect.apply(toJSON, value, ['']));
  } else if (Array.isArray(value)) {
    let before = '[';
    for (const element of value) {
      yield before;
      yield* partsOf(element);
      before = ',';
    }
    yield ']';
  } else {
    let before = '{';
    for (const [key, part] of Object.entries(value)) {
      if (!isWritten(part)) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* partsOf(part);
      before = ',';
    }
    yield '}';
  }
}

/** JSON omits such properties. */
const isWritten = (value: unknown): boolean => !['undefined', 'function', 'symbol'].includes(typeof value);

/**
 * A body as JSON, in chunks if it is long.
 * @param limit the maximum size in bytes
 * @throws AppError tooCostly before anything is written
 */
export function serializeJson(body: unknown, limit: number): ResponseBody {
  const size = jsonSize(body, limit);
  if (size > limit) throw responseTooLong(limit);
  return size <= PIECE ? JSON.stringify(body) : { [Symbol.iterator]: () => inPieces(partsOf(body)) };
}

/** The response to a write that was done, which no limit refuses any more. */
export const serializeWritten = ({ body, shortened }: WrittenResponse, limit: number): ResponseBody =>
  jsonSize(body, limit) > limit ? JSON.stringify(shortened) : serializeJson(body, limit);

/** Bytes beyond which a list is streamed. */
const LONG = 2 * PIECE;

/**
 * A list as JSON. A long one is never completely in memory: its entries are assembled once to find errors before the first chunk
 * is returned, and again one by one.
 * @param limit the maximum size in bytes
 * @throws AppError tooCostly
 */
export function serializeList(entries: readonly (() => unknown)[], meta: object, limit: number): ResponseBody {
  const budget = createResponseBudget(limit);
  let data: unknown[] = [];
  for (const entry of entries) {
    const presented = entry();
    budget.spend(jsonSize(presented, budget.left));
    if (limit - budget.left <= LONG) data.push(presented);
    else data = [];
  }
  if (data.length === entries.length) return JSON.stringify({ data, meta });
  return { [Symbol.iterator]: () => inPieces(partsOfList(entries, meta)) };
}

function* partsOfList(entries: readonly (() => unknown)[], meta: object): Generator<string> {
  let before = '{"data":[';
  for (const entry of entries) {
    yield before;
    yield* partsOf(entry());
    before = ',';
  }
  yield `],"meta":${JSON.stringify(meta)}}`;
}

/** Sends the answer of an action. @throws AppError tooCostly */
export async function sendAnswer(response: Response, answer: ContentAnswer): Promise<void> {
  const { headers, status } = answer;
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  return sendSerialized(response, answer, status);
}

/**
 * Sends JSON; or 304, if responses have tags and the client has this one. Resolves when the client has received the response,
 * or the connection ended.
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

/** The setting of the app with how caches on the way to the client are told the tags of responses; undefined: they are not. */
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
 * Writes the body of a response at the client's pace: at most one chunk is buffered. If the client
 * disconnects or is disconnected, no more chunks are created; if a chunk fails the connection is closed, and express receives the error.
 * Resolves when everything is sent, or nothing more will be.
 */
const streamBody = (response: Response, pieces: Iterable<string>): Promise<void> =>
  new Promise((resolve) => {
    pipeline(pieces, response, (error) => {
      if (error != null && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') response.req.next?.(error);
      resolve();
    });
  });

import type { Request, RequestHandler, Response } from 'express';
import type { ChangePage, Feed, Feeds } from '../documents/changes/feeds.js';
import { streamHeaders, writeAtPace } from '../plugins/contract/http/response-body.js';
import { AppError } from '../errors/app-error.js';
import { noteCaller } from '../plugins/contract/response-notes.js';
import type { Admission } from './middleware/admission.js';
import type { Authenticate } from '../plugins/contract/plugin-context.js';
import { queryOf } from '../calls/query-string.js';
import { send } from './response/json-response.js';
import { presenterOf } from './response/rest-presenter.js';
import { recognise } from './response/error-response.js';

interface ChangesOptions {
  readonly feeds: Feeds;
  readonly authenticate: Authenticate;
  readonly admission: Admission;
  /** The maximum bytes of a response. */
  readonly responseLimit: number;
}

/**
 * Milliseconds after which an open feed without changes sends its position, by which both sides notice a lost
 * connection.
 */
const HEARTBEAT_MS = 15_000;
/** Milliseconds after which clients connect again. */
const RECONNECT_MS = 2000;
/** Seconds that a long poll waits: by default and at most. */
const MAX_WAIT = 25;

/** `GET /api/changes`: changes as server-sent events, or as JSON by long polling. */
export function createChangesHandler(options: ChangesOptions): RequestHandler {
  return async (request, response) => {
    const { since: position, wait, ...input } = queryOf(request);
    const isPoll = request.accepts(['text/event-stream', 'application/json']) === 'application/json';
    if (wait !== undefined && !isPoll)
      throw new AppError('badRequest', 'wait needs the header Accept: application/json');
    const seconds = parseWait(wait);
    const ended = new AbortController();
    response.once('close', () => ended.abort());
    const opening = {
      input,
      since: parseSince(request.headers['last-event-id'] ?? position),
      authenticate: async () => {
        const caller = await options.authenticate(request, response);
        noteCaller(response, caller);
        return caller;
      },
      address: request.ip ?? '',
      presenterOf,
      signal: ended.signal,
    };
    // The wait for changes takes no place among the requests in progress.
    const feed = await options.admission.run(response, async () => options.feeds.open(opening));
    try {
      if (isPoll) await respondToPoll(feed, seconds, response, options.responseLimit);
      else await stream(feed, request, response);
    } finally {
      feed.close();
    }
  };
}

function parseSince(since: unknown): string | undefined {
  if (since === undefined || typeof since === 'string') return since;
  throw new AppError('badRequest', 'since must be one position');
}

function parseWait(wait: unknown): number {
  const seconds = wait === undefined ? MAX_WAIT : Number(wait);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_WAIT && wait !== '') return seconds;
  throw new AppError('badRequest', `wait must be an integer from 0 to ${MAX_WAIT}: seconds`);
}

async function respondToPoll(feed: Feed, seconds: number, response: Response, limit: number): Promise<void> {
  const { changes, position }: ChangePage = (await feed.next(seconds * 1000)) ?? { changes: [], position: feed.start };
  response.setHeader('Cache-Control', 'no-store');
  await send(response, { data: changes, meta: { position } }, limit);
}

/**
 * Sends changes until the client disconnects or the feed ends. A client that reads slowly is waited for: nothing is
 * buffered for it.
 */
async function stream(feed: Feed, { method }: Request, response: Response): Promise<void> {
  response.writeHead(200, streamHeaders);
  if (method === 'HEAD') return void response.end();
  try {
    await writeAtPace(response, `retry: ${RECONNECT_MS}\nid: ${feed.start}\n\n`);
    for (let page = await feed.next(HEARTBEAT_MS); page !== undefined; page = await feed.next(HEARTBEAT_MS)) {
      for (const message of messagesOf(page)) await writeAtPace(response, message);
    }
  } catch (error) {
    // Clients connect again, and then get the error.
    if (recognise(error).code === 'internal') throw error;
  }
  response.end();
}

/** The last one has the position to go on from. Clients remember a position alone, without a message. */
function* messagesOf({ changes, position }: ChangePage): Generator<string> {
  for (const change of changes) {
    const id = change === changes.at(-1) ? position : change.position;
    yield `id: ${id}\ndata: ${JSON.stringify(change)}\n\n`;
  }
  if (changes.length === 0) yield `id: ${position}\n\n`;
}

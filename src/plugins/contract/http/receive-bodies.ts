import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type RequestHandler as ExpressHandler } from 'express';
import { AppError } from '../../../errors/app-error.js';
import { callerKey, createQuota, type Holding } from '../../../documents/quota.js';
import { networkOf } from '../../../mongo/coordination/rate-limits.js';
import { asUtf8, jsonTypes } from '../bodies.js';
import { callerOf } from '../response-notes.js';
import type { RequestHandler } from './messages.js';

/** How one kind of body is read, where that is not the same for all. */
export interface ParserOptions {
  /** Sees the bytes before they are parsed. */
  readonly verify?: (request: IncomingMessage, response: ServerResponse, body: Buffer, encoding: string) => void;
  /** Bytes of a body; default: the limit of all. */
  readonly limit?: number;
}

/** The only readers of request bodies. What their bodies hold in memory is counted until the response has ended. */
export interface Bodies {
  readonly json: (options?: ParserOptions & { readonly strict?: boolean }) => RequestHandler;
  readonly urlencoded: (options?: ParserOptions) => RequestHandler;
  readonly text: (options?: ParserOptions) => RequestHandler;
  /**
   * Takes a place for a form, which holds the bytes of its texts until it is processed.
   * @throws AppError overloaded, tooManyRequests
   */
  readonly openForm: (message: IncomingMessage) => Holding;
  /** The bytes that all bodies hold. */
  readonly held: number;
}

interface BodiesLimits {
  /** Bytes of a body. */
  readonly body: number;
  /** Forms at a time. */
  readonly forms: number;
}

/** Bytes of all bodies of a process, and how many bodies of the maximum size they are at least. */
const MEMORY = 64 * 2 ** 20;
const BODIES = 64;
/** The part of it, and of the quota of forms, that one caller can have. */
const SHARE = 1 / 4;
/** Bytes that a parser holds for each chunk of a body beside its content, which can be a single byte. */
export const BYTES_OF_CHUNK = 100;
/** Milliseconds for which the rest of a refused body is received. */
const TIMEOUT_MS = 2000;

/** Bytes of the values of JSON beside their text, by the characters that they begin with or that are between them. */
const valueBytes = new Uint8Array(2 ** 8);
for (const [character, bytes] of Object.entries({ '{': 40, '[': 32, ',': 16, ':': 24 }))
  valueBytes[character.charCodeAt(0)] = bytes;

/**
 * What the values of JSON hold when it is parsed, measured: between half of this and twice as much, which is up to 21
 * times its length.
 */
export function bytesOfValues(text: Uint8Array): number {
  let bytes = 0;
  for (const character of text) bytes += valueBytes[character] ?? 0;
  return bytes;
}

export function createBodies({ body, forms }: BodiesLimits): Bodies {
  const all = Math.max(MEMORY, BODIES * body);
  const perCaller = all * SHARE;
  const memory = createQuota({ all, perCaller }, 'Too many bodies are being received');
  const quota = createQuota({ all: forms, perCaller: forms * SHARE }, 'Too many forms are being received');
  const open = (message: IncomingMessage): Holding => {
    const { set, close } = memory.open(holderOf(message));
    const hold = (bytes: number): void => {
      // It would be too much at any time.
      if (bytes > perCaller) throw new AppError('payloadTooLarge');
      set(bytes);
    };
    return { set: hold, close };
  };

  /** A parser that counts what it holds: each chunk, and what it makes of the whole body before it does. */
  const counted = (
    { limit = body, verify }: ParserOptions,
    create: (options: Required<ParserOptions>) => ExpressHandler,
    bytesOfValues: (text: Uint8Array) => number = () => 0,
  ): ExpressHandler => {
    const countValues = new WeakMap<IncomingMessage, (text: Uint8Array) => void>();
    const parse = asUtf8(
      create({
        limit,
        verify: (request, response, text, encoding) => {
          countValues.get(request)?.(text);
          verify?.(request, response, text, encoding);
        },
      }),
    );
    return (request, response, next) => {
      let isDone = false;
      const end = (error?: unknown): void => {
        if (isDone) return;
        isDone = true;
        request.off('data', count);
        next(error);
      };
      const holding = open(request);
      // The length of a compressed body is not known: it may be as large as allowed.
      const isCompressed = (request.headers['content-encoding'] ?? 'identity') !== 'identity';
      let bytes = isCompressed ? limit : 0;
      const count = ({ length }: Uint8Array): void => {
        bytes += isCompressed ? 0 : length + BYTES_OF_CHUNK;
        try {
          holding.set(bytes);
        } catch (error) {
          // What the parser holds is released with the request.
          request.unpipe().removeAllListeners('data');
          discard(request);
          end(error);
        }
      };
      countValues.set(request, (text) => {
        try {
          holding.set(bytes + bytesOfValues(text));
        } catch (error) {
          end(error);
          throw error;
        }
      });
      parse(request, response, end);
      // The parser does not read this body, or has begun to.
      if (isDone) return;
      response.once('close', () => {
        request.off('data', count);
        holding.close();
      });
      request.on('data', count);
    };
  };
  return {
    json: ({ strict = true, ...options } = {}) =>
      counted(options, (parsing) => express.json({ ...parsing, strict, type: jsonTypes }), bytesOfValues),
    urlencoded: (options = {}) => counted(options, (parsing) => express.urlencoded({ ...parsing, extended: true })),
    text: (options = {}) => counted(options, (parsing) => express.text({ ...parsing, type: 'text/*' })),
    openForm: (message) => {
      const leave = quota.take(holderOf(message));
      const { set, close } = open(message);
      return {
        set,
        close: () => {
          close();
          leave();
        },
      };
    },
    get held() {
      return memory.count;
    },
  };
}

/** The caller, once it is known, or the network of a request. */
function holderOf(message: IncomingMessage): string {
  const { ip = message.socket.remoteAddress ?? '', res } = message as Partial<Request> & IncomingMessage;
  const caller = res && callerOf(res);
  return caller === undefined ? `address ${networkOf(ip)}` : callerKey(caller, ip);
}

/**
 * Receives the rest of a refused body for a short time: a client that is disconnected while it sends does not see the
 * response. Clients that continue sending are disconnected then.
 */
export function discard(message: IncomingMessage): void {
  const cut = setTimeout(() => message.destroy(), TIMEOUT_MS).unref();
  message.once('close', () => clearTimeout(cut)).resume();
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough, Writable, type Readable } from 'node:stream';
import express, { type Response } from 'express';

/** The body of an answer; undefined: there is none. */
export type AnswerBody = string | Uint8Array | Readable | undefined;

/** What the head of a response can do: that of an answer is the one that is sent. */
const headMethods = [
  'setHeader',
  'setHeaders',
  'appendHeader',
  'getHeader',
  'getHeaders',
  'getHeaderNames',
  'hasHeader',
  'removeHeader',
  'setTimeout',
] as const;

/** Whether a content type is JSON. */
export const isJson = (type: string): boolean => /^application\/(?:[\w.-]+\+)?json\b/.test(type);

type Head = ServerResponse & Partial<Pick<Response, 'app' | 'locals'>>;

/**
 * A response for handlers of Express whose body becomes a value in place of being sent. Its status and headers are
 * those of another response, which somebody else sends. Each of the two ends with the other: a handler learns by
 * `close` that the client has the response or is gone, and the connection of a body that is incomplete is closed.
 */
export class Answer extends Writable {
  /**
   * Resolves once the body begins: to the complete body if it is written at once or is a text of JSON, otherwise to a
   * stream.
   */
  readonly body: Promise<AnswerBody>;
  readonly #head: Head;
  readonly #resolve: (body: AnswerBody) => void;
  /** The parts of a text of JSON so far. */
  #json: string[] | undefined;
  #stream: PassThrough | undefined;
  #hasBegun = false;
  /** Nobody reads the stream any more. */
  #isDropped = false;

  static {
    Object.assign(Answer.prototype, express.response);
    for (const name of headMethods) {
      Object.assign(Answer.prototype, {
        [name](this: Answer, ...args: unknown[]): unknown {
          const result: unknown = Reflect.apply(this.#head[name], this.#head, args);
          return result === this.#head ? this : result;
        },
      });
    }
  }

  constructor(head: Head) {
    super({ decodeStrings: false, autoDestroy: false });
    let resolve: (body: AnswerBody) => void = () => undefined;
    this.body = new Promise((set) => (resolve = set));
    this.#head = head;
    this.#resolve = resolve;
    this.once('close', () => resolve(undefined));
    // As those of a response: who writes learns of an error by `close`.
    this.on('error', () => undefined);
    // Handlers wait for the connection to close, which can serve more requests.
    this.on('pipe', (source: Readable) => this.once('close', () => source.destroy()));
    if (head.destroyed) this.destroy();
    else head.once('close', () => this.destroy());
  }

  /** For handlers of Express. */
  asResponse(): Response {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has all that handlers use of a response
    return this as unknown as Response;
  }

  get req(): IncomingMessage {
    return this.#head.req;
  }

  get app(): unknown {
    return this.#head.app;
  }

  get locals(): unknown {
    return this.#head.locals;
  }

  get socket(): Socket {
    return this.req.socket;
  }

  get statusCode(): number {
    return this.#head.statusCode;
  }

  set statusCode(status: number) {
    this.#head.statusCode = status;
  }

  get headersSent(): boolean {
    return this.#hasBegun;
  }

  writeHead(status: number, ...more: readonly unknown[]): this {
    this.statusCode = status;
    const headers = more.find((part) => typeof part === 'object' && part !== null) ?? {};
    for (const [name, value] of Object.entries(headers)) this.#head.setHeader(name, value as string);
    this.#hasBegun = true;
    return this;
  }

  /** The headers of a stream are sent once middlewares have seen it, not with its first part. */
  flushHeaders(): void {
    this.#head.once('pipe', () => this.#head.flushHeaders());
    this.#open();
  }

  override end(...args: unknown[]): this {
    const [chunk] = args;
    const isWhole = this.#stream === undefined && this.#json === undefined;
    if (!isWhole || this.writableEnded) return Reflect.apply(super.end, this, args) as this;
    this.#hasBegun = true;
    this.#resolve(typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : undefined);
    return Reflect.apply(
      super.end,
      this,
      args.filter((argument) => typeof argument === 'function'),
    ) as this;
  }

  override _write(chunk: string | Uint8Array, encoding: BufferEncoding, done: () => void): void {
    // A file of JSON is written as bytes, and stays a stream.
    if (typeof chunk === 'string' && this.#stream === undefined && this.#isJson) this.#json ??= [];
    if (this.#json !== undefined) {
      this.#json.push(String(chunk));
      done();
    } else if (this.#open().write(chunk, encoding)) done();
    else this.#stream?.once('drain', done);
  }

  override _final(done: () => void): void {
    if (this.#json !== undefined) this.#resolve(this.#json.join(''));
    if (this.#stream === undefined) done();
    else this.#stream.once('end', done).end();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#hasBegun && !this.writableFinished && !this.#isDropped) this.#head.destroy();
    this.#stream?.destroy();
    done(error);
  }

  get #isJson(): boolean {
    return isJson(String(this.#head.getHeader('Content-Type')));
  }

  #open(): PassThrough {
    if (this.#stream !== undefined) return this.#stream;
    this.#hasBegun = true;
    this.#stream = new PassThrough();
    this.#stream.once('close', () => {
      this.#isDropped = true;
      this.destroy();
    });
    this.#resolve(this.#stream);
    return this.#stream;
  }
}

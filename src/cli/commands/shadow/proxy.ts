import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { Readable, Transform } from 'node:stream';
import { createProxyServer } from 'httpxy';
import { reasonOf } from '../../../errors/reason-of.js';
import { isRead } from '../compare/requests.js';
import { createRecording, type Memory, type Recording } from './memory.js';

/** A server that answers: Strapi, or this service. */
export type Side = 'reference' | 'ours';

/** A request that a client sent, and the answer that it got. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined: it did not fit into the memory, nor did an answer that is undefined. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly side: Side;
  readonly status: number;
  readonly answerHeaders: IncomingHttpHeaders;
  readonly answer: Uint8Array<ArrayBuffer> | undefined;
}

export interface ProxyOptions {
  readonly urls: Readonly<Record<Side, string>>;
  readonly sideOf: (path: string) => Side;
  readonly memory: Memory;
  /**
   * A request arrives. Returns the function that takes its exchange, with the bytes that it holds of the memory;
   * undefined: the client or the server broke it off.
   */
  readonly onRequest: (method: string, path: string) => (exchange: Exchange | undefined) => void;
}

/** Passes requests on to one side, unchanged, and its answers back, and records what passes. */
export function createProxy({ urls, sideOf, memory, onRequest }: ProxyOptions): http.Server {
  // Servers in Node close a connection that was idle for five seconds. It is not used again near that time, as a write
  // that meets the end of its connection cannot be sent again; a busy process may be late by seconds.
  const keeping = { keepAlive: true, timeout: 1000 };
  const agents = { 'http:': new http.Agent(keeping), 'https:': new https.Agent(keeping) };
  const proxy = createProxyServer({ changeOrigin: true, xfwd: true });
  /** What is recorded of a request until its answer is complete. */
  const open = new WeakMap<http.IncomingMessage, (answer: http.IncomingMessage) => void>();
  proxy.on('proxyRes', (answer, request) => open.get(request)?.(answer));
  const server = http.createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const side = sideOf(path);
    const [body, answer] = [createRecording(memory), createRecording(memory)];
    const done = onRequest(method, path);
    let isOpen = true;
    const finish = (exchange: Exchange | undefined): void => {
      if (!isOpen) return;
      isOpen = false;
      if (exchange === undefined) for (const recording of [body, answer]) recording.release();
      done(exchange);
    };
    const sent = recordTo(body);
    response.once('close', () => {
      if (!response.writableFinished) finish(undefined);
    });
    open.set(request, (message) => {
      message.on('data', (chunk: Uint8Array) => answer.add(chunk));
      message.once('end', () => {
        const { statusCode: status = 0, headers: answerHeaders } = message;
        const bytes = { body: body.bytes, answer: answer.bytes };
        finish({ method, path, headers: { ...headers }, side, status, answerHeaders: { ...answerHeaders }, ...bytes });
      });
    });
    const target = urls[side];
    const agent = agents[new URL(target).protocol as keyof typeof agents];
    const fail = (error: unknown): void => {
      finish(undefined);
      answerFailure(response, `${target} does not answer: ${reasonOf(error)}\n`);
    };
    const pass = (source: Readable): Promise<void> => proxy.web(request, response, { target, agent, buffer: source });
    const repeat = (error: unknown): Promise<void> => {
      // A connection that is kept open can be closed by the other end just when it is used again.
      const bytes = sent.writableFinished ? body.bytes : undefined;
      const isAnswered = response.headersSent || response.destroyed;
      const isRepeatable =
        bytes !== undefined && !isAnswered && isRead({ method, path, body: Buffer.from(bytes).toString() });
      if (!isRepeatable || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
      return pass(Readable.from(bytes.length === 0 ? [] : [bytes]));
    };
    pass(request.pipe(sent)).catch(repeat).catch(fail);
  });
  server.on('close', () => Object.values(agents).forEach((agent) => agent.destroy()));
  return server;
}

/** Passes bytes on and records them. A listener would make a request flow before the library reads it. */
const recordTo = (recording: Recording): Transform =>
  new Transform({
    transform: (chunk: Uint8Array, _, next) => {
      recording.add(chunk);
      next(null, chunk);
    },
  });

function answerFailure(response: http.ServerResponse, text: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-type': 'text/plain' }).end(text);
}

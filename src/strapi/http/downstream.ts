import { PassThrough } from 'node:stream';
import type { ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';

interface Captured {
  readonly body: unknown;
  /** The response is sent as it is written, because it has no end. */
  readonly isSent?: true;
}

/**
 * Captures a response as the body of a context, so that outer middlewares can read and change it: completely if it is
 * written immediately, as a stream if it is written in chunks. Server-sent events never end, so they are not captured.
 */
function capture(response: ServerResponse): Promise<Captured> {
  const original = { write: response.write, end: response.end, writeHead: response.writeHead };
  return new Promise((resolve) => {
    let stream: PassThrough | undefined;
    const begin = (): PassThrough => {
      if (stream === undefined) {
        stream = new PassThrough();
        resolve({ body: stream });
      }
      return stream;
    };
    const write: (chunk: unknown, encoding?: unknown, done?: unknown) => boolean = (chunk, encoding, done) =>
      Reflect.apply(begin().write, begin(), [chunk, encoding, done]);
    const end = (chunk?: unknown, encoding?: unknown): ServerResponse => {
      Object.assign(response, original);
      if (stream !== undefined) Reflect.apply(stream.end, stream, chunk === undefined ? [] : [chunk, encoding]);
      else resolve({ body: chunk });
      return response;
    };
    const writeHead = (status: number, ...more: unknown[]): ServerResponse => {
      response.statusCode = status;
      const headers = more.find((part) => typeof part === 'object' && part !== null) ?? {};
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value as string);
      if (!String(response.getHeader('Content-Type')).startsWith('text/event-stream')) return response;
      Object.assign(response, original);
      resolve({ body: undefined, isSent: true });
      return response.writeHead(status);
    };
    Object.assign(response, { write, end, writeHead });
  });
}

/** The service handles a body that was parsed for middlewares of the project as they left it. */
function keepBody({ req, request }: Context): void {
  const message = req as { body?: unknown };
  if (message.body !== undefined) message.body = (request as { readonly body?: unknown }).body;
}

/**
 * A route of the service outside of Koa, at the end of the project's middlewares.
 * @param pass lets it respond with the original response object
 */
export const answerDownstream =
  (pass: (context: Context) => void): Middleware =>
  async (context) => {
    const { res } = context;
    // Koa starts with 404, other handlers with 200.
    res.statusCode = 200;
    const answered = capture(res);
    keepBody(context);
    pass(context);
    const { body, isSent } = await answered;
    if (isSent === true) {
      context.respond = false;
      return;
    }
    const { statusCode } = res;
    context.status = statusCode;
    const type = res.getHeader('Content-Type');
    if (body === undefined || body === '') {
      if (context.body === undefined && statusCode !== 200) context.body = null;
      context.status = statusCode;
      return;
    }
    const isJson = typeof body === 'string' && String(type).startsWith('application/json');
    res.removeHeader('Content-Length');
    context.body = isJson ? (JSON.parse(body) as unknown) : body;
    context.status = statusCode;
    if (type !== undefined) context.set('Content-Type', String(type));
  };

import type { Response } from 'express';

/** Answers with JSON; with 304 where answers have tags and the client has this one. */
export function send(response: Response, body: unknown, status = 200): void {
  const text = JSON.stringify(body);
  const tag = response.app.get('etag fn') as ((body: string) => string) | undefined;
  if (tag !== undefined && status === 200) {
    response.setHeader('ETag', tag(text));
    if (response.req.fresh) return void response.status(304).end();
  }
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

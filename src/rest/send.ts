import type { Response } from 'express';

/** Answers with JSON; with 304 where answers have tags and the client has this one. */
export const send = (response: Response, body: unknown, status = 200): void =>
  sendText(response, JSON.stringify(body), status);

/** The same with JSON that is written already. */
export function sendText(response: Response, text: string, status = 200): void {
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

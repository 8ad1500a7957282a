import type { Response } from 'express';

/** Answers with JSON. */
export function send(response: Response, body: unknown, status = 200): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { securityHeaders } from './edge/security-headers.js';

/** What Node's reader of HTTP says, and what the client is told. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const names: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  408: 'RequestTimeoutError',
  413: 'PayloadTooLargeError',
  414: 'UriTooLongError',
  431: 'RequestHeaderFieldsTooLargeError',
};

/** Answers what is no HTTP, came too slowly or has too long a head: in the envelope, and the connection ends. */
export function answerUnreadable(error: Error, socket: Duplex, urlLimit: number): void {
  if (!socket.writable || (error as NodeJS.ErrnoException).code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = statusOf(error, urlLimit);
  const message = STATUS_CODES[status];
  const body = JSON.stringify({ data: null, error: { status, name: names[status], message, details: {} } });
  const head = [
    `HTTP/1.1 ${status} ${message}`,
    ...securityHeaders.map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Node does not tell whether the URL or the headers are too long: the part of the request that it stopped in does. */
function statusOf(error: Error & { readonly code?: string; readonly rawPacket?: Buffer }, urlLimit: number): number {
  const status = statuses[error.code ?? ''] ?? 400;
  if (status !== 431 || error.rawPacket === undefined) return status;
  const firstLine = error.rawPacket.indexOf('\r\n');
  return firstLine < 0 || firstLine > urlLimit ? 414 : 431;
}

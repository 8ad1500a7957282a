import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import lodash from 'lodash';
import { securityHeaders } from './security-headers.js';

/** Errors of Node's HTTP parser, and the responses to the client. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

interface Unreadable extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Responses to this method have no body. */
const HEAD = Buffer.from('HEAD ');

/**
 * Responds to requests that are invalid HTTP, too slow, or have too long headers in Strapi's error format, and closes
 * the connection.
 */
export function answerClientError(error: Unreadable, socket: Duplex, urlLimit: number): void {
  const { code, rawPacket } = error;
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = statusOf(error, urlLimit);
  const message = STATUS_CODES[status];
  const name = `${lodash.upperFirst(lodash.camelCase(message))}Error`;
  const body = JSON.stringify({ data: null, error: { status, name, message, details: {} } });
  const headerLines = [
    `HTTP/1.1 ${status} ${message}`,
    ...securityHeaders.map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  const isHead = rawPacket?.subarray(0, HEAD.length).equals(HEAD) === true;
  socket.end(`${headerLines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`);
}

/** Node does not report whether the URL or the headers are too long: the last part of the request shows it. */
function statusOf({ code = '', rawPacket }: Unreadable, urlLimit: number): number {
  const status = statuses[code] ?? 400;
  if (status !== 431 || rawPacket === undefined) return status;
  const firstLine = rawPacket.indexOf('\r\n');
  return firstLine < 0 || firstLine > urlLimit ? 414 : 431;
}

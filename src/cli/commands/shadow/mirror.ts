import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { answerOf, readAnswer, type Answer } from '../compare/find-differences.js';
import type { Exchange } from './proxy.js';

const TIMEOUT_MS = 10_000;

/** Headers of one connection, and those that `fetch` sets itself. */
const own = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
  'te',
  'proxy-connection',
]);

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The answer that the client got, as `findDifferences` takes it. @throws if it is encoded in an unknown way */
export function receivedAnswer({ status, answerHeaders }: Exchange, bytes: Uint8Array): Answer {
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = answerHeaders;
  return answerOf(status, type, decoders[encoding]?.(bytes) ?? bytes);
}

/** Sends the request of an exchange to the other side. @throws if it does not answer in time */
export async function mirror(
  { method, path, headers }: Exchange,
  url: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    own.has(name) || value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  );
  const response = await fetch(url + path, {
    method,
    headers: sent,
    body: body.length === 0 ? null : body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return readAnswer(response);
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError } from '../../errors/app-error.js';
import { envelopeOf, RETRY_AFTER } from '../response/error-response.js';
import { alwaysSent, type EdgeOptions } from './edge.js';
import { REQUEST_ID, requestId } from './request-id.js';

/**
 * Milliseconds that a refusal is held back: clients that retry at once, as many do whatever `Retry-After` says, must not take
 * the time of those who are served.
 */
const REFUSAL_DELAY_MS = 500;

/** What operators ask for, and the question of a browser before it writes. */
const isExempt = ({ url = '', method }: IncomingMessage): boolean =>
  method === 'OPTIONS' || url === '/_health' || url === '/_ready' || url === '/metrics';

/** Told of each answer, by the template of its route. */
export type WatchRoute = (
  request: { readonly method: string; readonly originalUrl: string; readonly ip?: string | undefined },
  response: ServerResponse,
  route: string,
  time: number,
) => void;

type Refusing = Pick<EdgeOptions, 'admission' | 'http'> & { readonly watch: WatchRoute | undefined };

/**
 * Refuses what comes when no more may wait, before anything is done for it: by far cheaper than express, so that refusals
 * do not take the time of those who are served. Where only some origins may read, express does it.
 */
export function shedLoad(listener: RequestListener, options: Refusing): RequestListener {
  const { admission, http, watch } = options;
  if (http.origins !== 'any') return listener;
  const body = JSON.stringify(envelopeOf(new AppError('overloaded')));
  const headerLines = [
    ...alwaysSent(http.origins),
    ['Retry-After', RETRY_AFTER],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
  ].flat();
  const refuse = (response: ServerResponse, id: string): void => {
    if (!response.destroyed) response.writeHead(503, [...headerLines, REQUEST_ID, id]).end(body);
  };
  return (request, response) => {
    if (!admission.full || isExempt(request)) {
      listener(request, response);
      return;
    }
    if (watch !== undefined) {
      const start = performance.now();
      const { method = '', url: originalUrl = '' } = request;
      // Behind a proxy it would be the proxy's.
      const ip = http.trustedProxies === 0 ? request.socket.remoteAddress : undefined;
      response.once('close', () => watch({ method, originalUrl, ip }, response, 'refused', performance.now() - start));
    }
    setTimeout(refuse, REFUSAL_DELAY_MS, response, requestId(request));
  };
}

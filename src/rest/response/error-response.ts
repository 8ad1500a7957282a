import type { ErrorRequestHandler, Response } from 'express';
import { AppError } from '../../errors/app-error.js';
import { codes } from '../../errors/codes.js';
import type { ErrorLog } from '../../errors/error-log.js';
import { idOf } from '../middleware/headers.js';
import { sendSerialized } from './send.js';

/** Seconds after which a client may try again when the database is away, or too much is asked at once. */
export const RETRY_AFTER = '2';

/** Answers errors in Strapi v4's shape. Unknown ones are logged whole, and the client learns a request id only. */
export const respondToErrors =
  (log: ErrorLog): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const appError = recognise(error);
    if (appError.code === 'internal') {
      // The path alone: a query string may hold secrets.
      const [path] = request.originalUrl.split('?', 1);
      log.error({ err: error, id: idOf(response), method: request.method, path }, 'Request failed');
    }
    // Half an answer must not look like a whole one.
    if (response.headersSent) response.destroy();
    else respond(response, appError);
  };

function respond(response: Response, error: AppError): void {
  const { code, message, retryAfter } = error;
  const { status } = codes[code];
  if (status === 503) response.setHeader('Retry-After', RETRY_AFTER);
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
  response.setHeader('Cache-Control', 'no-store');
  if (status === 405) {
    response.status(status).type('text/plain').send(message);
    return;
  }
  void sendSerialized(response, { body: JSON.stringify(envelopeOf(error)) }, status);
}

export const envelopeOf = ({ code, name, message, details }: AppError): object => ({
  data: null,
  error: { status: codes[code].status, name, message, ...(details && { details }) },
});

/** What body parsers and the router of express throw, by their `type` or status. */
export function recognise(error: unknown): AppError {
  if (error instanceof AppError) return error as AppError;
  const { type, status, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    type?: unknown;
    status?: unknown;
    message?: unknown;
  };
  if (type === 'entity.parse.failed') return new AppError('syntax', String(message));
  if (type === 'entity.too.large') return new AppError('payloadTooLarge');
  if (typeof status === 'number' && status >= 400 && status < 500) return new AppError('badRequest', String(message));
  return new AppError('internal');
}

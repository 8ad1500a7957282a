import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { AppError, codedError } from '../../errors/app-error.js';
import { answerOf } from '../../errors/codes.js';
import type { Logger } from '../../errors/logger.js';
import { isThrownByCode } from '../../errors/thrown-by-code.js';
import type { ContentApi, DescribedError } from '../../plugins/contract/content-api.js';
import { isOtherJson } from '../../plugins/contract/bodies.js';
import { noteReason } from '../../plugins/contract/response-notes.js';
import { requestIdOf } from '../request-id.js';
import { sendSerialized } from './json-response.js';

/** Seconds after which a client may retry if the database is unavailable or the service overloaded. */
const RETRY_AFTER = '2';

/** The response to an error that code of a project throws for the client; undefined for its other errors. */
export type DescribeCodeError = (
  error: Error,
  wantsCodes: boolean,
) => { readonly status: number; readonly body: object } | undefined;

type DescribeError = NonNullable<ContentApi['describeError']>;

/**
 * Responds to errors in Strapi v4's format. Unknown ones are logged completely, and the client gets only a request id.
 * @param describe for errors of lifecycles that run while the service answers; undefined: there is no code
 * @param describeError what the others are to clients. Default: as in Strapi v4
 */
export const respondToErrors =
  (
    log: Pick<Logger, 'error'>,
    describe?: DescribeCodeError,
    describeError: DescribeError = ({ name, message, details }) => ({ name, message, details }),
  ): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const described = isThrownByCode(error) ? describe?.(error, wantsCodes(request)) : undefined;
    if (described !== undefined && !response.headersSent) {
      const { status, body } = described;
      response.setHeader('Cache-Control', 'no-store');
      void sendSerialized(response, { body: JSON.stringify(body) }, status);
      return;
    }
    const appError = recognise(error);
    if (appError.code === 'internal') {
      // The path only: a query string can contain secrets.
      const [path] = request.originalUrl.split('?', 1);
      log.error({ err: error, id: requestIdOf(response), method: request.method, path }, 'Request failed');
    }
    // A partial response must not look complete.
    if (response.headersSent) response.destroy();
    else respond(request, response, appError, describeError(appError));
  };

function respond(request: Request, response: Response, error: AppError, described: DescribedError): void {
  const { code, message, retryAfter, reason } = error;
  if (reason !== undefined) noteReason(response, reason);
  const { status } = answerOf(code);
  if (status === 503) response.setHeader('Retry-After', RETRY_AFTER);
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
  response.setHeader('Cache-Control', 'no-store');
  if (status === 405) {
    response.status(status).type('text/plain').send(message);
    return;
  }
  void sendSerialized(
    response,
    { body: JSON.stringify(envelopeOf({ status, ...described }, wantsCodes(request) ? error : undefined)) },
    status,
  );
}

/** Clients that ask for it get what an error means as data, because its message is that of Strapi v4. */
export const wantsCodes = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['x-error-codes'] === 'true';

/**
 * The body of an error in Strapi v4's format.
 * @param coded for clients that ask for codes
 */
export const envelopeOf = (
  { status, name, message, details }: DescribedError & { readonly status: number },
  coded?: AppError,
): { readonly data: null; readonly error: object } => ({
  data: null,
  error: { status, name, message, ...(details && { details }), ...(coded && codedError(coded)) },
});

/** Errors of body parsers and express's router, by `type` or status. */
export function recognise(error: unknown): AppError {
  if (error instanceof AppError) return error as AppError;
  const { type, status, message, limit } = (typeof error === 'object' && error !== null ? error : {}) as {
    type?: unknown;
    status?: unknown;
    message?: unknown;
    limit?: unknown;
  };
  if (isOtherJson(error)) return new AppError('invalidJson');
  if (type === 'entity.parse.failed') return new AppError('syntax', String(message));
  if (type === 'entity.too.large')
    return new AppError('payloadTooLarge').because(`the body is larger than BODY_LIMIT, ${String(limit)} bytes`);
  if (typeof status === 'number' && status >= 400 && status < 500) return new AppError('badRequest', String(message));
  return new AppError('internal');
}

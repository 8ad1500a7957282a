import { STATUS_CODES } from 'node:http';
import Koa, { type Context, type Middleware } from 'koa';
import { AppError } from '../../errors/app-error.js';
import { answerOf } from '../../errors/codes.js';
import { envelopeOf, recognise, wantsCodes } from '../../rest/response/error-response.js';
import { translateError } from '../../mongo/errors.js';
import type { StrapiLog } from '../strapi.js';
import { errors } from '../utilities/errors.js';
import { errorBody, nameOfStatus, validStatus, type StatusError } from './context-methods.js';

/** The statuses of errors that project code throws; any other `ApplicationError` is a 400. */
const statuses = [
  [errors.UnauthorizedError, 401],
  [errors.ForbiddenError, 403],
  [errors.NotFoundError, 404],
  [errors.PayloadTooLargeError, 413],
  [errors.RateLimitError, 429],
  [errors.NotImplementedError, 501],
] as const;

interface Described {
  readonly status: number;
  readonly body: object;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** An unexpected error, which is logged. */
  readonly unforeseen?: true;
}

/**
 * The description of an error for clients, in Strapi v4's format.
 * @param coded whether the client wants codes of those of the service
 */
export function describeError(thrown: unknown, coded = false): Described {
  const error = translateError(thrown);
  if (error instanceof AppError) return describeOurs(error as AppError, coded);
  if (error instanceof errors.ApplicationError) {
    const status = statuses.find(([kind]) => error instanceof kind)?.[1] ?? 400;
    return { status, body: errorBody(status, error.name, error.message, error.details) };
  }
  if (isOfParser(error)) return describeOurs(recognise(error), coded);
  if (error instanceof Koa.HttpError) {
    const { status, name, message } = error;
    const body = errorBody(status, name, message, error['details']);
    return { status, body, ...(status >= 500 && { unforeseen: true }) };
  }
  const { status, statusCode, name, message, details } = error instanceof Error ? (error as StatusError) : unknownError;
  const code = validStatus(status || statusCode);
  if (code < 500) return { status: code, body: errorBody(code, name, message, details) };
  const text = STATUS_CODES[code] ?? 'Internal Server Error';
  return { status: code, body: errorBody(code, nameOfStatus(code), text, undefined), unforeseen: true };
}

/** The response to an error that code throws for the client; undefined for an unexpected one. */
export function describeForClient(error: unknown, coded = false): Described | undefined {
  const described = describeError(error, coded);
  return described.unforeseen === true ? undefined : described;
}

/** What is described of a thrown value that is not an error. */
const unknownError: StatusError = new Error('');

/** Errors of body parsers have a type, e.g. `entity.too.large`. */
const isOfParser = (error: unknown): boolean =>
  /^(?:charset|encoding|entity|parameters|request|stream)\./.test(String((error as { type?: unknown } | null)?.type));

function describeOurs(error: AppError, coded: boolean): Described {
  const { code, name, message, details, retryAfter } = error;
  const { status } = answerOf(code);
  return { status, retryAfter, body: envelopeOf({ status, name, message, details }, coded ? error : undefined) };
}

/**
 * `strapi::errors`: responds to errors of code, and to unhandled requests.
 * @param log receives unexpected errors
 */
export const answerErrors =
  (log: StrapiLog): Middleware =>
  async (context: Context, next) => {
    try {
      await next();
      if (isAnswered(context)) return;
      context['notFound']();
      // As every error of the service.
      context.set('Cache-Control', 'no-store');
    } catch (error) {
      const { status, body, retryAfter, unforeseen } = describeError(error, wantsCodes(context.req));
      if (unforeseen === true) log.error(error);
      context.status = status;
      if (retryAfter !== undefined) context.set('Retry-After', String(retryAfter));
      context.body = body;
    }
  };

/** Koa records when a status or a body is set; until then the status is 404. */
const isAnswered = ({ response }: Context): boolean =>
  (response as { readonly _explicitStatus?: boolean })._explicitStatus === true;

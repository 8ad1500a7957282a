import Koa from 'koa';
import { AppError } from '../../errors/app-error.js';

/** The details of an error for the client. */
type Details = Readonly<Record<string, unknown>> | undefined;

interface ErrorClass {
  new (message?: string, details?: Details): Error & { readonly details: unknown };
}

/** Errors of the service itself, by name, so that `instanceof` in project code matches them too. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  ApplicationError: [],
  ValidationError: ['ApplicationError'],
  PaginationError: ['ApplicationError'],
  NotFoundError: ['ApplicationError'],
  ForbiddenError: ['ApplicationError'],
  PolicyError: ['ForbiddenError', 'ApplicationError'],
  UnauthorizedError: ['ApplicationError'],
  RateLimitError: ['ApplicationError'],
  PayloadTooLargeError: ['ApplicationError'],
  NotImplementedError: ['ApplicationError'],
  YupValidationError: ['ValidationError', 'ApplicationError'],
};

const isOfKind = (error: AppError, name: string): boolean =>
  Object.hasOwn(kinds, error.name) && (error.name === name || kinds[error.name]?.includes(name) === true);

/** An error that the client receives, as Strapi v4's `errors.ApplicationError`. */
class ApplicationError extends Error {
  override name = 'ApplicationError';
  details: unknown;

  constructor(message = 'An application error occured', details: Details = {}) {
    super(message);
    // Strapi v4 keeps a message of another kind, such as null.
    this.message = message;
    this.details = details;
  }

  static override [Symbol.hasInstance](
    this: { readonly name: string; readonly prototype: object },
    value: unknown,
  ): boolean {
    if (value instanceof AppError) return isOfKind(value as AppError, this.name);
    return typeof value === 'object' && value !== null && this.prototype.isPrototypeOf(value);
  }
}

/** @param Parent the base class; `message` is the default message */
function define(name: string, Parent: ErrorClass, fallback?: string): ErrorClass {
  const Defined = class extends Parent {
    constructor(message = fallback, details?: Details) {
      super(message, details);
      this.name = name;
    }
  };
  Object.defineProperty(Defined, 'name', { value: name });
  return Defined;
}

const ValidationError = define('ValidationError', ApplicationError);
const ForbiddenError = define('ForbiddenError', ApplicationError, 'Forbidden access');

/** One error of a `yup` schema. */
export interface YupError {
  readonly message: string;
  readonly path?: string;
  readonly name: string;
  readonly inner?: readonly YupError[];
}

const pathOf = (path: string): readonly string[] =>
  path === ''
    ? []
    : path
        .replaceAll(/\[("?)([^\]"]*)\1\]/g, '.$2')
        .replace(/^\./, '')
        .split('.');

const issueOf = ({ path = '', message, name }: YupError): object => ({ path: pathOf(path), message, name });

/** The error of a `yup` schema, with the path of each issue. */
class YupValidationError extends ValidationError {
  constructor(error: YupError, message?: string) {
    const { inner = [] } = error;
    super(message ?? error.message, { errors: inner.length > 0 ? inner.map(issueOf) : [issueOf(error)] });
  }
}

const ownErrors = {
  ApplicationError,
  ValidationError,
  YupValidationError,
  ForbiddenError,
  PaginationError: define('PaginationError', ApplicationError, 'Invalid pagination'),
  NotFoundError: define('NotFoundError', ApplicationError, 'Entity not found'),
  UnauthorizedError: define('UnauthorizedError', ApplicationError, 'Unauthorized'),
  RateLimitError: define('RateLimitError', ApplicationError, 'Too many requests, please try again later.'),
  PayloadTooLargeError: define('PayloadTooLargeError', ApplicationError, 'Entity too large'),
  PolicyError: define('PolicyError', ForbiddenError, 'Policy Failed'),
  NotImplementedError: define('NotImplementedError', ApplicationError, 'This feature is not implemented yet'),
};

/** The `errors` of `@strapi/utils`, and the error of `ctx.throw`. */
export const errors: typeof ownErrors & { readonly HttpError: typeof Koa.HttpError } = {
  ...ownErrors,
  HttpError: Koa.HttpError,
};

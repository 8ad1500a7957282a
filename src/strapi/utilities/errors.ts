import Koa from 'koa';
import lodash from 'lodash';
import { AppError } from '../../errors/app-error.js';

/** The details of an error for the client. */
type Details = Readonly<Record<string, unknown>> | undefined;

interface ErrorClass {
  new (message?: string, details?: Details): Error & { readonly details: unknown };
  readonly prototype: Error;
}

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

  /** Errors of the service itself are instances of the class with their name. */
  static override [Symbol.hasInstance](this: { readonly prototype: object }, value: unknown): boolean {
    if (!(value instanceof AppError)) return this.prototype.isPrototypeOf(value as object);
    const { name } = value as AppError;
    const kind = Object.hasOwn(ownErrors, name) ? ownErrors[name as keyof typeof ownErrors].prototype : undefined;
    return kind !== undefined && (kind === this.prototype || this.prototype.isPrototypeOf(kind));
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

const issueOf = ({ path = '', message, name }: YupError): object => ({ path: lodash.toPath(path), message, name });

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

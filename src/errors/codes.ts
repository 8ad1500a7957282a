/** An issue of one value: `path` is its path in the body's `data`. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * Every error that a client can get: name and message of Strapi v4, HTTP status, GraphQL code.
 * Inside, code knows the keys only; the transports turn them into a status or an extension.
 */
export const codes = {
  invalidParameter: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: (key: string) => `Invalid parameter ${key}`,
  },
  validation: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: (issues: readonly Issue[]) =>
      issues.length === 1 ? (issues[0]?.message ?? '') : `${issues.length} errors occurred`,
  },
  invalidValue: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: (reason: string) => reason,
  },
  foreignComponent: {
    name: 'ApplicationError',
    status: 400,
    graphql: 'STRAPI_APPLICATION_ERROR',
    message: (attribute: string) => `Some of the provided components in ${attribute} are not related to the entity`,
  },
  foreignZoneComponent: {
    name: 'Error',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: (attribute: string) => `Some of the provided components in ${attribute} are not related to the entity`,
  },
  missingData: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: () => 'Missing "data" payload in the request body',
  },
  rootPaginationParameters: {
    name: 'PaginationError',
    status: 400,
    graphql: 'STRAPI_PAGINATION_ERROR',
    message: () => 'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
  },
  paginationModesMixed: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: () => 'Invalid pagination parameters. Expected either start/limit or page/pageSize',
  },
  graphqlPaginationModesMixed: {
    name: 'PaginationError',
    status: 400,
    graphql: 'STRAPI_PAGINATION_ERROR',
    message: () => 'Cannot use both page & offset pagination in the same query',
  },
  invalidCount: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: () => 'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
  },
  invalidPage: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: (name: string) => `Invalid ${name}: expected an integer in its range`,
  },
  invalidPageNumber: {
    name: 'PaginationError',
    status: 400,
    graphql: 'STRAPI_PAGINATION_ERROR',
    message: (name: string) => `Invalid '${name}' parameter. Expected an integer > 0`,
  },
  invalidCursor: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: (reason: string) => `Invalid pagination.after: ${reason}`,
  },
  tooCostly: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: (what: string, limit: number) => `The query asks for too much: at most ${limit} ${what}`,
  },
  answerTooLarge: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: () => 'The response for a single entry is larger than 16 MB: populate less or limit its relations',
  },
  stepTooLarge: {
    name: 'ValidationError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: () => 'The targets of a relation take more than 100 MB: sort by another attribute, or populate less',
  },
  syntax: {
    name: 'SyntaxError',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: (reason: string) => reason,
  },
  invalidJson: {
    name: 'Error',
    status: 400,
    graphql: 'BAD_USER_INPUT',
    message: () => 'invalid JSON, only supports object and array',
  },
  badRequest: {
    name: 'BadRequestError',
    status: 400,
    graphql: 'STRAPI_BAD_REQUEST_ERROR',
    message: (reason: string) => reason,
  },
  unauthorized: {
    name: 'UnauthorizedError',
    status: 401,
    graphql: 'FORBIDDEN',
    message: (reason = 'Missing or invalid credentials') => reason,
  },
  forbidden: {
    name: 'ForbiddenError',
    status: 403,
    graphql: 'FORBIDDEN',
    message: (reason = 'Forbidden') => reason,
  },
  policyFailed: { name: 'PolicyError', status: 403, graphql: 'FORBIDDEN', message: () => 'Policy Failed' },
  application: {
    name: 'ApplicationError',
    status: 400,
    graphql: 'STRAPI_APPLICATION_ERROR',
    message: (reason: string) => reason,
  },
  notFound: {
    name: 'NotFoundError',
    status: 404,
    graphql: 'STRAPI_NOT_FOUND_ERROR',
    message: (reason = 'Not Found') => reason,
  },
  methodNotAllowed: {
    name: 'MethodNotAllowedError',
    status: 405,
    graphql: 'BAD_USER_INPUT',
    message: () => 'Method Not Allowed',
  },
  conflict: {
    name: 'ConflictError',
    status: 409,
    graphql: 'BAD_USER_INPUT',
    message: (reason: string) => reason,
  },
  preconditionFailed: {
    name: 'PreconditionFailedError',
    status: 412,
    graphql: 'BAD_USER_INPUT',
    message: (reason: string) => reason,
  },
  unprocessable: {
    name: 'UnprocessableEntityError',
    status: 422,
    graphql: 'BAD_USER_INPUT',
    message: (reason: string) => reason,
  },
  gone: {
    name: 'GoneError',
    status: 410,
    graphql: 'BAD_USER_INPUT',
    message: () =>
      'The events after this position are no longer kept: read the entries again, and go on without a position',
  },
  payloadTooLarge: {
    name: 'PayloadTooLargeError',
    status: 413,
    graphql: 'STRAPI_PAYLOAD_TOO_LARGE_ERROR',
    message: (reason = 'Payload Too Large') => reason,
  },
  queryTooLong: { name: 'UriTooLongError', status: 414, graphql: 'BAD_USER_INPUT', message: () => 'URI Too Long' },
  tooManyRequests: {
    name: 'RateLimitError',
    status: 429,
    graphql: 'STRAPI_RATE_LIMIT_ERROR',
    message: (_retryAfter: number) => 'Too many requests, please try again later.',
  },
  internal: {
    name: 'InternalServerError',
    status: 500,
    graphql: 'INTERNAL_SERVER_ERROR',
    message: () => 'Internal Server Error',
  },
  outOfTime: {
    name: 'ServiceUnavailableError',
    status: 503,
    graphql: 'INTERNAL_SERVER_ERROR',
    message: () => 'The query took too long: narrow its filters, or sort by an attribute that has an index',
  },
  overloaded: {
    name: 'ServiceUnavailableError',
    status: 503,
    graphql: 'INTERNAL_SERVER_ERROR',
    message: (reason = 'The server is busy') => `${reason}, try again in a few seconds`,
  },
  unavailable: {
    name: 'ServiceUnavailableError',
    status: 503,
    graphql: 'INTERNAL_SERVER_ERROR',
    message: (what = 'The database') => `${what} does not answer, try again in a few seconds`,
  },
} as const satisfies Record<string, CodeRule>;

interface CodeRule {
  readonly name: string;
  readonly status: number;
  readonly graphql: string;
  readonly message: (...args: never[]) => string;
}

export type Code = keyof typeof codes;

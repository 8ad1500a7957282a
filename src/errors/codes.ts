/** The rules that a value can break. Code asks for them; the English of a message is for people. */
export const rules = [
  'required',
  'notNull',
  'notEmpty',
  'unique',
  'type',
  'minLength',
  'maxLength',
  'min',
  'max',
  'integer',
  'enum',
  'regex',
  'email',
  'minItems',
  'maxItems',
  'blocks',
  'component',
  'json',
  'text',
  /** The entry that it refers to exists, for the caller too. */
  'target',
  /** The caller may write it. */
  'writable',
  /** The caller may pass on the rights that it gives. */
  'ownRights',
  /** It repeats a password. */
  'repeats',
  'noSlash',
  'noOuterSpace',
  /** No other folder beside it has the name. */
  'folderName',
  /** A folder is not moved into itself. */
  'folderPlace',
] as const;

export type Rule = (typeof rules)[number];

/** An issue of one value: `path` is its path in the body's `data`. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
  /** Undefined where nobody asks for it. Clients that ask for codes get it. */
  readonly rule?: Rule | undefined;
  /** What the rule allows, such as the most characters; of `folderName` the name. */
  readonly limit?: string | number | undefined;
  /** What is refused, where an API shows it. */
  readonly value?: unknown;
}

/** What the details of an error say besides its issues, such as which part of a request is invalid. */
export interface ErrorDetails {
  /** The name that is refused, and the path of attributes to it. */
  readonly key?: string;
  readonly path?: string | null;
  readonly source?: 'query' | 'body';
  readonly param?: string;
  /** Of what clients have to tell from other errors of the same name. */
  readonly code?: string;
  /** Whether the second factor that is needed makes codes. */
  readonly codes?: boolean;
  /** What a browser asks the passkeys of the user with. */
  readonly passkey?: object;
}

/** How an error of each name is answered: the HTTP status, and the code in GraphQL. */
export const answers = {
  ValidationError: { status: 400, graphql: 'BAD_USER_INPUT' },
  ApplicationError: { status: 400, graphql: 'STRAPI_APPLICATION_ERROR' },
  Error: { status: 400, graphql: 'BAD_USER_INPUT' },
  PaginationError: { status: 400, graphql: 'STRAPI_PAGINATION_ERROR' },
  SyntaxError: { status: 400, graphql: 'BAD_USER_INPUT' },
  BadRequestError: { status: 400, graphql: 'STRAPI_BAD_REQUEST_ERROR' },
  UnauthorizedError: { status: 401, graphql: 'FORBIDDEN' },
  /** The password is right. Clients that know second factors ask for a code, or set one up. */
  SecondFactorNeededError: { status: 401, graphql: 'FORBIDDEN' },
  SecondFactorMissingError: { status: 401, graphql: 'FORBIDDEN' },
  ForbiddenError: { status: 403, graphql: 'FORBIDDEN' },
  PolicyError: { status: 403, graphql: 'FORBIDDEN' },
  NotFoundError: { status: 404, graphql: 'STRAPI_NOT_FOUND_ERROR' },
  MethodNotAllowedError: { status: 405, graphql: 'BAD_USER_INPUT' },
  ConflictError: { status: 409, graphql: 'BAD_USER_INPUT' },
  PreconditionFailedError: { status: 412, graphql: 'BAD_USER_INPUT' },
  UnprocessableEntityError: { status: 422, graphql: 'BAD_USER_INPUT' },
  GoneError: { status: 410, graphql: 'BAD_USER_INPUT' },
  PayloadTooLargeError: { status: 413, graphql: 'STRAPI_PAYLOAD_TOO_LARGE_ERROR' },
  UriTooLongError: { status: 414, graphql: 'BAD_USER_INPUT' },
  RateLimitError: { status: 429, graphql: 'STRAPI_RATE_LIMIT_ERROR' },
  InternalServerError: { status: 500, graphql: 'INTERNAL_SERVER_ERROR' },
  ServiceUnavailableError: { status: 503, graphql: 'INTERNAL_SERVER_ERROR' },
} as const;

/** Every error that a client can get, with the name and the message of Strapi v4. Inside, code knows the keys only. */
export const codes = {
  invalidParameter: { name: 'ValidationError', message: (key: string) => `Invalid parameter ${key}` },
  validation: {
    name: 'ValidationError',
    message: (issues: readonly Issue[]) =>
      issues.length === 1 ? (issues[0]?.message ?? '') : `${issues.length} errors occurred`,
  },
  invalidValue: { name: 'ValidationError', message: (reason: string) => reason },
  /** The details say what of the request is invalid. */
  invalidInput: { name: 'ValidationError', message: (reason: string, _details: ErrorDetails) => reason },
  foreignComponent: {
    name: 'ApplicationError',
    message: (attribute: string) => `Some of the provided components in ${attribute} are not related to the entity`,
  },
  foreignZoneComponent: {
    name: 'Error',
    message: (attribute: string) => `Some of the provided components in ${attribute} are not related to the entity`,
  },
  missingData: { name: 'ValidationError', message: () => 'Missing "data" payload in the request body' },
  rootPaginationParameters: {
    name: 'PaginationError',
    message: () => 'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
  },
  paginationModesMixed: {
    name: 'ValidationError',
    message: () => 'Invalid pagination parameters. Expected either start/limit or page/pageSize',
  },
  graphqlPaginationModesMixed: {
    name: 'PaginationError',
    message: () => 'Cannot use both page & offset pagination in the same query',
  },
  invalidCount: {
    name: 'ValidationError',
    message: () => 'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
  },
  invalidPage: {
    name: 'ValidationError',
    message: (name: string) => `Invalid ${name}: expected an integer in its range`,
  },
  invalidPageNumber: {
    name: 'PaginationError',
    message: (name: string) => `Invalid '${name}' parameter. Expected an integer > 0`,
  },
  invalidCursor: { name: 'ValidationError', message: (reason: string) => `Invalid pagination.after: ${reason}` },
  tooCostly: {
    name: 'ValidationError',
    message: (what: string, limit: number) => `The query asks for too much: at most ${limit} ${what}`,
  },
  answerTooLarge: {
    name: 'ValidationError',
    message: () => 'The response for a single entry is larger than 16 MB: populate less or limit its relations',
  },
  stepTooLarge: {
    name: 'ValidationError',
    message: () => 'The targets of a relation take more than 100 MB: sort by another attribute, or populate less',
  },
  tooManyGroups: {
    name: 'ValidationError',
    message: (limit: number) =>
      `There are more than ${limit} groups, or they take too much memory: narrow the filters, or group by fewer or coarser keys`,
  },
  syntax: { name: 'SyntaxError', message: (reason: string) => reason },
  invalidJson: { name: 'Error', message: () => 'invalid JSON, only supports object and array' },
  badRequest: { name: 'BadRequestError', message: (reason: string) => reason },
  /** The details name the code, because clients ask for it. */
  lifecyclesRun: {
    name: 'BadRequestError',
    message: (uid: string) => `dryRun is not supported here: lifecycles of the project run for ${uid}`,
  },
  unauthorized: { name: 'UnauthorizedError', message: (reason = 'Missing or invalid credentials') => reason },
  secondFactorNeeded: {
    name: 'SecondFactorNeededError',
    message: (_details: ErrorDetails) =>
      'The second factor is needed: send a code as "secondFactor", or what a passkey has signed as "passkey"',
  },
  secondFactorMissing: {
    name: 'SecondFactorMissingError',
    message: () => 'A second factor must be set up first, at auth/second-factor',
  },
  forbidden: { name: 'ForbiddenError', message: (reason = 'Forbidden') => reason },
  policyFailed: { name: 'PolicyError', message: () => 'Policy Failed' },
  /** Its details do not list the issues that clients with codes get. */
  application: { name: 'ApplicationError', message: (reason: string, _issues?: readonly Issue[]) => reason },
  localeTaken: { name: 'ApplicationError', message: () => 'locale is already used' },
  emailTaken: { name: 'ApplicationError', message: () => 'Email already taken' },
  usernameTaken: { name: 'ApplicationError', message: () => 'Username already taken' },
  accountTaken: { name: 'ApplicationError', message: () => 'Email or Username are already taken' },
  unconfirmedAccount: { name: 'ApplicationError', message: () => 'Your account email is not confirmed' },
  blockedAccount: { name: 'ApplicationError', message: () => 'Your account has been blocked by an administrator' },
  /** Of log-ins with a provider. */
  disabledProvider: { name: 'ApplicationError', message: () => 'This provider is disabled' },
  incompleteLogIn: { name: 'ApplicationError', message: (reason: string) => reason },
  silentProvider: {
    name: 'ApplicationError',
    message: () => 'The provider does not answer, or refuses the access token',
  },
  onlyWithProvider: { name: 'ApplicationError', message: () => 'This account logs in with its provider' },
  noRole: { name: 'ApplicationError', message: () => 'Your account at the provider has no role here' },
  noRegistration: { name: 'ApplicationError', message: () => 'Register action is actually not available.' },
  addressTaken: { name: 'ApplicationError', message: () => 'Email is already taken.' },
  noAddress: { name: 'ApplicationError', message: () => 'Email was not available.' },
  unverifiedAddress: { name: 'ApplicationError', message: () => 'Email is not verified.' },
  wrongCredentials: { name: 'ValidationError', message: () => 'Invalid identifier or password' },
  wrongSecondFactor: { name: 'ValidationError', message: () => 'Invalid code of the second factor' },
  wrongPasskey: { name: 'ValidationError', message: () => 'Invalid passkey' },
  expiredSetup: { name: 'ValidationError', message: () => 'The setup of the second factor has expired: begin again' },
  setUpAlready: { name: 'ApplicationError', message: () => 'The second factor is set up already' },
  tooManyPasskeys: {
    name: 'ApplicationError',
    message: (limit: number) => `There are ${limit} passkeys already: remove one`,
  },
  knownPasskey: { name: 'ApplicationError', message: () => 'This passkey is there already, or there are too many' },
  onlyPasskey: { name: 'ApplicationError', message: () => 'This is the only passkey: remove the second factor' },
  noPasskeysHere: {
    name: 'ApplicationError',
    message: () => 'Browsers make no passkeys at this address: PUBLIC_URL must begin with https',
  },
  wrongPassword: { name: 'ValidationError', message: () => 'The provided current password is invalid' },
  samePassword: {
    name: 'ValidationError',
    message: () => 'Your new password must be different than your current password',
  },
  differentPasswords: { name: 'ValidationError', message: () => 'Passwords do not match' },
  /** Of a link that sets a password. */
  usedCode: { name: 'ValidationError', message: () => 'Incorrect code provided' },
  usedInvitation: {
    name: 'ValidationError',
    message: () => 'This link was used or has expired, or there is a user already',
  },
  refusedFileType: {
    name: 'ApplicationError',
    message: (type: string, allowed: readonly string[]) =>
      `Files of the type ${type} are not allowed${allowed.length === 0 ? '' : `; allowed: ${allowed.join(', ')}`}`,
  },
  invalidImage: { name: 'ApplicationError', message: () => 'File is not a valid image' },
  tooManyPixels: { name: 'ApplicationError', message: (limit: number) => `The image has more than ${limit} pixels` },
  folderNotEmpty: {
    name: 'ConflictError',
    message: () => 'A folder is not empty: move or delete what is in it first, or set withContents',
  },
  changedDefinition: { name: 'ConflictError', message: (name: string) => `${name} was changed since it was read` },
  pastTime: { name: 'BadRequestError', message: (name: string) => `${name} must be in the future` },
  notFound: { name: 'NotFoundError', message: (reason = 'Not Found') => reason },
  methodNotAllowed: { name: 'MethodNotAllowedError', message: () => 'Method Not Allowed' },
  conflict: { name: 'ConflictError', message: (reason: string, _issues?: readonly Issue[]) => reason },
  preconditionFailed: { name: 'PreconditionFailedError', message: (reason: string) => reason },
  unprocessable: { name: 'UnprocessableEntityError', message: (reason: string) => reason },
  gone: {
    name: 'GoneError',
    message: () =>
      'The events after this position are no longer kept: read the entries again, and go on without a position',
  },
  payloadTooLarge: { name: 'PayloadTooLargeError', message: (reason = 'Payload Too Large') => reason },
  queryTooLong: { name: 'UriTooLongError', message: () => 'URI Too Long' },
  tooManyRequests: {
    name: 'RateLimitError',
    message: (_retryAfter: number) => 'Too many requests, please try again later.',
  },
  internal: { name: 'InternalServerError', message: () => 'Internal Server Error' },
  outOfTime: {
    name: 'ServiceUnavailableError',
    message: () => 'The query took too long: narrow its filters, or sort by an attribute that has an index',
  },
  overloaded: {
    name: 'ServiceUnavailableError',
    message: (reason = 'The server is busy') => `${reason}, try again in a few seconds`,
  },
  unavailable: {
    name: 'ServiceUnavailableError',
    message: (what = 'The database') => `${what} does not answer, try again in a few seconds`,
  },
} as const satisfies Record<string, CodeRule>;

interface CodeRule {
  readonly name: keyof typeof answers;
  readonly message: (...args: never[]) => string;
}

export type Code = keyof typeof codes;

/** How a transport answers an error. */
export const answerOf = (code: Code): { readonly status: number; readonly graphql: string } =>
  answers[codes[code].name];

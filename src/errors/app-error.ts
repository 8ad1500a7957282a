import { codes, type Code, type ErrorDetails, type Issue } from './codes.js';
import { bytesOf } from './bytes-of.js';
import { shorten } from './shorten.js';

type MessageArguments<C extends Code> = Parameters<(typeof codes)[C]['message']>;

/** The longest message, in characters: some messages quote the request. */
const MAX_MESSAGE_LENGTH = 1000;

/**
 * An error whose code the client receives. Any other thrown value becomes `internal`. It takes at most 16 kB, whatever
 * it quotes.
 */
export class AppError<C extends Code = Code> extends Error {
  readonly code: C;
  /** For `validation`, and for some conflicts: the first issues, and how many others there are. */
  readonly issues: readonly Issue[];
  /**
   * Strapi's `details`: for `validation`, and for some conflicts, the list of errors, for `invalidInput` and
   * `secondFactorNeeded` their own, for unreadable bodies nothing, for what Strapi does not know its code, else empty.
   */
  readonly details: (ErrorDetails & { readonly errors?: readonly ListedIssue[] }) | undefined;
  /** For `invalidParameter`: its name. */
  readonly parameter: string | undefined;
  /** For `tooManyRequests`: seconds after which to retry. */
  readonly retryAfter: number | undefined;
  /** What the code allows, such as the most pixels of an image, for those who say it in their own words. */
  readonly limit: string | number | undefined;
  /** What the log of development says in addition, and no response. */
  reason: string | undefined;

  constructor(code: C, ...args: MessageArguments<C>) {
    const message = codes[code].message as (...args: MessageArguments<C>) => string;
    super(shorten(message(...args), MAX_MESSAGE_LENGTH));
    this.code = code;
    this.name = codes[code].name;
    this.issues = issuesOf(code, args);
    this.details = detailsOf(code, args, this.issues);
    this.parameter = code === 'invalidParameter' ? shorten(String(args[0]), MAX_MESSAGE_LENGTH) : undefined;
    this.retryAfter = code === 'tooManyRequests' ? Number(args[0]) : undefined;
    this.limit = limited.has(code) ? (args[0] as string | number) : undefined;
  }

  /**
   * This error, with what the log of development says in addition, such as the attribute that Strapi's message leaves
   * out.
   */
  because(reason: string): this {
    this.reason ??= shorten(reason, MAX_MESSAGE_LENGTH);
    return this;
  }

  /**
   * This error, located in a part of a request: `operations[1].data.title: …`. Its details say where, also of one that
   * is about the part as a whole.
   */
  within(part: string, path: readonly string[]): AppError {
    const own: readonly Issue[] = this.issues.length > 0 ? this.issues : [{ path: [], message: this.message }];
    const issues = own.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
    const [issue] = issues.length === 1 ? this.issues : [];
    const location = issue === undefined ? part : [part, ...path.slice(PART), ...issue.path].join('.');
    const located = new AppError('badRequest', `${location}: ${this.message}`);
    const { code, name, parameter, retryAfter, limit, reason } = this;
    return Object.assign(located, {
      code,
      name,
      parameter,
      retryAfter,
      limit,
      reason,
      issues,
      details: { ...this.details, errors: listed(issues, name) },
    });
  }
}

/** The segments of a path that name a part. */
const PART = 2;

/** An error for those who say it in their own words: its code, and which value breaks which rule. */
export interface CodedError {
  readonly code: Code;
  readonly limit?: string | number | undefined;
  readonly issues: readonly Pick<Issue, 'path' | 'message' | 'rule' | 'limit'>[];
}

/** Its issues, with their rules, and no values. */
export const codedError = ({ code, limit, issues }: AppError): CodedError => ({
  code,
  ...(limit !== undefined && { limit }),
  issues: issues.map(({ path, message, rule, limit: allowed }) => ({
    path,
    message,
    ...(rule !== undefined && { rule }),
    ...(allowed !== undefined && { limit: allowed }),
  })),
});

/** What is stored of an error that is thrown later. */
export const errorToStore = ({ code, message }: AppError): { readonly code: Code; readonly message: string } => ({
  code,
  message,
});

/** The error that was stored, without what it was about: `errorToStore`. One of another version has only its words. */
export function storedError(stored: unknown): AppError {
  const { code, message } = (stored ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const error = new AppError('application', String(message));
  return Object.hasOwn(codes, String(code)) ? Object.assign(error, { code, name: codes[code as Code].name }) : error;
}

/** The codes whose first argument is what they allow. */
const limited = new Set<Code>(['refusedFileType', 'tooManyPixels', 'tooManyPasskeys', 'pastTime']);

/** Whether a value is an AppError with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly Code[]): error is AppError =>
  error instanceof AppError && codes.includes(error.code);

/** For `catch`: this value in place of what does not exist. @throws all other errors */
export const ifNotFound =
  <T>(value: T) =>
  (error: unknown): T => {
    if (hasCode(error, 'notFound')) return value;
    throw error;
  };

/**
 * For `catch`: names what does not exist as the client knows it.
 * @throws AppError notFound, and all other errors as they are
 */
export const asNotFound =
  (message: string) =>
  (error: unknown): never => {
    throw hasCode(error, 'notFound') ? new AppError('notFound', message) : error;
  };

/** As recorded: errors that Strapi v4 does not throw itself have no details. */
const withoutDetails = new Set<Code>(['syntax', 'invalidJson', 'foreignZoneComponent', 'internal']);

/** An issue as clients get it. */
type ListedIssue = Pick<Issue, 'path' | 'message' | 'value'> & { readonly name: string };

/** The argument of an error that is a list of issues. */
const issuesIn = (code: Code, args: readonly unknown[]): readonly Issue[] | undefined =>
  (code === 'validation' ? args[0] : code === 'conflict' || code === 'application' ? args[1] : undefined) as
    readonly Issue[] | undefined;

const issuesOf = (code: Code, args: readonly unknown[]): readonly Issue[] => firstOf(issuesIn(code, args) ?? []);

function detailsOf(code: Code, args: readonly unknown[], issues: readonly Issue[]): AppError['details'] {
  if (withoutDetails.has(code)) return undefined;
  if (code === 'lifecyclesRun') return { code };
  if (code === 'secondFactorNeeded') return args[0] as ErrorDetails;
  if (code === 'invalidInput') return shortenTexts(args[1] as ErrorDetails);
  // As Strapi v4, which has lost the list where it throws such an error again.
  return issuesIn(code, args) === undefined || code === 'application'
    ? {}
    : { errors: listed(issues, codes[code].name) };
}

const listed = (issues: readonly Issue[], name: string): readonly ListedIssue[] =>
  issues.map(({ path, message, value }) => ({ path, message, name, ...(value !== undefined && { value }) }));

/** Details whose texts are as short as messages: they quote names of the request. */
const shortenTexts = (details: ErrorDetails): ErrorDetails =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]: readonly [string, unknown]) => [
      name,
      typeof value === 'string' ? shorten(value, MAX_MESSAGE_LENGTH) : value,
    ]),
  );

const MAX_ISSUES = 50;
/** Bytes of all issues. */
const MAX_LIST_BYTES = 12_000;
/** Characters of a name in a path: the request chooses some of them. */
const MAX_NAME_LENGTH = 100;

/** The first issues, and how many others there are. */
function firstOf(issues: readonly Issue[]): readonly Issue[] {
  const first: Issue[] = [];
  let left = MAX_LIST_BYTES;
  for (const { path: whole, message: long, rule, limit, value } of issues.slice(0, MAX_ISSUES)) {
    const path = whole.map((name) => shorten(name, MAX_NAME_LENGTH));
    const message = shorten(long, MAX_MESSAGE_LENGTH);
    left -= Buffer.byteLength(JSON.stringify({ path, message }));
    if (left < 0) break;
    if (value !== undefined) left -= bytesOf(value, left);
    // One that is too long is left out.
    first.push({ path, message, rule, limit, ...(left >= 0 && value !== undefined && { value }) });
  }
  const others = issues.length - first.length;
  return others === 0 ? first : [...first, { path: [], message: `and ${others} more` }];
}

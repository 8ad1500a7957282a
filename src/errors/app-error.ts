import { codes, type Code, type Issue } from './codes.js';

type MessageArguments<C extends Code> = Parameters<(typeof codes)[C]['message']>;

/** An error whose code the client may learn. Anything else that is thrown leaves as `internal`. */
export class AppError<C extends Code = Code> extends Error {
  readonly code: C;
  /** What Strapi calls `details`: for `validation` the list of errors, for unreadable bodies nothing, else empty. */
  readonly details: { readonly errors?: readonly (Issue & { readonly name: string })[] } | undefined;
  /** Of `tooManyRequests`: seconds after which it may be tried again. */
  readonly retryAfter: number | undefined;

  constructor(code: C, ...args: MessageArguments<C>) {
    const message = codes[code].message as (...args: MessageArguments<C>) => string;
    super(message(...args));
    this.code = code;
    this.name = codes[code].name;
    this.details = detailsOf(code, args);
    this.retryAfter = code === 'tooManyRequests' ? Number(args[0]) : undefined;
  }
}

/** Is it an error of ours with one of these codes? */
export const hasCode = (error: unknown, ...codes: readonly Code[]): error is AppError =>
  error instanceof AppError && codes.includes(error.code);

/** As recorded: what Strapi v4 does not throw itself has no details. */
const withoutDetails = new Set<Code>(['syntax', 'invalidJson', 'foreignZoneComponent']);

function detailsOf(code: Code, [issues]: readonly unknown[]): AppError['details'] {
  if (withoutDetails.has(code)) return undefined;
  if (code !== 'validation') return {};
  return { errors: (issues as readonly Issue[]).map((issue) => ({ ...issue, name: 'ValidationError' })) };
}

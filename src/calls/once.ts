import { createHash } from 'node:crypto';
import { bounds } from '../config/bounds.js';
import { isDeeperThan } from '../config/record.js';
import type { Caller } from '../documents/caller.js';
import { textOf, type ResponseBody } from '../documents/response/response-cache.js';
import { AppError } from '../errors/app-error.js';
import type { IdempotencyKeys, RecordedAnswer } from '../mongo/coordination/idempotency-keys.js';
import type { ContentAnswer, Perform, WrittenAnswer } from '../plugins/contract/content-api.js';
import { isForm } from '../plugins/contract/forms.js';
import type { WriteTerms } from '../plugins/contract/write-terms.js';
import { serializeJson, serializeWritten } from './serialize.js';

/** The key of a write that is done once. */
export interface OnceKey {
  /** With its caller. */
  readonly key: string;
  /**
   * A hash of all that it contains, and of the permissions of the caller: the recorded response must not show more than
   * they allow.
   */
  readonly hash: string;
}

export interface KeyHeaders {
  readonly 'idempotency-key'?: string | readonly string[] | undefined;
  readonly authorization?: string | undefined;
  readonly 'content-type'?: string | undefined;
}

/** A request that may have one. */
export interface KeyableRequest {
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: KeyHeaders;
  /** What `noteArrived` was asked about; undefined where code of the project calls without a request. */
  readonly message: ArrivedMessage | undefined;
  /** The body that is written, where none arrived. */
  readonly body: unknown;
}

/** A request as it arrived: its body is noted on it. */
export const keyableOf = (
  request: ArrivedMessage & Pick<KeyableRequest, 'method' | 'originalUrl'> & { readonly body?: unknown },
): KeyableRequest => {
  const { method, originalUrl, headers, body } = request;
  return { method, originalUrl, headers, message: request, body };
};

const ARRIVED = Symbol('arrived body');
interface ArrivedMessage {
  readonly headers: KeyHeaders;
  [ARRIVED]?: string;
}

/**
 * Notes the body of a request that may have a key when it has been parsed: guards and code of the project can change it
 * before it is written, and differently each time.
 */
export function noteArrived(message: ArrivedMessage, body: unknown): void {
  if (message.headers['idempotency-key'] !== undefined) message[ARRIVED] ??= sentBody(body);
}

/** @throws AppError badRequest if it is too deep for the recursion of `JSON.stringify` */
function sentBody(body: unknown): string {
  if (isDeeperThan(bounds.keyedLevels, body))
    throw new AppError('badRequest', `Idempotency-Key needs a body of at most ${bounds.keyedLevels} levels`);
  return jsonOf(body);
}

const printable = /^[\x21-\x7e]+$/;

/** Undefined without the header `Idempotency-Key`. @throws AppError badRequest */
export function onceKeyOf(request: KeyableRequest, caller: Caller): OnceKey | undefined {
  const { 'idempotency-key': key, authorization = '' } = request.headers;
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length > bounds.keyCharacters || !printable.test(key))
    throw new AppError('badRequest', `Idempotency-Key must be 1 to ${bounds.keyCharacters} printable ASCII characters`);
  if (isForm(request.headers)) throw new AppError('badRequest', 'Idempotency-Key needs a body in JSON');
  const { kind, user, credentials } = caller;
  const [method, url, type, rights] = [
    request.method,
    request.originalUrl,
    credentials?.['type'],
    caller.fingerprint?.(),
  ].map(jsonOf);
  const body = request.message?.[ARRIVED] ?? sentBody(request.body);
  const hash = digest(`[${[method, url, body, type, rights].join()}]`);
  // Nobody owns the keys of callers without credentials: each request has its own, so that a stranger cannot use one
  // up.
  const identity = caller.identity ?? user ?? credentials?.['id'] ?? (kind === 'public' ? hash : authorization);
  return { key: digest(JSON.stringify([kind, identity, key])), hash };
}

const jsonOf = (value: unknown): string => JSON.stringify(value) ?? 'null';
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Where the answers to writes with a key are recorded. */
export interface OnceParts {
  readonly idempotencyKeys: IdempotencyKeys;
  /** The maximum bytes of an answer. */
  readonly responseLimit: number;
}

/** A write that was done now, or its recorded answer. */
type Outcome = { readonly done: WrittenAnswer } | { readonly recorded: RecordedAnswer; readonly isRepeated: boolean };

/**
 * Does a write, once if its request has a key. A dry run needs none, and must not use one up.
 * @throws AppError conflict, unprocessable, badRequest for such a key, and the errors of the write
 */
export async function once(
  { idempotencyKeys, responseLimit }: OnceParts,
  keyed: KeyableRequest,
  caller: Caller,
  { isDryRun }: WriteTerms,
  perform: Perform,
): Promise<Outcome> {
  const key = isDryRun ? undefined : onceKeyOf(keyed, caller);
  if (key === undefined) return { done: await perform() };
  return idempotencyKeys.once(key.key, key.hash, async () => {
    const { status, ...written } = await perform();
    const [body, shortened] = [textOf(bodyOf(written, responseLimit)), JSON.stringify(written.shortened)];
    return { body, shortened, status };
  });
}

/** What says that an answer is that of an earlier request. */
export const REPLAYED = { 'Idempotent-Replayed': 'true' } as const;

/** The answer to a write, see `once`. @throws AppError also tooCostly, to a dry run */
export async function answerWrite(
  parts: OnceParts,
  keyed: KeyableRequest,
  caller: Caller,
  terms: WriteTerms,
  perform: Perform,
): Promise<ContentAnswer> {
  const { responseLimit } = parts;
  const outcome = await once(parts, keyed, caller, terms, perform);
  if ('done' in outcome) {
    const { done } = outcome;
    // What is only checked can still be refused; what is stored is shortened.
    const whole = terms.isDryRun && done.body !== undefined;
    return { body: whole ? serializeJson(done.body, responseLimit) : bodyOf(done, responseLimit), status: done.status };
  }
  const { recorded, isRepeated } = outcome;
  return { ...recorded, ...(isRepeated && { headers: REPLAYED }) };
}

/** Without a body, nothing is sent. */
const bodyOf = (written: WrittenAnswer, limit: number): ResponseBody =>
  written.body === undefined ? '' : serializeWritten(written, limit);

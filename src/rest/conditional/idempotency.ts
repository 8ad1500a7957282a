import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { bounds } from '../../config/bounds.js';
import type { Caller } from '../../documents/caller.js';
import { textOf } from '../../documents/response/response-cache.js';
import type { WrittenResponse } from '../../documents/response/written-response.js';
import { isDeeperThan } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { IdempotencyKeys, RecordedBody } from '../../mongo/coordination/idempotency-keys.js';
import { isForm } from '../../plugins/contract/forms.js';
import type { ContentAnswer } from '../../plugins/contract/content-api.js';
import { serializeWritten } from '../response/serialize.js';

interface KeyedRequest {
  /** The key of the caller. */
  readonly key: string;
  /** A hash of all that it contains, and of the permissions of the caller: the recorded response must not show more than they allow. */
  readonly hash: string;
}

/** A request that may have one. */
interface KeyableRequest {
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: IncomingHttpHeaders;
  /** What `noteArrived` was asked about; undefined where code of the project calls without a request. */
  readonly message: ArrivedMessage | undefined;
  /** The body that is written, where none arrived. */
  readonly body: unknown;
}

const ARRIVED = Symbol('arrived body');
type ArrivedMessage = IncomingMessage & { [ARRIVED]?: string };

/**
 * Notes the body of a request that may have a key when it has been parsed: guards and code of the project can change it before it is written, and differently
 * each time.
 */
export function noteArrived(message: ArrivedMessage, body: unknown): void {
  if (message.headers['idempotency-key'] !== undefined) message[ARRIVED] ??= bodyOf(body);
}

/** @throws AppError badRequest if it is too deep for the recursion of `JSON.stringify` */
function bodyOf(body: unknown): string {
  if (isDeeperThan(bounds.keyedLevels, body))
    throw new AppError('badRequest', `Idempotency-Key needs a body of at most ${bounds.keyedLevels} levels`);
  return jsonOf(body);
}

const printable = /^[\x21-\x7e]+$/;

/** Undefined without the header `Idempotency-Key`. @throws AppError badRequest */
export function keyedRequest(request: KeyableRequest, caller: Caller): KeyedRequest | undefined {
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
  const body = request.message?.[ARRIVED] ?? bodyOf(request.body);
  const hash = digest(`[${[method, url, body, type, rights].join()}]`);
  // Nobody owns the keys of callers without credentials: each request has its own, so that a stranger cannot use one up.
  const identity = caller.identity ?? user ?? credentials?.['id'] ?? (kind === 'public' ? hash : authorization);
  return { key: digest(JSON.stringify([kind, identity, key])), hash };
}

const jsonOf = (value: unknown): string => JSON.stringify(value) ?? 'null';
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The text of the response to a write with a key. @param limit the maximum bytes of a response */
export const recordedBody = (written: WrittenResponse, limit: number): RecordedBody => ({
  body: textOf(serializeWritten(written, limit)),
  shortened: JSON.stringify(written.shortened),
});

/**
 * The answer to a write, which is executed once if it has a key.
 * @param limit the maximum bytes of a response
 * @throws AppError conflict, unprocessable, and the errors of the request
 */
export async function writtenOnce(
  keys: IdempotencyKeys,
  keyed: KeyedRequest | undefined,
  limit: number,
  execute: () => Promise<WrittenResponse>,
): Promise<ContentAnswer> {
  if (keyed === undefined) return { body: serializeWritten(await execute(), limit) };
  const { body, isRepeated } = await keys.once(keyed.key, keyed.hash, async () => recordedBody(await execute(), limit));
  return isRepeated ? { body, headers: { 'Idempotent-Replayed': 'true' } } : { body };
}

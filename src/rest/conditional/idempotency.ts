import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../documents/caller.js';
import { textOf } from '../../documents/response/response-cache.js';
import type { WrittenResponse } from '../../documents/response/written-response.js';
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
  readonly body?: unknown;
}

const MAX_LENGTH = 255;
const printable = /^[\x21-\x7e]+$/;

/** Undefined without the header `Idempotency-Key`. @throws AppError badRequest */
export function keyedRequest(request: KeyableRequest, caller: Caller): KeyedRequest | undefined {
  const { 'idempotency-key': key, authorization = '' } = request.headers;
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length > MAX_LENGTH || !printable.test(key))
    throw new AppError('badRequest', `Idempotency-Key must be 1 to ${MAX_LENGTH} printable ASCII characters`);
  if (isForm(request.headers)) throw new AppError('badRequest', 'Idempotency-Key needs a body in JSON');
  const { kind, user, credentials } = caller;
  const hash = hashOf([
    request.method,
    request.originalUrl,
    request.body,
    credentials?.['type'],
    caller.fingerprint?.(),
  ]);
  // Nobody owns the keys of callers without credentials: each request has its own, so that a stranger cannot use one up.
  const identity = caller.identity ?? user ?? credentials?.['id'] ?? (kind === 'public' ? hash : authorization);
  return { key: hashOf([kind, identity, key]), hash };
}

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

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

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import type { Caller } from '../../documents/caller.js';
import { textOf, type ResponseBody } from '../../documents/response/response-cache.js';
import { AppError } from '../../errors/app-error.js';
import type { IdempotencyKeys } from '../../mongo/coordination/idempotency-keys.js';
import { isForm } from '../../plugins/contract/forms.js';
import { sendSerialized } from '../response/json-response.js';

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

/**
 * Sends the response to a request, which is executed once if it has a key.
 * @throws AppError conflict, unprocessable, and the errors of the request
 */
export async function sendOnce(
  response: Response,
  keys: IdempotencyKeys,
  keyed: KeyedRequest | undefined,
  execute: () => Promise<ResponseBody>,
): Promise<void> {
  if (keyed === undefined) return sendSerialized(response, { body: await execute() });
  const { body, isRepeated } = await keys.once(keyed.key, keyed.hash, async () => textOf(await execute()));
  if (isRepeated) response.setHeader('Idempotent-Replayed', 'true');
  return sendSerialized(response, { body });
}

import type { Data } from '../../../config/record.js';
import type { Writing } from '../../../documents/hooks.js';
import { AppError } from '../../../errors/app-error.js';
import { MAX_CODE_LENGTH } from '../auth/hash-code.js';
import { nextSecond } from '../auth/jwt.js';

const HOUR = 3_600_000;

/** The codes of a user, when each expires, and after how many milliseconds. */
const codes = [
  { code: 'resetPasswordToken', expires: 'resetPasswordExpiresAt', lifetime: HOUR },
  { code: 'confirmationToken', expires: 'confirmationExpiresAt', lifetime: 24 * HOUR },
] as const;

/**
 * Prepares every write of a user: addresses are lower-cased, one-time codes are stored as hashes and expire, and a new
 * password invalidates tokens and codes that were issued for the old one.
 */
export function prepareUser(data: Data, { action }: Pick<Writing, 'action'>, hashCode: (code: string) => string): Data {
  const { email, password } = data;
  const newPassword = action === 'update' && typeof password === 'string';
  return {
    ...data,
    ...(typeof email === 'string' && { email: email.toLowerCase() }),
    ...(newPassword && { passwordChangedAt: nextSecond().toISOString(), resetPasswordToken: null }),
    ...(Object.assign({}, ...codes.map((code) => prepareCode(data, code, hashCode))) as Data),
  };
}

function prepareCode(
  data: Data,
  { code, expires, lifetime }: (typeof codes)[number],
  hashCode: (code: string) => string,
): Data {
  const value = data[code];
  if (value === null) return { [expires]: null };
  if (typeof value !== 'string') return {};
  if (value.length > MAX_CODE_LENGTH) {
    const message = `${code} must be at most ${MAX_CODE_LENGTH} characters`;
    throw new AppError('validation', [{ path: [code], message }]);
  }
  // An invitation is good for longer than what somebody has just asked for.
  return { [code]: hashCode(value), [expires]: data[expires] ?? new Date(Date.now() + lifetime).toISOString() };
}

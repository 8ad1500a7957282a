import { createHmac } from 'node:crypto';

/** Longer codes are none. */
export const MAX_CODE_LENGTH = 256;

/**
 * How one-time codes are stored: hashed with a key of their own. Codes that people choose may be short: without the key
 * nobody can try them on a stolen database. The key is not the secret itself: what is stored would be the signature of a
 * web token that somebody sends as a code.
 * @param secret of web tokens
 */
export function createHashCode(secret: string): (code: string) => string {
  const key = createHmac('sha256', secret).update('one-time codes').digest();
  return (code) => createHmac('sha256', key).update(code).digest('hex');
}

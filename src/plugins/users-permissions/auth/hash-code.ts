import { createHmac } from 'node:crypto';

/** The maximum length of a code. */
export const MAX_CODE_LENGTH = 256;

/**
 * The stored form of one-time codes: hashed with a separate key. Codes chosen by people can be short: without the key
 * they cannot be guessed from a stolen database. The key is not the secret itself: otherwise the stored hash could be
 * the signature of a web token that a client sends as a code.
 * @param secret the secret of web tokens
 */
export function createHashCode(secret: string): (code: string) => string {
  const key = createHmac('sha256', secret).update('one-time codes').digest();
  return (code) => createHmac('sha256', key).update(code).digest('hex');
}

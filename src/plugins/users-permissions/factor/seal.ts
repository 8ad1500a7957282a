import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
/** Bytes. */
const [NONCE, TAG] = [12, 16];

/**
 * Texts that the service has to read again, so that a stolen database has none of them.
 * @param secret the secret of web tokens; texts that were sealed with another one cannot be read
 */
export function createSeal(secret: string) {
  const key = createHmac('sha256', secret).update('sealed texts').digest();
  return {
    seal: (text: string): string => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    /** Undefined: it was sealed with another secret, or changed. */
    open: (sealed: string): string | undefined => {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE));
      try {
        decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

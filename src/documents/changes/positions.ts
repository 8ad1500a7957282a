import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../../errors/app-error.js';

/** One block of the cipher: the position, zeros by which forged tokens are recognised, and random bytes. */
const [BLOCK, NUMBER, ZEROS] = [16, 6, 4];

/** @param secret all processes of the service have it */
export function createPositions(secret: string) {
  const key = createHmac('sha256', secret).update('positions of the change feed').digest();
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return {
    write: (position: number): string => {
      const block = randomBytes(BLOCK).fill(0, NUMBER, NUMBER + ZEROS);
      block.writeUIntBE(position, 0, NUMBER);
      return cipher.update(block).toString('base64url');
    },
    /** @throws AppError badRequest */
    read: (token: string): number => {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== BLOCK) throw unreadable();
      const block = decipher.update(bytes);
      if (block.readUIntBE(NUMBER, ZEROS) !== 0) throw unreadable();
      return block.readUIntBE(0, NUMBER);
    },
  };
}

/**
 * Positions in the event log as clients see them. They are encrypted, with some random bits: a number, or a token that
 * is the same as before, would reveal how often hidden entries are written.
 */
export type Positions = ReturnType<typeof createPositions>;

const unreadable = (): AppError => new AppError('badRequest', 'since must be a position that a change or the feed has');

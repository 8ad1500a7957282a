import { createSecretKey } from 'node:crypto';
import type JsonWebToken from 'jsonwebtoken';
import { lazyRequire } from '../../../config/lazy-require.js';
import type { Entry } from '../../../documents/entries.js';
import type { Settings } from '../settings.js';

/** Its 66 files would take a tenth of a start. */
const jwt = lazyRequire<typeof JsonWebToken>('jsonwebtoken');

/**
 * JSON web tokens with Strapi v4's claims: `{ id, iat, exp }`. Only the configured algorithm is accepted: the one named in a
 * token is ignored.
 */
export function createJsonWebTokens(
  secret: string,
  { tokenLifetime: lifetime, tokenAlgorithm: algorithm }: Pick<Settings, 'tokenLifetime' | 'tokenAlgorithm'>,
) {
  const key = createSecretKey(Buffer.from(secret));
  return {
    issue: (user: Entry): string => {
      // A password change also invalidates tokens of the same second, but not the one that is issued right after it.
      const iat = Math.max(Math.floor(Date.now() / 1000), tokensFrom(user));
      return jwt().sign({ id: user.id, iat }, key, { algorithm, expiresIn: lifetime });
    },
    /** Why `read` does not accept a token. */
    explain: (token: string): string => {
      try {
        const payload = jwt().verify(token, key, { algorithms: [algorithm] });
        return `the JSON web token has no id of a user: ${JSON.stringify(Object.keys(payload))}`;
      } catch (error) {
        const { message } = error as Error;
        const isForeign = message === 'invalid signature';
        return `as a JSON web token: ${message}${isForeign ? ', so another JWT_SECRET has signed it' : ''}`;
      }
    },
    /** The id of the user, and when it was issued, in seconds since 1970; undefined for a token that is foreign or no longer valid. */
    read: (token: string): { readonly id: number; readonly issuedAt: number } | undefined => {
      // API tokens pass through here with every request: throwing an error would cost more than everything else.
      if (token.split('.', 4).length !== 3) return undefined;
      try {
        const payload = jwt().verify(token, key, { algorithms: [algorithm] });
        if (typeof payload === 'string') return undefined;
        const { id, iat = 0 } = payload as { readonly id?: unknown; readonly iat?: number };
        return typeof id === 'number' && Number.isSafeInteger(id) ? { id, issuedAt: iat } : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** Older tokens of a user are invalid; seconds since 1970. */
export function tokensFrom(user: Entry): number {
  const changedAt = user['passwordChangedAt'] as string | null;
  return changedAt === null ? 0 : Date.parse(changedAt) / 1000;
}

/** The next full second, because tokens contain their time in seconds. */
export const nextSecond = (): Date => new Date(Math.floor(Date.now() / 1000) * 1000 + 1000);

import { createSecretKey } from 'node:crypto';
import type JsonWebToken from 'jsonwebtoken';
import { lazyRequire } from '../../../config/lazy-require.js';
import type { Entry } from '../../../documents/entries.js';
import type { Settings } from '../settings.js';

/** Its 66 files would take a tenth of a start. */
const jwt = lazyRequire<typeof JsonWebToken>('jsonwebtoken');

/** What a JSON web token says. */
export interface WebToken {
  /** Of the user. */
  readonly id: number;
  /** Seconds since 1970. */
  readonly issuedAt: number;
}

/** JSON web tokens as Strapi v4 gives them: `{ id, iat, exp }`. */
export interface WebTokens {
  issue(user: Entry): string;
  /** Undefined for whatever is not a token of ours, or no longer good. */
  read(token: string): WebToken | undefined;
}

/** No other algorithm than that of the settings is accepted: what a token says about how to check it counts for nothing. */
export function createJsonWebTokens(
  secret: string,
  { tokenLifetime: lifetime, tokenAlgorithm: algorithm }: Pick<Settings, 'tokenLifetime' | 'tokenAlgorithm'>,
): WebTokens {
  const key = createSecretKey(Buffer.from(secret));
  return {
    issue: (user) => {
      // A change of the password ends tokens of the same second too, but not the one that is given right after it.
      const iat = Math.max(Math.floor(Date.now() / 1000), tokensFrom(user));
      return jwt().sign({ id: user.id, iat }, key, { algorithm, expiresIn: lifetime });
    },
    read: (token) => {
      // API tokens come by here with every request: an error that is thrown would cost more than all the rest.
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

/** Tokens of a user that are older are good no more; seconds since 1970. */
export function tokensFrom(user: Entry): number {
  const changedAt = user['passwordChangedAt'] as Date | null;
  return changedAt === null ? 0 : changedAt.getTime() / 1000;
}

/** The next full second: tokens tell their age in seconds. */
export const nextSecond = (): Date => new Date(Math.floor(Date.now() / 1000) * 1000 + 1000);

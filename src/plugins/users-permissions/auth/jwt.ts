import { createSecretKey } from 'node:crypto';
import type JsonWebToken from 'jsonwebtoken';
import { lazyRequire } from '../../../config/lazy-require.js';
import { isRecord } from '../../../config/record.js';
import type { FindAuthenticationCode } from '../../contract/authentication-code.js';
import { askCode } from './ask-code.js';
import type { Entry } from '../../../documents/entries.js';
import type { Settings } from '../settings.js';

/** Its 66 files would take a tenth of a start. */
const jwt = lazyRequire<typeof JsonWebToken>('jsonwebtoken');

/**
 * JSON web tokens with Strapi v4's claims: `{ id, iat, exp }`, with `factor: true` if their user has proved a second
 * factor, and with the id of their session if they have one. Only the configured algorithm is accepted: the one named
 * in a token is ignored.
 */
export function createJsonWebTokens(
  secret: string,
  { tokenLifetime: lifetime, tokenAlgorithm: algorithm }: Pick<Settings, 'tokenLifetime' | 'tokenAlgorithm'>,
  code: FindAuthenticationCode = () => ({}),
) {
  const key = createSecretKey(Buffer.from(secret));
  const verify = (token: string): unknown => jwt().verify(token, key, { algorithms: [algorithm] });
  return {
    /** @throws Error if code of the project issues no text */
    issue: async (
      user: Entry,
      { hasProved, session }: { readonly hasProved: boolean; readonly session?: string | undefined },
    ): Promise<string> => {
      const iat = issuedAt(user);
      const { issue } = code();
      const claims = { id: user.id, ...(hasProved && { factor: true }), ...(session !== undefined && { session }) };
      if (issue === undefined) return jwt().sign({ ...claims, iat }, key, { algorithm, expiresIn: lifetime });
      const token = await issue({ ...claims, ...(iat > now() && { iat }) });
      if (typeof token !== 'string') throw new Error('issue of the service "jwt" of the project returns no text');
      return token;
    },
    /** Why `read` does not accept a token. */
    explain: (token: string): string => {
      try {
        const payload = verify(token) as object;
        return `the JSON web token has no id of a user: ${JSON.stringify(Object.keys(payload))}`;
      } catch (error) {
        const { message, name } = error as Error;
        const sent = jwt().decode(token, { complete: true });
        // It is signed as ours are, and is in its time.
        const isForeign = name === 'JsonWebTokenError' && sent?.header.alg === algorithm && sent.signature !== '';
        return `as a JSON web token: ${message}${isForeign ? ', so another JWT_SECRET has signed it' : ''}`;
      }
    },
    /**
     * What a token says; undefined for one that is foreign or no longer valid. Code of the project can have ids of its
     * own, if it finds their users.
     */
    read: async (token: string): Promise<ReadToken | undefined> => {
      const { verify: verifyByCode, fetchAuthenticatedUser } = code();
      // API tokens pass through here with every request: throwing an error would cost more than everything else.
      if (verifyByCode === undefined && token.split('.', 4).length !== 3) return undefined;
      const payload = verifyByCode === undefined ? orNothing(() => verify(token)) : await askCode(verifyByCode, token);
      if (!isRecord(payload)) return undefined;
      // What code does not tell cannot be compared; every token that is issued here tells it.
      const unknownTime = verifyByCode === undefined ? 0 : Infinity;
      const { id, iat = unknownTime } = payload as { readonly id?: unknown; readonly iat?: number };
      const isKnown = fetchAuthenticatedUser === undefined ? Number.isSafeInteger(id) : id !== undefined && id !== null;
      return isKnown
        ? { id, issuedAt: iat, hasProved: payload['factor'] === true, session: payload['session'] }
        : undefined;
    },
  };
}

/** What a token says of its user. */
export interface ReadToken {
  /** Of the user. */
  readonly id: unknown;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Whether the user has proved a second factor. */
  readonly hasProved: boolean;
  /** The id of the session; undefined: it has none. */
  readonly session: unknown;
}

function orNothing(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Older tokens of a user are invalid; seconds since 1970. */
export function tokensFrom(user: Entry): number {
  const changedAt = user['passwordChangedAt'] as string | null;
  return changedAt === null ? 0 : Date.parse(changedAt) / 1000;
}

const now = (): number => Math.floor(Date.now() / 1000);

/**
 * When a token of the user is issued that is good now, in seconds since 1970: a new password also ends tokens of the
 * same second, but not the one that is issued right after it.
 */
export const issuedAt = (user: Entry): number => Math.max(now(), tokensFrom(user));

/** The next full second, because tokens contain their time in seconds. */
export const nextSecond = (): Date => new Date(Math.floor(Date.now() / 1000) * 1000 + 1000);

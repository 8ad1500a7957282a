import { createHash, randomBytes } from 'node:crypto';
import { isRecord } from '../../../config/record.js';
import type { Locks } from '../../../mongo/coordination/locks.js';
import type { Profile } from './read-profile.js';

/**
 * What a front end gets after a log-in at a provider, in place of the provider's own access token: a random code that is
 * good here only, for a short time and once. What the provider said stays in the database.
 */
export interface ExchangeCodes {
  /** The code, and a cookie by which the browser that got it is recognized. */
  issue(profile: Profile): Promise<{ readonly code: string; readonly cookie: string }>;
  /** Undefined if it is not a code of this provider, or no longer good, or was given to another browser. */
  redeem(provider: string, code: string, browser: Browser): Promise<Profile | undefined>;
}

/** Which browser a code comes from, as far as its cookies tell. */
export interface Browser {
  readonly cookies: string | undefined;
  /** A browser without the cookie is another one; else only one with the cookie of another log-in is. */
  readonly required: boolean;
}

/** Milliseconds. */
const LIFETIME = 300_000;
const COOKIE = 'content-service-code';
const cookiePattern = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`);

/** @param publicUrl where clients reach this service */
export function createExchangeCodes(locks: Pick<Locks, 'put' | 'take'>, publicUrl: string): ExchangeCodes {
  const { protocol, pathname } = new URL(publicUrl);
  const path = `${pathname.replace(/\/$/, '')}/api/auth`;
  const attributes = `Max-Age=${LIFETIME / 1000}; Path=${path}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  return {
    issue: async ({ provider, email, username }) => {
      const [code, browser] = [`${PREFIX}${randomText()}`, randomText()];
      const value = JSON.stringify({ email, username, browser: digest(browser) });
      await locks.put(keyOf(provider, code), value, LIFETIME);
      return { code, cookie: `${COOKIE}=${browser}; ${attributes}` };
    },
    redeem: async (provider, code, { cookies, required }) => {
      if (!looksLikeCode(code)) return undefined;
      const value = await locks.take(keyOf(provider, code));
      const stored: unknown = value === undefined ? undefined : JSON.parse(value);
      if (!isRecord(stored)) return undefined;
      const browserCode = cookiePattern.exec(cookies ?? '')?.[1];
      const isSame = browserCode === undefined ? !required : digest(browserCode) === stored['browser'];
      return isSame ? { provider, email: String(stored['email']), username: String(stored['username']) } : undefined;
    },
  };
}

const randomText = (): string => randomBytes(32).toString('base64url');
const PREFIX = 'code-';
const codePattern = new RegExp(`^${PREFIX}[\\w-]{43}$`);

/** Is it one of ours, good or not? No provider is to see it. */
export const looksLikeCode = (text: string): boolean => codePattern.test(text);

/** Who reads the database learns no code. */
const keyOf = (provider: string, code: string): string => `code ${provider} ${digest(code)}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

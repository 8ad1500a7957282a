import { createHash, randomBytes } from 'node:crypto';
import { isRecord } from '../../../config/record.js';
import { errorToStore, storedError, type AppError } from '../../../errors/app-error.js';
import type { Locks } from '../../../mongo/coordination/locks.js';
import type { Provider } from './provider-settings.js';
import type { Profile } from './read-profile.js';

/** Why a log-in at a provider was refused. */
export interface RefusedLogIn {
  readonly provider: string;
  readonly refusal: AppError;
}

/** Milliseconds. */
const LIFETIME = 300_000;
const COOKIE = 'content-service-code';
const cookiePattern = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`);

/**
 * The code that a front end gets after a login at a provider, instead of the provider's access token: a random code
 * that is valid here only, for a short time and once. The provider's data stays in the database.
 * @param apiUrl where clients reach the API
 */
export function createExchangeCodes(locks: Pick<Locks, 'put' | 'take'>, apiUrl: string) {
  const { protocol, pathname } = new URL(apiUrl);
  const path = `${pathname.replace(/\/$/, '')}/auth`;
  const attributes = `Max-Age=${LIFETIME / 1000}; Path=${path}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  const store = async (outcome: Profile | RefusedLogIn, browser: string, code: string) => {
    const held = 'refusal' in outcome ? { refusal: errorToStore(outcome.refusal) } : outcome;
    const value = JSON.stringify({ ...held, browser: digest(browser) });
    await locks.put(claimKey(outcome.provider, code), value, LIFETIME);
    return `${COOKIE}=${browser}; ${attributes}`;
  };
  return {
    /** The code, and a cookie that identifies its browser. */
    issue: async (profile: Profile) => {
      const [code, browser] = [newCode(), randomText()];
      return { code, cookie: await store(profile, browser, code) };
    },
    /** A cookie that is the code itself, for pages that need not see it. Those also learn of a refusal by it. */
    issueCookie: async (outcome: Profile | RefusedLogIn): Promise<string> => {
      const code = newCode();
      return store(outcome, code, code);
    },
    /** The code of `issueCookie` among the cookies of a request; undefined: there is none. */
    codeIn: (cookies: string | undefined): string | undefined => {
      const held = cookiePattern.exec(cookies ?? '')?.[1];
      return held !== undefined && looksLikeCode(held) ? held : undefined;
    },
    /**
     * Undefined if it is not a code of this provider, is no longer valid, or belongs to another browser. A browser
     * without the cookie is accepted, unless the settings of the provider say that it must be the same.
     * @throws AppError, as the log-in was refused, for the code of a refusal
     */
    redeem: async (
      { name: provider, sameBrowser }: Provider,
      code: string,
      cookies: string | undefined,
    ): Promise<Profile | undefined> => {
      if (!looksLikeCode(code)) return undefined;
      const value = await locks.take(claimKey(provider, code));
      const stored: unknown = value === undefined ? undefined : JSON.parse(value);
      if (!isRecord(stored)) return undefined;
      const browserCode = cookiePattern.exec(cookies ?? '')?.[1];
      const isSame = browserCode === undefined ? !sameBrowser : digest(browserCode) === stored['browser'];
      if (!isSame) return undefined;
      const { email, username, subject, role, refusal } = stored;
      if (refusal !== undefined) throw storedError(refusal);
      return {
        provider,
        email: String(email),
        username: String(username),
        ...(subject !== undefined && { subject: String(subject) }),
        ...(role !== undefined && { role: String(role) }),
      };
    },
  };
}

const randomText = (): string => randomBytes(32).toString('base64url');
const PREFIX = 'code-';
const newCode = (): string => `${PREFIX}${randomText()}`;
const codePattern = new RegExp(`^${PREFIX}[\\w-]{43}$`);

/** Whether it is a code of this service, valid or not: it must not be sent to a provider. */
export const looksLikeCode = (text: string): boolean => codePattern.test(text);

/** The database contains no codes. */
const claimKey = (provider: string, code: string): string => `code ${provider} ${digest(code)}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

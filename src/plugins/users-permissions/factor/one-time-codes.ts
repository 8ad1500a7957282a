import { randomBytes } from 'node:crypto';
import type * as OneTimePasswords from 'otpauth';
import { lazyRequire } from '../../../config/lazy-require.js';

/** Only log-ins with a second factor need it. */
const otp = lazyRequire<typeof OneTimePasswords>('otpauth');

/** What every app of codes supports (RFC 6238); seconds of a step. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** A code of the step before or after is right, too: clocks differ. */
const STEPS_AROUND = 1;
/** Bytes, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** What an app makes its codes of, in base 32. */
export const newSecret = (): string => new (otp().Secret)({ size: SECRET_BYTES }).base32;

/** What an app reads out of a picture. */
export const addressOf = (secret: string, issuer: string, label: string): string =>
  new (otp().TOTP)({ ...form, issuer, label, secret }).toString();

/** The step of which this is the code: a number that grows with time. Undefined: it is none of those around now. */
export function stepOfCode(secret: string, token: string): number | undefined {
  const { TOTP } = otp();
  const timestamp = Date.now();
  const delta = new TOTP({ ...form, secret }).validate({ token, timestamp, window: STEPS_AROUND });
  return delta === null ? undefined : TOTP.counter({ period: form.period, timestamp }) + delta;
}

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 8;

/** Codes to write down, each of which is good once: `1f0a-…`. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => inGroups(randomBytes(RECOVERY_BYTES).toString('hex')));

const inGroups = (text: string): string => (text.match(/.{4}/g) ?? []).join('-');

/** As it was given out, however it was typed. */
export const recoveryCodeIn = (text: string): string => inGroups(text.toLowerCase().replaceAll(/[^0-9a-f]/g, ''));

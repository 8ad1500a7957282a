import lodash from 'lodash';
import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import { isEmail } from '../../../documents/input/validate/is-email.js';
import type { ProfileSource } from './provider-presets.js';

/** The profile of a user at a provider. */
export interface Profile {
  readonly provider: string;
  /** In lower case. */
  readonly email: string;
  readonly username: string;
  /** What an OpenID Connect provider calls the person, and nobody else ever. */
  readonly subject?: string | undefined;
  /** The type of the role that the claims give, where the provider has a table of roles and a row is true of them. */
  readonly role?: string | undefined;
}

/**
 * Reads the profile of a user from a provider's response.
 * @param addresses all addresses that the provider returned for the user, if it was queried for them
 * @throws AppError application if there is no address, or only unverified ones
 */
export function readProfile(
  provider: string,
  profile: unknown,
  { email: emailPath, verified, username: names }: ProfileSource,
  addresses: unknown = [],
): Profile {
  const email = textAt(profile, emailPath) ?? mainAddress(addresses);
  if (email === undefined || !isEmail(email)) throw new AppError('noAddress');
  if (verified !== undefined && [false, 'false'].some((no) => no === lodash.get(profile, verified))) {
    throw new AppError('unverifiedAddress');
  }
  const name = names.map((path) => textAt(profile, path)).find((text) => text !== undefined);
  return { provider, email: email.toLowerCase(), username: name ?? email.slice(0, email.lastIndexOf('@')) };
}

function textAt(profile: unknown, path: string): string | undefined {
  const value: unknown = lodash.get(profile, path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function mainAddress(addresses: unknown): string | undefined {
  const all: readonly unknown[] = Array.isArray(addresses) ? addresses : [];
  const main = all.find((address) => isRecord(address) && address['primary'] === true && address['verified'] === true);
  return textAt(main, 'email');
}

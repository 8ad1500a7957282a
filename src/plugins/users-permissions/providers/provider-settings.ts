import { unknownName } from '../../../content-types/nearest-name.js';
import { mustBe, readOptions } from '../../../content-types/read-options.js';
import type { Report } from '../../../content-types/report.js';
import * as shapes from '../../../content-types/shapes.js';
import { webAddress } from '../web-address.js';
import { anyOpenId, knownProviders, type ProfileSource } from './known-providers.js';

/** A provider that people can log in with: complete, and turned on. */
export interface Provider {
  readonly name: string;
  readonly key: string;
  readonly secret: string;
  /** The page of the front end that is led to afterwards. */
  readonly callback: string;
  readonly scope: readonly string[];
  readonly subdomain: string | undefined;
  /** Of a provider that is not among the known: where its OpenID Connect configuration is discovered. */
  readonly issuer: string | undefined;
  /** Tokens of the provider that the front end got by itself count as well. */
  readonly acceptAccessTokens: boolean;
  readonly profile: ProfileSource;
}

const issuer = {
  takes: 'an address that begins with https://, or one of this machine',
  fits: (value: unknown): value is string =>
    webAddress.fits(value) && /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)(?:[:/]|$))/.test(value),
};
const options = {
  enabled: shapes.boolean,
  key: shapes.string,
  secret: shapes.string,
  callback: webAddress,
  scope: shapes.strings,
  subdomain: shapes.string,
  issuer,
  acceptAccessTokens: shapes.boolean,
};
const needed = ['key', 'secret', 'callback'] as const;

/** Strapi v4's name for logging in with a password. */
export const PASSWORDS = 'email';

/** Parses `config.providers`, in the form of Strapi v4; those that are not `enabled` are left out. */
export function parseProviders(given: Readonly<Record<string, unknown>>, report: Report): readonly Provider[] {
  return Object.entries(given)
    .filter(([name]) => name !== PASSWORDS)
    .flatMap(([name, provider]) => parseProvider(name, provider, report) ?? []);
}

function parseProvider(name: string, given: unknown, report: Report): Provider | undefined {
  const path = `config.providers.${name}`;
  if (!shapes.isRecord(given)) {
    report(path, mustBe(given, shapes.record));
    return undefined;
  }
  const read = readOptions(given, options, `${path}.`, report);
  if (read.enabled !== true) return undefined;
  if (!shapes.kebabName.fits(name)) report(path, `must have ${shapes.kebabName.takes}`);
  const own = Object.hasOwn(knownProviders, name) ? knownProviders[name] : undefined;
  const known = own ?? anyOpenId;
  if (own === undefined && read.issuer === undefined && !('issuer' in given)) {
    report(path, `${unknownName(name, 'known provider', Object.keys(knownProviders))}; others need an "issuer"`);
  }
  for (const option of needed) if (!given[option]) report(`${path}.${option}`, 'is missing');
  if (known.profile.url.includes('[subdomain]') && read.subdomain === undefined) {
    report(`${path}.subdomain`, 'is missing');
  }
  const { key = '', secret = '', callback = '', scope = known.scope, subdomain, acceptAccessTokens = false } = read;
  const fixed = { name, key, secret, callback, scope, subdomain, acceptAccessTokens, profile: known.profile };
  return { ...fixed, issuer: own === undefined ? read.issuer : undefined };
}

import lodash from 'lodash';
import { isRecord, type Data } from '../../../config/record.js';
import { wrongName } from '../../../errors/nearest-name.js';
import { mustBe, readOptions } from '../../../content-types/load/read-options.js';
import type { Report } from '../../../content-types/load/report.js';
import * as shapes from '../../../content-types/model/settings-schema.js';
import { parseRoleRows, type RoleRow } from './claimed-role.js';
import { anyOpenId, providerPresets, type ProfileSource } from './provider-presets.js';

/** A provider that people can log in with: complete, and turned on. */
export interface Provider {
  readonly name: string;
  /** What people call it. */
  readonly label: string;
  readonly key: string;
  readonly secret: string;
  /** The page of the front end that is led to afterwards. */
  readonly callback: string;
  readonly scope: readonly string[];
  readonly subdomain: string | undefined;
  /** For a provider without a preset: where its OpenID Connect configuration is discovered. */
  readonly issuer: string | undefined;
  /** Whether to accept tokens that the front end obtained from the provider directly. */
  readonly acceptAccessTokens: boolean;
  /** Whether a login must be completed in the browser that started it, which a cookie verifies. */
  readonly sameBrowser: boolean;
  /** Which role users have by their claims, at each login; undefined: users keep the role that they have. */
  readonly roles: readonly RoleRow[] | undefined;
  readonly profile: ProfileSource;
}

const issuer = {
  expected: 'a URL that begins with https://, or one of this machine',
  test: (value: unknown): value is string =>
    shapes.httpUrl.test(value) && /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)(?:[:/]|$))/.test(value),
};
const options = {
  enabled: shapes.boolean,
  label: shapes.filledString,
  key: shapes.string,
  secret: shapes.string,
  callback: shapes.httpUrl,
  scope: shapes.strings,
  subdomain: shapes.string,
  issuer,
  acceptAccessTokens: shapes.boolean,
  sameBrowser: shapes.boolean,
  roles: shapes.list,
};
const needed = ['key', 'secret', 'callback'] as const;

/** Strapi v4's name for logging in with a password. */
export const PASSWORDS = 'email';

/**
 * Parses `config.providers`, in the form of Strapi v4; those that are not `enabled` or have errors are left out.
 * @param leaveOut hears of errors of a provider without a table of roles: one with it guards its accounts
 */
export function parseProviders(input: Data, report: Report, leaveOut = report): readonly Provider[] {
  return Object.entries(input).flatMap(([name, provider]) => {
    if (name === PASSWORDS) return [];
    const tell = isRecord(provider) && 'roles' in provider ? report : leaveOut;
    let isValid = true;
    const parsed = parseProvider(name, provider, (path, rule) => {
      isValid = false;
      tell(path, rule);
    });
    return isValid && parsed ? [parsed] : [];
  });
}

function parseProvider(name: string, input: unknown, report: Report): Provider | undefined {
  const path = `config.providers.${name}`;
  if (!isRecord(input)) {
    report(path, mustBe(input, shapes.record));
    return undefined;
  }
  const read = readOptions(input, options, `${path}.`, report);
  if (read.enabled !== true) return undefined;
  if (!shapes.kebabName.test(name)) report(path, `must have ${shapes.kebabName.expected}`);
  const preset = Object.hasOwn(providerPresets, name) ? providerPresets[name] : undefined;
  const base = preset ?? anyOpenId;
  if (preset === undefined && read.issuer === undefined && !('issuer' in input)) {
    report(path, `${wrongName(name, 'provider', Object.keys(providerPresets))}; others need an "issuer"`);
  }
  for (const option of needed) if (!input[option]) report(`${path}.${option}`, 'is missing');
  if (base.profile.url.includes('[subdomain]') && read.subdomain === undefined) {
    report(`${path}.subdomain`, 'is missing');
  }
  const roles = read.roles && parseRoleRows(read.roles, `${path}.roles`, report);
  if (roles !== undefined && preset !== undefined) {
    report(`${path}.roles`, 'needs a provider with an "issuer", whose claims are checked');
  }
  if (roles !== undefined && read.acceptAccessTokens === true) {
    report(`${path}.roles`, 'cannot stand beside acceptAccessTokens: another application could have got the token');
  }
  const { key = '', secret = '', callback = '', scope = base.scope, subdomain } = read;
  const { acceptAccessTokens = false, sameBrowser = false } = read;
  const trust = { acceptAccessTokens, sameBrowser };
  const { label = lodash.startCase(name) } = read;
  const fixed = { name, label, key, secret, callback, scope, subdomain, ...trust, roles, profile: base.profile };
  return { ...fixed, issuer: preset === undefined ? read.issuer : undefined };
}

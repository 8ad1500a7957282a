import { parseInterval } from '../../config/plugins/interval.js';
import { isRecord, type Data } from '../../config/record.js';
import { mustBe, readOptions } from '../../content-types/load/read-options.js';
import type { Report } from '../../content-types/load/report.js';
import * as shapes from '../../content-types/model/settings-schema.js';
import type { Tolerate } from '../contract/plugin.js';
import { readSettings } from '../contract/read-settings.js';
import { parseProviders, PASSWORDS, type Provider } from './providers/provider-settings.js';

/** Projects read it from environment variables, which are strings. */
const numberFromOne = {
  expected: 'a number from 1',
  test: (value: unknown): value is number | string =>
    (typeof value === 'number' || typeof value === 'string') && Number(value) >= 1,
};
const interval = {
  expected: 'milliseconds, or an object such as { min: 5 }',
  test: (value: unknown): value is unknown => parseInterval(value) > 0,
};
const lifetime = {
  expected: 'seconds, or a string such as "12h", "30d" or "2y"',
  test: (value: unknown): value is unknown => secondsOf(value) > 0,
};
const recordOrFalse = {
  expected: 'an object or false',
  test: (value: unknown): value is Data | false => value === false || isRecord(value),
};
const callback = {
  expected: 'an object with a function `validate`',
  test: (value: unknown): value is { readonly validate: (page: string, provider: Provider) => unknown } =>
    isRecord(value) && typeof value['validate'] === 'function',
};

/** `config` of this plugin in the plugins file. */
const options = {
  /** The type of the role that new users get. */
  defaultRole: shapes.string,
  /** Whether email addresses must be unique across all login providers. */
  uniqueEmail: shapes.boolean,
  allowRegister: shapes.boolean,
  /** Logging in, registering and the like need no permission over GraphQL, as in Strapi v4. */
  openAccountMutations: shapes.boolean,
  /** New users must confirm their address before they can log in. */
  emailConfirmation: shapes.boolean,
  /** Where users reach `/api/auth/email-confirmation`: the link in the mail. */
  emailConfirmationUrl: shapes.httpUrl,
  /** Where they are led to afterwards. */
  emailConfirmationRedirection: shapes.string,
  /** The page of the front end that takes a `code` and a new password. */
  resetPasswordUrl: shapes.httpUrl,
  /** `validate` throws for a page that a login with a provider cannot return to; undefined: those of other sites. */
  callback,
  jwt: shapes.record,
  /** It is read with the variables. */
  jwtSecret: shapes.string,
  register: shapes.record,
  providers: shapes.record,
  rateLimit: recordOrFalse,
  ratelimit: shapes.record,
};
const jwtOptions = { expiresIn: lifetime, algorithm: shapes.oneOf('HS256', 'HS384', 'HS512') };
/** What a registration can set besides name, address and password; undefined: all public scalars. */
const registerOptions = { allowedFields: shapes.strings };
const rateLimitOptions = { attempts: shapes.positive, minutes: shapes.positive };
/** In Strapi v4's form. */
const ratelimitOptions = { enabled: shapes.boolean, interval, max: numberFromOne };

/** Who may register and log in, and how often. */
const guarding = [
  'defaultRole',
  'uniqueEmail',
  'allowRegister',
  'openAccountMutations',
  'emailConfirmation',
  'emailConfirmationUrl',
  'callback',
  'jwt',
  'jwtSecret',
  'register',
  'rateLimit',
  'ratelimit',
  // A list of them says nothing of a provider: Strapi v4 reads nothing from it.
  'providers.',
];

export type Settings = ReturnType<typeof parseSettings>;

/**
 * @param tolerate receives a line for each setting that has no effect, see `PluginFactory`, and for each error of a
 * login provider without a table of roles, which is left out: in Strapi v4, the admin panel configures providers
 * @throws StartError with a line for each error
 */
export function parseSettings(config: Data, tolerate?: Tolerate) {
  return readSettings(
    'users-permissions',
    tolerate,
    ({ read, report, refuse }) => {
      const { jwt = {}, register = {}, providers = {}, rateLimit, ratelimit, ...chosen } = read(config, options);
      const { expiresIn = '30d', algorithm = 'HS256' } = read(jwt, jwtOptions, 'config.jwt.');
      const { allowedFields } = read(register, registerOptions, 'config.register.');
      const leaveOut: Report = (path, rule) => refuse(path, `${rule}; the provider is left out`);
      /** Attempts within a number of seconds, per address and per account; undefined: no limit. */
      const limit = (): { readonly attempts: number; readonly within: number } | undefined => {
        if (rateLimit === false) return undefined;
        if (rateLimit === undefined && ratelimit !== undefined) {
          const strapis = read(ratelimit, ratelimitOptions, 'config.ratelimit.');
          const { enabled = true, interval: within = 60_000, max = 10 } = strapis;
          return enabled ? { attempts: Number(max), within: Math.ceil(parseInterval(within) / 1000) } : undefined;
        }
        const { attempts = 5, minutes = 5 } = read(rateLimit ?? {}, rateLimitOptions, 'config.rateLimit.');
        return { attempts, within: minutes * 60 };
      };
      const settings = {
        defaultRole: 'authenticated',
        uniqueEmail: true,
        allowRegister: true,
        openAccountMutations: false,
        emailConfirmation: false,
        emailConfirmationRedirection: '/',
        ...chosen,
        allowedFields,
        /** Seconds for which a JSON web token is good. */
        tokenLifetime: secondsOf(expiresIn),
        /** How they are signed; no other is accepted. */
        tokenAlgorithm: algorithm,
        rateLimit: limit(),
        /** Whose accounts users can log in with. */
        providers: parseProviders(providers, report, tolerate ? leaveOut : report),
        /** Users can log in with a password: `providers.email`. */
        passwords: isOn(providers[PASSWORDS], report),
      };
      if (settings.emailConfirmation && settings.emailConfirmationUrl === undefined) {
        report(
          'config.emailConfirmationUrl',
          'is missing: mails need a link to <your address>/api/auth/email-confirmation',
        );
      }
      return settings;
    },
    guarding,
  );
}

function isOn(provider: unknown = {}, report: Report): boolean {
  const path = `config.providers.${PASSWORDS}`;
  if (!isRecord(provider)) report(path, mustBe(provider, shapes.record));
  else return readOptions(provider, { enabled: shapes.boolean }, `${path}.`, report).enabled ?? true;
  return true;
}

/** Seconds of each unit. Source: the package ms, which Strapi v4's tokens are made with, counts a year so. */
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_557_600 };
const LIFETIME =
  /^(\d{1,9}) ?(?:(s)(?:ec(?:ond)?s?)?|(m)(?:in(?:ute)?s?)?|(h)(?:(?:ou)?rs?)?|(d)(?:ays?)?|(w)(?:eeks?)?|(y)(?:(?:ea)?rs?)?)$/i;

/** NaN if it is no lifetime. */
function secondsOf(value: unknown): number {
  const [, digits = '', ...unitMatches] = LIFETIME.exec(String(value)) ?? [];
  const unit = unitMatches.find((match) => match !== undefined)?.toLowerCase() ?? '';
  const seconds = typeof value === 'number' ? value : Number(digits) * (units[unit] ?? NaN);
  return Number.isInteger(seconds) ? seconds : NaN;
}

import { parseInterval } from '../../config/plugins/interval.js';
import { isRecord } from '../../config/record.js';
import { mustBe, readOptions, refuseOthers } from '../../content-types/load/read-options.js';
import { reportTo, type Report } from '../../content-types/load/report.js';
import * as shapes from '../../content-types/model/settings-schema.js';
import { StartError } from '../../errors/start-error.js';
import type { Tolerate } from '../contract/plugin.js';
import { parseProviders, PASSWORDS, type Provider } from './providers/provider-settings.js';

/** The settings of a project: `config` of this plugin in the plugins file. */
export interface Settings {
  /** The type of the role that new users get. */
  readonly defaultRole: string;
  /** Whether email addresses must be unique across all login providers. */
  readonly uniqueEmail: boolean;
  readonly allowRegister: boolean;
  /** Logging in, registering and the like need no permission over GraphQL, as in Strapi v4. */
  readonly openAccountMutations: boolean;
  /** What a registration can set besides name, address and password; undefined: all public scalars. */
  readonly allowedFields: readonly string[] | undefined;
  /** New users must confirm their address before they can log in. */
  readonly emailConfirmation: boolean;
  /** Where users reach `/api/auth/email-confirmation`: the link in the mail. */
  readonly emailConfirmationUrl: string | undefined;
  /** Where they are led to afterwards. */
  readonly emailConfirmationRedirection: string;
  /** The page of the front end that takes a `code` and a new password. */
  readonly resetPasswordUrl: string | undefined;
  /** Seconds for which a JSON web token is good. */
  readonly tokenLifetime: number;
  /** How they are signed; no other is accepted. */
  readonly tokenAlgorithm: 'HS256' | 'HS384' | 'HS512';
  /** Attempts within a number of seconds, per address and per account; undefined: no limit. */
  readonly rateLimit: { readonly attempts: number; readonly within: number } | undefined;
  /** Users can log in with a password: `providers.email`. */
  readonly passwords: boolean;
  /** Others that they can log in with. */
  readonly providers: readonly Provider[];
  /** `validate` throws for a page that a login with a provider cannot return to; undefined: those of other sites. */
  readonly callback: { readonly validate: (page: string, provider: Provider) => unknown } | undefined;
}

const positiveInteger = {
  expected: 'a positive integer',
  test: (value: unknown): value is number => Number(value) >= 1,
};
const interval = {
  expected: 'milliseconds, or an object such as { min: 5 }',
  test: (value: unknown): value is unknown => parseInterval(value) > 0,
};
const algorithm = shapes.oneOf('HS256', 'HS384', 'HS512');
const callback = {
  expected: 'an object with a function `validate`',
  test: (value: unknown): value is NonNullable<Settings['callback']> =>
    isRecord(value) && typeof value['validate'] === 'function',
};
const options = {
  defaultRole: shapes.string,
  uniqueEmail: shapes.boolean,
  allowRegister: shapes.boolean,
  openAccountMutations: shapes.boolean,
  emailConfirmation: shapes.boolean,
  emailConfirmationUrl: shapes.httpUrl,
  emailConfirmationRedirection: shapes.string,
  resetPasswordUrl: shapes.httpUrl,
  callback,
};
/** Options in addition to these: `jwtSecret` is read with the variables. */
const otherOptions = ['jwt', 'jwtSecret', 'register', 'rateLimit', 'ratelimit', 'providers'];

/**
 * @param tolerate receives a line for each setting that has no effect, see `PluginFactory`, and for each error of a
 * login provider, which is left out: in Strapi v4, the admin panel configures providers
 * @throws StartError with a line for each error
 */
export function parseSettings(config: Readonly<Record<string, unknown>>, tolerate?: Tolerate): Settings {
  const mistakes: string[] = [];
  const report = reportTo(mistakes, 'Plugin users-permissions');
  const refuse: Report = tolerate ? (path, rule) => tolerate(`Plugin users-permissions: ${path} ${rule}`) : report;
  refuseOthers(config, [...Object.keys(options), ...otherOptions], 'config.', refuse);
  const read = readOptions(config, options, 'config.', report);
  const {
    jwt = {},
    register = {},
    providers = {},
  } = readOptions(
    config,
    { jwt: shapes.record, jwtSecret: shapes.string, register: shapes.record, providers: shapes.record },
    'config.',
    report,
  );
  refuseOthers(jwt, ['expiresIn', 'algorithm'], 'config.jwt.', refuse);
  refuseOthers(register, ['allowedFields'], 'config.register.', refuse);
  const { allowedFields } = readOptions(register, { allowedFields: shapes.strings }, 'config.register.', report);
  const parsed = parseProviders(providers);
  for (const error of parsed.errors) {
    if (tolerate) tolerate(`${error}; the provider is left out`);
    else mistakes.push(error);
  }
  const settings = {
    defaultRole: read.defaultRole ?? 'authenticated',
    uniqueEmail: read.uniqueEmail ?? true,
    allowRegister: read.allowRegister ?? true,
    openAccountMutations: read.openAccountMutations ?? false,
    allowedFields,
    emailConfirmation: read.emailConfirmation ?? false,
    emailConfirmationUrl: read.emailConfirmationUrl,
    emailConfirmationRedirection: read.emailConfirmationRedirection ?? '/',
    resetPasswordUrl: read.resetPasswordUrl,
    tokenLifetime: parseLifetime(jwt['expiresIn'], report),
    tokenAlgorithm: readOptions(jwt, { algorithm }, 'config.jwt.', report).algorithm ?? 'HS256',
    rateLimit: parseRateLimit(config, report, refuse),
    passwords: isOn(providers[PASSWORDS], report),
    providers: parsed.providers,
    callback: read.callback,
  };
  if (settings.emailConfirmation && settings.emailConfirmationUrl === undefined) {
    report(
      'config.emailConfirmationUrl',
      'is missing: mails need a link to <your address>/api/auth/email-confirmation',
    );
  }
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return settings;
}

/** The limit of `rateLimit`, or of `ratelimit` in Strapi v4's form, whose defaults are Strapi's. */
function parseRateLimit(
  { rateLimit, ratelimit }: Readonly<Record<string, unknown>>,
  report: Report,
  refuse: Report,
): Settings['rateLimit'] {
  if (rateLimit === false) return undefined;
  if (rateLimit === undefined && isRecord(ratelimit)) {
    const path = 'config.ratelimit.';
    refuseOthers(ratelimit, ['enabled', 'interval', 'max'], path, refuse);
    const shape = { enabled: shapes.boolean, interval, max: positiveInteger };
    const { enabled = true, interval: within = 60_000, max = 10 } = readOptions(ratelimit, shape, path, report);
    return enabled ? { attempts: max, within: Math.ceil(parseInterval(within) / 1000) } : undefined;
  }
  const read = readOptions(
    { rateLimit, ratelimit },
    { rateLimit: shapes.record, ratelimit: shapes.record },
    'config.',
    report,
  );
  const path = 'config.rateLimit.';
  refuseOthers(read.rateLimit ?? {}, ['attempts', 'minutes'], path, refuse);
  const shape = { attempts: positiveInteger, minutes: positiveInteger };
  const { attempts = 5, minutes = 5 } = readOptions(read.rateLimit ?? {}, shape, path, report);
  return { attempts, within: minutes * 60 };
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

function parseLifetime(lifetime: unknown = '30d', report: Report): number {
  const [, digits = '', ...unitMatches] = LIFETIME.exec(String(lifetime)) ?? [];
  const unit = unitMatches.find((match) => match !== undefined)?.toLowerCase() ?? '';
  const seconds = typeof lifetime === 'number' ? lifetime : Number(digits) * (units[unit] ?? 0);
  if (Number.isInteger(seconds) && seconds > 0) return seconds;
  report(
    'config.jwt.expiresIn',
    mustBe(lifetime, { ...shapes.string, expected: 'seconds, or a string such as "12h", "30d" or "2y"' }),
  );
  return 0;
}

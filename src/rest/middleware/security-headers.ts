import lodash from 'lodash';
import { reasonOf } from '../../errors/reason-of.js';
import type { SecurityHeader } from '../../config/security-settings.js';

type Options = Readonly<Record<string, unknown>>;

/** An option of `strapi::security`: false is no header, an object is its options. */
interface Row {
  readonly header: string;
  readonly write: (options: Options) => SecurityHeader[1];
  /** Only if it is asked for. */
  readonly isOptional?: true;
}

const always =
  (value: string): Row['write'] =>
  () =>
    value;

/** One of some values. @throws Error for another */
const oneOf =
  (key: string, values: readonly string[]): Row['write'] =>
  (options) => {
    const value = String(options[key] ?? values[0]);
    const allowed = values.find((one) => one === value.toLowerCase());
    if (allowed === undefined) throw new Error(`${key} has to be one of ${values.join(', ')}`);
    return allowed;
  };

/** The seconds of half a year, if an object names none. */
const MAX_AGE_SECONDS = 15_552_000;

function strictTransport({ maxAge = MAX_AGE_SECONDS, includeSubDomains = true, preload = false }: Options): string {
  const seconds = Number(maxAge);
  if (!(seconds >= 0 && Number.isFinite(seconds))) throw new Error('maxAge has to be a number of seconds');
  return [
    `max-age=${Math.floor(seconds)}`,
    ...(includeSubDomains === false ? [] : ['includeSubDomains']),
    ...(preload === true ? ['preload'] : []),
  ].join('; ');
}

/** The directives of helmet, which Strapi v4 uses; `upgrade-insecure-requests` is turned off there. */
const defaultDirectives: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'self'"],
  'base-uri': ["'self'"],
  'font-src': ["'self'", 'https:', 'data:'],
  'form-action': ["'self'"],
  'frame-ancestors': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
  'script-src': ["'self'"],
  'script-src-attr': ["'none'"],
  'style-src': ["'self'", 'https:', "'unsafe-inline'"],
  'upgrade-insecure-requests': [],
};

/** Helmet takes the name of a directive in camel case, too. */
const nameOfDirective = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A source of a directive that decides by the request. */
type DecidedSource = (request: unknown, response: unknown) => unknown;

/** @throws Error for a value that would begin another directive */
function checked(name: string, sources: readonly unknown[]): string {
  const texts = sources.map(String);
  if (texts.some((text) => /[;,\r\n]/.test(text))) throw new Error(`${name} has a source with ; or ,`);
  return [name, ...texts].join(' ');
}

/** @throws Error for a directive that is none */
function contentPolicy({ useDefaults = true, directives = {} }: Options): SecurityHeader[1] {
  const given = Object.entries(directives as object).map(([key, value]: [string, unknown]) => {
    const name = nameOfDirective(key);
    if (!/^[a-z-]+$/.test(name)) throw new Error(`${key} is no directive`);
    if (value === undefined || value === false || value === true) throw new Error(`${key} has to be a list or null`);
    return [name, value === null ? undefined : [value].flat()] as const;
  });
  const merged = { ...(useDefaults === false ? {} : defaultDirectives), ...Object.fromEntries(given) };
  const list = Object.entries(merged).flatMap(([name, sources]) =>
    sources === undefined ? [] : [[name, sources] as const],
  );
  if (!list.some(([name]) => name === 'default-src')) throw new Error('default-src is missing');
  const write = (request?: unknown, response?: unknown): string =>
    list
      .map(([name, sources]) =>
        checked(
          name,
          sources.map((source) =>
            typeof source === 'function' ? (source as DecidedSource)(request, response) : source,
          ),
        ),
      )
      .join(';');
  const isFixed = list.every(([, sources]) => sources.every((source) => typeof source !== 'function'));
  return isFixed ? write() : write;
}

/** What helmet's options are named in Strapi v4, with their headers. */
const rows: Readonly<Record<string, Row>> = {
  contentSecurityPolicy: { header: 'content-security-policy', write: contentPolicy },
  crossOriginEmbedderPolicy: {
    header: 'cross-origin-embedder-policy',
    write: oneOf('policy', ['require-corp', 'credentialless']),
    isOptional: true,
  },
  crossOriginOpenerPolicy: {
    header: 'cross-origin-opener-policy',
    write: oneOf('policy', ['same-origin', 'same-origin-allow-popups', 'unsafe-none']),
    isOptional: true,
  },
  crossOriginResourcePolicy: {
    header: 'cross-origin-resource-policy',
    write: oneOf('policy', ['same-origin', 'same-site', 'cross-origin']),
    isOptional: true,
  },
  originAgentCluster: { header: 'origin-agent-cluster', write: always('?1'), isOptional: true },
  referrerPolicy: {
    header: 'referrer-policy',
    write: ({ policy = 'no-referrer' }) => [policy].flat().map(String).join(','),
  },
  hsts: { header: 'strict-transport-security', write: strictTransport },
  noSniff: { header: 'x-content-type-options', write: always('nosniff') },
  dnsPrefetchControl: { header: 'x-dns-prefetch-control', write: ({ allow }) => (allow === true ? 'on' : 'off') },
  ieNoOpen: { header: 'x-download-options', write: always('noopen') },
  frameguard: {
    header: 'x-frame-options',
    write: (options) => String(oneOf('action', ['sameorigin', 'deny'])(options)).toUpperCase(),
  },
  permittedCrossDomainPolicies: {
    header: 'x-permitted-cross-domain-policies',
    write: oneOf('permittedPolicies', ['none', 'master-only', 'by-content-type', 'all']),
  },
  xssFilter: { header: 'x-xss-protection', write: always('0'), isOptional: true },
};

/** The options of `strapi::security` that count. */
export const securityOptions: readonly string[] = Object.keys(rows);

/** What Strapi v4 gives helmet if a project gives it nothing. */
const defaults = {
  contentSecurityPolicy: {
    useDefaults: true,
    directives: {
      'connect-src': ["'self'", 'https:'],
      'img-src': ["'self'", 'data:', 'blob:'],
      'media-src': ["'self'", 'data:', 'blob:'],
      upgradeInsecureRequests: null,
    },
  },
  hsts: { maxAge: 31_536_000, includeSubDomains: true },
};

/**
 * The security headers of every response: pages of other origins can read responses and show files, unless options of
 * `strapi::security` say otherwise. Lists are merged by their places, as Strapi v4 does.
 * @throws Error that names the option with a wrong value
 */
export function securityHeadersOf(options: Options): readonly SecurityHeader[] {
  const merged = lodash.defaultsDeep(lodash.cloneDeep(options), defaults) as Options;
  return Object.entries(rows).flatMap(([name, { header, write, isOptional }]) => {
    const option = merged[name];
    if (option === false || (option === undefined && isOptional === true)) return [];
    const given = lodash.isPlainObject(option) ? (option as Options) : {};
    try {
      const isReport = given['reportOnly'] === true;
      return [[isReport ? `${header}-report-only` : header, write(given)] as const];
    } catch (error) {
      throw new Error(`${name} of strapi::security: ${reasonOf(error)}`, { cause: error });
    }
  });
}

/** Those without a project. */
export const securityHeaders = securityHeadersOf({});

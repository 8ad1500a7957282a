import { unescape } from 'node:querystring';

/** A kind of value: `parse` returns undefined if the text is not `allowed`. */
export interface Value<T> {
  readonly parse: (text: string) => T | undefined;
  readonly allowed: string;
}

/** Any string; empty ones are treated as not set before. */
export const text = (allowed: string): Value<string> => ({ parse: (text) => text, allowed });

export function oneOf<const T extends string>(...choices: readonly T[]): Value<T> {
  return {
    parse: (text) => choices.find((choice) => choice === text),
    allowed: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
  };
}

export const trueOrFalse: Value<boolean> = {
  parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
  allowed: 'true or false',
};

/** The path of an API: segments without a slash at the end. */
export const apiPath: Value<string> = {
  parse: (text) => (/^(?:\/[\w-]+)+$/.test(text) ? text : undefined),
  allowed: 'a path such as /api',
};

export function integerBetween(min: number, max: number): Value<number> {
  return {
    parse: (text) => {
      const number = /^\d+$/.test(text) ? Number(text) : -1;
      return number >= min && number <= max ? number : undefined;
    },
    allowed: `a whole number from ${min} to ${max}`,
  };
}

/** A number, or `auto` for a value that suits the machine. */
export function numberOrAuto(min: number, max: number): Value<number | 'auto'> {
  const { parse, allowed } = integerBetween(min, max);
  return { parse: (text) => (text === 'auto' ? text : parse(text)), allowed: `auto or ${allowed}` };
}

const units: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 2 ** 10, mb: 2 ** 20 };

/** A number of bytes: `1000`, `500kb`, `1mb`. */
export const size: Value<number> = {
  parse: (text) => {
    const [, digits = '', unit = ''] = /^(\d{1,9})(b|kb|mb)?$/i.exec(text) ?? [];
    return Number(digits) * (units[unit.toLowerCase()] ?? 0) || undefined;
  },
  allowed: 'a size such as 2000, 500kb or 1mb',
};

export const sizeOrZero: Value<number> = {
  parse: (text) => (text === '0' ? 0 : size.parse(text)),
  allowed: `0 or ${size.allowed}`,
};

export const smtpUrl: Value<string> = {
  parse: (text) => (/^smtps?:\/\/[^/\s]+/.test(text) && URL.canParse(text) ? text : undefined),
  allowed: 'smtp://<user>:<password>@<host>:<port>, or smtps:// for TLS from the start',
};

/** The URL of a service, without a trailing slash. */
export const publicUrl: Value<string> = {
  parse: (text) => (/^https?:\/\/[^?#\s]+$/.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : undefined),
  allowed: 'a URL such as https://cms.example.org',
};

/** The origins whose pages can read responses: all, or a list. */
export const origins: Value<'any' | readonly string[]> = {
  parse: (text) => {
    if (text === '*') return 'any';
    const list = text.split(',').map((origin) => origin.trim());
    return list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? list : undefined;
  },
  allowed: '* or comma-separated origins such as https://www.example.org,http://localhost:3000',
};

const flags = ['public', 'private', 'no-store', 'no-cache', 'no-transform', 'must-revalidate', 'proxy-revalidate', 'must-understand', 'immutable']; // prettier-ignore
const lifetimes = ['max-age', 's-maxage', 'stale-while-revalidate', 'stale-if-error'];
const directive = `(?:${flags.join('|')}|(?:${lifetimes.join('|')})=\\d+)`;
const directives = new RegExp(`^${directive}(?:, ?${directive})*$`);

/**
 * Whether a string is a value of the header Cache-Control. Source: the registry of its directives,
 * https://www.iana.org/assignments/http-cache-directives
 */
export const isCacheControl = (text: string): boolean => directives.test(text);

export const cacheControl: Value<string> = {
  parse: (text) => (isCacheControl(text) ? text : undefined),
  allowed: 'a value of the header Cache-Control, such as public, max-age=60',
};

const uriPattern = /^mongodb(?:\+srv)?:\/\/(?:[^@/?]*@)?[^@/?]+(?:\/(?<name>[^?]*))?(?:\?.*)?$/s;
const ownDatabases = new Set(['admin', 'config', 'local']);

export const mongodbUri: Value<string> = {
  parse: (text) => (uriPattern.test(text) ? text : undefined),
  allowed: 'mongodb://<hosts> or mongodb+srv://<host>, with special characters of the password percent-encoded',
};

/** Source: https://www.mongodb.com/docs/manual/reference/limits/#naming-restrictions */
export const databaseName: Value<string> = {
  parse: (text) => {
    const isValid = Buffer.byteLength(text) < 64 && !/[\s/\\."$*<>:|?\0]/.test(text) && !ownDatabases.has(text);
    return isValid ? text : undefined;
  },
  allowed: 'a name of at most 63 bytes without spaces and /\\."$*<>:|?, except admin, config and local',
};

/** The database that a URI names in its path; undefined if it names none. */
export function databaseOfUri(uri: string): string | undefined {
  const name = uriPattern.exec(uri)?.groups?.['name'];
  return name ? unescape(name) : undefined;
}

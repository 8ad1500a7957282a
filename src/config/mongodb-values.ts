import { unescape } from 'node:querystring';
import type { Value } from './values.js';

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

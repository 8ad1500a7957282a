import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../errors/start-error.js';
import { inDataFolder } from './explain-folder-error.js';
import type { Data } from './record.js';
import { variables, type Values } from './variables.js';

export interface Secrets {
  readonly jwt: string;
  readonly apiTokenSalt: string;
}

const names = ['JWT_SECRET', 'API_TOKEN_SALT'] as const;

const MIN_LENGTH = 16;
const MIN_VARIETY = 6;

/** What is wrong with a secret; undefined if it is good enough for production. */
function weaknessOf(secret: unknown): string | undefined {
  if (typeof secret !== 'string') return 'is missing';
  if (secret.length < MIN_LENGTH) return 'is too short';
  const variety = new Set(secret).size;
  // 'a'.repeat(16), and a word that is repeated.
  if (variety < MIN_VARIETY || /^(.+?)\1+$/s.test(secret)) return 'is a repetition, which can be guessed';
  return undefined;
}

const isStrong = (secret: unknown): secret is string => weaknessOf(secret) === undefined;

/** A line for each secret that is not good enough for production. */
export function checkSecrets(values: Values): readonly string[] {
  const lines = names.flatMap((name) => {
    const weakness = weaknessOf(values[name]);
    return weakness === undefined ? [] : [`${name} ${weakness}; allowed: ${variables[name].allowed}, ${example}`];
  });
  const [first, second] = names;
  return lines.length === 0 && values[first] === values[second]
    ? [`${first} and ${second} are the same; allowed: a value for each, ${example}`]
    : lines;
}

const example = 'for example from: openssl rand -base64 32';

/** The configured secrets; missing ones are read from `secrets.json` in the data folder, which is created if absent. */
export function loadSecrets(values: Values, dataFolder: string): Secrets {
  const { JWT_SECRET: jwt, API_TOKEN_SALT: apiTokenSalt } = values;
  if (jwt !== undefined && apiTokenSalt !== undefined) return { jwt, apiTokenSalt };
  const file = path.join(dataFolder, 'secrets.json');
  if (!fs.existsSync(file)) inDataFolder(dataFolder, () => writeNewSecrets(file));
  const stored = readKept(file);
  return { jwt: jwt ?? stored.jwt, apiTokenSalt: apiTokenSalt ?? stored.apiTokenSalt };
}

function writeNewSecrets(file: string): void {
  const secrets = Object.fromEntries(names.map((name) => [name, randomBytes(32).toString('base64')]));
  const temporary = `${file}.${process.pid}`;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  try {
    // Unlike a rename, this fails when another process was faster: then its secrets count.
    fs.linkSync(temporary, file);
  } catch (error) {
    if (!fs.existsSync(file)) throw error;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

function readKept(file: string): Secrets {
  try {
    const { JWT_SECRET: jwt, API_TOKEN_SALT: apiTokenSalt } = JSON.parse(fs.readFileSync(file, 'utf8')) as Data;
    if (isStrong(jwt) && isStrong(apiTokenSalt)) return { jwt, apiTokenSalt };
  } catch {
    // Reported below, without the parser's message: it may quote a secret.
  }
  throw new StartError(`${file} does not contain ${names.join(' and ')}; delete it to generate new ones`);
}

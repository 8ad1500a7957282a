import { distance } from '../errors/nearest-name.js';
import type { Environment } from './parse-variables.js';
import { variables } from './variables.js';

/**
 * Letters that may differ, and the share of a name that they may be: names of projects' own variables are not to be
 * doubted.
 */
const MAX_LETTERS = 3;
const SHARE = 1 / 4;
/** The share of each word: `MONGODB_PORT`, which Kubernetes sets for a service, is not `MONGODB_URI`. */
const WORD_SHARE = 1 / 2;

/** A line for each variable, of the environment or a file, that is none of a setting, and nearly is. */
export function misspeltVariables(environment: Environment): readonly string[] {
  const known = Object.keys(variables);
  const found = Object.keys(environment).flatMap((name) => {
    const meant = known.includes(name) ? undefined : known.find((setting) => isNearly(name.toUpperCase(), setting));
    return meant === undefined ? [] : [{ name, meant }];
  });
  const named = environment['MONGODB_URI'] ? undefined : misspeltAddress(environment);
  if (named !== undefined && !found.some(({ name }) => name === named))
    found.push({ name: named, meant: 'MONGODB_URI' });
  return found.map(({ name, meant }) => `${name} is set, and is no setting of the service; did you mean ${meant}?`);
}

function isNearly(name: string, setting: string): boolean {
  const limit = Math.min(MAX_LETTERS, Math.floor(name.length * SHARE));
  if (distance(name, setting) > limit) return false;
  const [words, meant] = [name.split('_'), setting.split('_')];
  return words.length !== meant.length || words.every((word, index) => areAlike(word, meant[index] ?? ''));
}

const areAlike = (word: string, meant: string): boolean =>
  distance(word, meant) <= Math.max(word.length, meant.length) * WORD_SHARE;

const address = /^\s*mongodb(?:\+srv)?:\/\//;

/**
 * The variable, none of a setting, that has the address of a MongoDB.
 * @param names of which it is; by default those of a database, since a project may have addresses for its own code
 */
export const misspeltAddress = (environment: Environment, names = /^(?:MONGO|DATABASE|DB)/i): string | undefined =>
  Object.keys(environment).find(
    (name) => !Object.hasOwn(variables, name) && names.test(name) && address.test(environment[name] ?? ''),
  );

import type { Environment } from './parse-variables.js';
import { variables, type Values } from './variables.js';

const address = /^\s*mongodb(?:\+srv)?:\/\//;

/**
 * What is wrong with the choice of a production database: an empty engine in place of the intended one is worse than a start
 * that fails. A line for the operator, without any variable's value.
 */
export function checkDatabase(
  { MONGODB_URI, DATABASE }: Pick<Values, 'MONGODB_URI' | 'DATABASE'>,
  environment: Environment,
): readonly string[] {
  if (MONGODB_URI !== undefined || DATABASE !== 'auto') return [];
  const misspelt = Object.keys(environment).find(
    (name) => !Object.hasOwn(variables, name) && address.test(environment[name] ?? ''),
  );
  const hint = misspelt === undefined ? '' : `; did you mean MONGODB_URI where you set ${misspelt}?`;
  return [`MONGODB_URI is missing; in production set it, or DATABASE=embedded to run on the embedded engine${hint}`];
}

import type { UnsetVariable } from '../../../strapi/project/unset-variables.js';

/** Values that most settings take, by the part of `env` that reads them. */
const values: Readonly<Record<string, string>> = {
  int: '1',
  float: '1',
  bool: 'false',
  json: '{}',
  array: '',
  date: '2020-01-01',
};
const TEXT = 'https://variable.invalid/without-a-value-in-this-inspection';

/** Made-up values of variables that have none. */
export const inventVariables = (unset: readonly UnsetVariable[]): Readonly<Record<string, string>> =>
  Object.fromEntries(unset.map(({ name, kind = '' }) => [name, values[kind] ?? TEXT]));

import lodash from 'lodash';
import type { Named } from '../strapi.js';

/** The files of `@strapi/utils` whose functions have no name of their own in the package: it has them itself. */
const spread: ReadonlySet<string> = new Set([
  '',
  'async',
  'code-generator',
  'config',
  'object-formatting',
  'pipe-async',
  'print-value',
  'string-formatting',
  'validators',
  'operators',
]);

/** The names in the package of files that are called otherwise. */
const renamed: Readonly<Record<string, string>> = {
  'parse-multipart': 'parseMultipartData',
  'env-helper': 'env',
};

/** A file of `@strapi/utils`, such as `errors` or `convert-query-params`; undefined: it is not there. */
export function utilityModule(utils: Named, file: string): unknown {
  if (spread.has(file)) return utils;
  const name = renamed[file] ?? lodash.camelCase(file);
  return Object.hasOwn(utils, name) ? utils[name] : undefined;
}

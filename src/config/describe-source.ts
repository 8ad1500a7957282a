import type { DialectConfig } from './choose-settings.js';

/** Why values have the rules of their database: `config/database says`. */
export function describeSource({ source, unsetVariable }: Pick<DialectConfig, 'source' | 'unsetVariable'>): string {
  if (source === 'default') return 'nothing names a database';
  if (unsetVariable === undefined) return `${source} says`;
  return `the default of ${source} says (${unsetVariable} has no value here; if the site has another database, set STRAPI_DATABASE)`;
}

import type { DialectConfig } from '../../../config/choose-settings.js';
import type { DialectChoice } from '../../../content-types/model/dialects.js';
import { describeChoice } from '../../../mongo/stored/dialect.js';

/** Which database's rules the imported values get. */
export const describeRules = (source: DialectConfig['source'], choice: DialectChoice): string =>
  `Values get the rules of ${describeChoice(choice)}, as ${source === 'default' ? 'nothing names a database' : `${source} says`}`;

/**
 * A hint if values of Strapi v4 may have had the rules of another database.
 * @param named the database that `config/database` of the project names
 */
export function hintAtRules(
  source: DialectConfig['source'],
  choice: DialectChoice,
  named: DialectChoice['database'] | undefined,
): readonly string[] {
  if (source === 'default') {
    return [
      'Hint: if they come from Strapi v4 on PostgreSQL or MySQL, set STRAPI_DATABASE=postgres or mysql before you import them',
    ];
  }
  if (named === undefined || named === choice.database) return [];
  return [`Hint: config/database names ${named}; with STRAPI_DATABASE=${named} values have the rules of that site`];
}

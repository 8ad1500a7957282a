import type { DialectConfig } from '../../../config/config.js';
import type { DialectChoice } from '../../../content-types/model/dialects.js';
import { describeChoice } from '../../../mongo/stored/dialect.js';

/**
 * Which database's rules the imported values get, and a hint if those may not be the rules that they had.
 * @param named the database that `config/database` of the project names
 */
export function describeRules(
  source: DialectConfig['source'],
  choice: DialectChoice,
  named: DialectChoice['database'] | undefined,
): readonly string[] {
  const rules = `Values get the rules of ${describeChoice(choice)}`;
  if (source === 'default') {
    return [
      `${rules}, as nothing names a database`,
      'Hint: if they come from Strapi v4 on PostgreSQL or MySQL, set STRAPI_DATABASE=postgres or mysql before you import them',
    ];
  }
  const lines = [`${rules}, as ${source} says`];
  return named === undefined || named === choice.database
    ? lines
    : [
        ...lines,
        `Hint: config/database names ${named}; with STRAPI_DATABASE=${named} values have the rules of that site`,
      ];
}

import { expect, test } from '@jest/globals';
import { describeRules } from '../../../../src/cli/commands/import/describe-rules.js';

const postgres = { database: 'postgres', collation: 'en_US' } as const;
const sqlite = { database: 'sqlite', collation: 'case_sensitive_like' } as const;

test.each([
  ['config/database', postgres, 'postgres'],
  ['STRAPI_DATABASE', postgres, 'postgres'],
  ['STRAPI_DATABASE', postgres, undefined],
] as const)('an import by %s says whose rules apply', (source, choice, named) => {
  expect(describeRules(source, choice, named)).toEqual([`Values get the rules of postgres (en_US), as ${source} says`]);
});

test('an import hints at the database that config/database names', () => {
  expect(describeRules('STRAPI_DATABASE', sqlite, 'mysql')[1]).toBe(
    'Hint: config/database names mysql; with STRAPI_DATABASE=mysql values have the rules of that site',
  );
});

test('an import hints that nothing names a database', () => {
  expect(describeRules('default', sqlite, undefined)).toEqual([
    'Values get the rules of sqlite (case_sensitive_like), as nothing names a database',
    'Hint: if they come from Strapi v4 on PostgreSQL or MySQL, set STRAPI_DATABASE=postgres or mysql before you import them',
  ]);
});

import { expect, test } from '@jest/globals';
import { chooseTexts, tables, type Texts } from '../../../editor/language/choose-texts.js';
import { english } from '../../../editor/language/english.js';
import { findIssues } from '../../../editor/model/rules.js';
import { newValues } from '../../../editor/model/values.js';
import { article, content } from './content.js';

const french: Texts = { ...english, code: 'fr', rules: { ...english.rules, required: 'Obligatoire' } };

test('a form speaks the language that the browser prefers, if there is a table of it', () => {
  const messages = (preferred: readonly string[]): readonly string[] => {
    const { rules } = chooseTexts({ ...tables, fr: french }, preferred);
    const check = { draft: false, stored: false, texts: rules };
    return findIssues(content, article, newValues(content, article, 'new'), check).map(({ message }) => message);
  };
  expect(messages(['fr-CA', 'en'])).toContain('Obligatoire');
  expect(messages(['de', 'fr'])).toContain('Obligatoire');
  for (const preferred of [['en-GB', 'fr'], ['de'], []]) expect(messages(preferred)).toContain('Required');
});

test('no sentence of the table is empty', () => {
  const sentences = JSON.stringify(english, (_key, value: unknown) =>
    typeof value === 'function' ? (value as (...values: readonly unknown[]) => string)(2, 3) : value,
  );
  expect(sentences).not.toContain('""');
  expect(sentences).toContain('2 entries');
});

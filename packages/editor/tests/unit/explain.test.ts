import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { explain, sentences } from '../../src/browser/language/explain.js';
import { english } from '../../src/browser/language/english/english.js';
import { french } from '../../src/browser/language/french/french.js';
import { german } from '../../src/browser/language/german/german.js';

/** The texts in the code of the service, with a number for each value in them. */
const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => readFileSync(path.join('src', name), 'utf8').match(/'[^'\n]*'|`(?:\\.|[^`\\])*`/g) ?? [])
  .map((text) =>
    text
      .slice(1, -1)
      .replaceAll(/\$\{[^}]*\}/g, '7')
      .replaceAll('\\`', '`'),
  );

test.each(sentences.map(([sentence]) => [sentence]))('the service says %s', (sentence) => {
  // The names of values, rules and expressions are put before and into them.
  const said = (text: string): boolean => sentence.test(text) || sentence.test(`title ${text}.`);
  expect(texts.some((text) => said(text) || said(text.replace('"7"', '"/7/"')))).toBe(true);
});

test.each([
  ['This attribute must be unique', 'Ein anderer Eintrag hat diesen Wert bereits'],
  ['metaTitle must be at most 60 characters', 'Meta title: Höchstens 60 Zeichen'],
  ['title must be defined.', 'Title: Pflichtfeld'],
  ['operations[3]: Not Found', 'operations[3]: Es existiert nicht mehr, oder Ihre Rolle darf es nicht sehen.'],
  ['operations[0].data.title: title must be defined.', 'operations[0].data.title: Title: Pflichtfeld'],
  ['Bread is out of stock', 'Bread is out of stock'],
])('%s is in German: %s', (message, expected) => {
  expect(explain(german, message)).toBe(expected);
});

test('the name of a value is left out where a form shows it', () => {
  expect(explain(french, 'links[0].url must match the following: "/^https:/"')).toBe(
    'Links[0].url\u00A0: Doit correspondre à ^https:',
  );
  expect(explain(english, 'links[0].url must match the following: "/^https:/"', { isNamed: true })).toBe(
    'Must match ^https:',
  );
});

test('some statuses need no sentence of the service', () => {
  expect(explain(german, 'Too many requests, please try again later.', { status: 429 })).toBe(
    'Zu viele Versuche. Versuchen Sie es in einigen Minuten wieder.',
  );
});

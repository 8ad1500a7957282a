import { expect, test } from '@jest/globals';
import { chooseLanguage, tables } from '../../src/browser/language/choose-language.js';
import { english } from '../../src/browser/language/english/english.js';
import { french } from '../../src/browser/language/french/french.js';
import { german } from '../../src/browser/language/german/german.js';
import { mistakenLine } from '../../src/browser/inputs/json/json.js';
import { findIssues } from '../../src/browser/model/rules.js';
import { newValues } from '../../src/browser/model/values.js';
import { article, content } from './content.js';

/** The sentences of a table by their keys: those of functions for two and three of something. */
function sentencesOf(table: object, path = ''): readonly (readonly [key: string, sentence: string])[] {
  return Object.entries(table).flatMap(([key, value]: readonly [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return sentencesOf(value, `${path}${key}.`);
    const sentence = typeof value === 'function' ? (value as (...args: unknown[]) => unknown)(2, 3) : value;
    return [[`${path}${key}`, String(sentence)] as const];
  });
}

const translations = [german, french];

test('the first language of the browser is chosen that has a table', async () => {
  const rows: readonly (readonly [readonly string[], string])[] = [
    [['fr-CA', 'en'], 'fr'],
    [['nl', 'de-AT'], 'de'],
    [['', 'en-GB', 'de'], 'en'],
    [['constructor', 'nl'], 'en'],
    [[], 'en'],
  ];
  for (const [preferred, language] of rows)
    expect([preferred, chooseLanguage(preferred)]).toEqual([preferred, language]);
  for (const [code, load] of Object.entries(tables)) expect((await load()).code).toBe(code);
});

test('a form names the rules in the language', () => {
  for (const [table, required] of [
    [english, 'Required'],
    [german, 'Pflichtfeld'],
  ] as const) {
    const check = { draft: false, stored: false, publishing: false, texts: table.rules, mistakenLine };
    const issues = findIssues(content, article, newValues(content, article, 'new'), check);
    expect(issues.map(({ message }) => message)).toContain(required);
  }
});

test('all tables have the same keys, and no sentence is empty', () => {
  const keys = sentencesOf(english).map(([key]) => key);
  for (const table of [english, ...translations]) {
    const sentences = sentencesOf(table);
    expect(sentences.map(([key]) => key)).toEqual(keys);
    expect(sentences.filter(([, sentence]) => /^\s*$|undefined|NaN|\[object/.test(sentence))).toEqual([]);
  }
});

/** Words that are the same in another language too. */
const shared: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Alt',
    'Audio',
    'Code',
    'Editor',
    'Format',
    'ID',
    'JSON',
    'Link',
    'Markdown',
    'Maximum',
    'Minimum',
    'Name',
    'Passkey',
    'Passkeys',
    'Relation',
    'Status',
    'Text',
    'Videos',
  ],
  fr: [
    'Alt',
    'Audio',
    'Code',
    'Collection',
    'Collections',
    'Condition',
    'Ctrl',
    'Date',
    'Description',
    'Descriptions…',
    'Documents',
    'Format',
    'ID',
    'Image',
    'Images',
    'JSON',
    'Markdown',
    'Maximum',
    'Menu',
    'Minimum',
    'Page 2',
    'Pages',
    'Relation',
    'Structure',
    'Type',
    'Types',
    'Unique',
    'Versions',
    'Versions…',
    'maximum',
    'minimum',
    'unique',
  ],
};

test('what is translated is not English', () => {
  const originals = new Map(sentencesOf(english));
  for (const table of translations) {
    const equal = sentencesOf(table).filter(
      ([key, sentence]) => /\p{L}/u.test(sentence) && sentence === originals.get(key),
    );
    expect([...new Set(equal.map(([, sentence]) => sentence))].toSorted()).toEqual(shared[table.code]);
  }
});

test('one, two and a thousand are counted as the language does', () => {
  const { entries } = english.list;
  expect([0, 1, 2, 1000].map((count) => entries(count))).toEqual([
    '0 entries',
    '1 entry',
    '2 entries',
    '1,000 entries',
  ]);
  expect([0, 1, 2, 1000].map((count) => german.list.entries(count))).toEqual([
    '0 Einträge',
    '1 Eintrag',
    '2 Einträge',
    '1.000 Einträge',
  ]);
  expect([0, 1, 2, 1000].map((count) => french.list.entries(count))).toEqual([
    '0 entrée',
    '1 entrée',
    '2 entrées',
    '1\u202F000 entrées',
  ]);
});

test('no line of a French sentence begins with a mark', () => {
  expect(sentencesOf(french).filter(([, sentence]) => / [:;?!»]|« /.test(sentence))).toEqual([]);
});

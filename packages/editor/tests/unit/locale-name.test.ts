import { expect, test } from '@jest/globals';
import { localeName } from '../../src/browser/model/builder/locale-name.js';

test.each([
  ['ar', 'Arabic'],
  ['pt-BR', 'Brazilian Portuguese'],
  ['zh-Hant', 'Traditional Chinese'],
  ['es-419', 'Latin American Spanish'],
  ['xx', undefined],
  ['xx-nonsense-lang', undefined],
  ['en-XX', undefined],
  ['nonsense', undefined],
  ['e', undefined],
  ['', undefined],
])('the locale %s is %s', (code, name) => {
  expect(localeName(code, 'en')).toBe(name);
});

test('its name is in the language of the user', () => {
  expect(localeName('ar', 'de')).toBe('Arabisch');
});

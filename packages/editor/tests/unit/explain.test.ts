import { expect, test } from '@jest/globals';
import { codes, rules } from '../../../../src/errors/codes.js';
import { codeTexts, explain, explainAll, reasonsIn, ruleTexts } from '../../src/browser/language/explain.js';
import { english } from '../../src/browser/language/english/english.js';
import { french } from '../../src/browser/language/french/french.js';
import { german } from '../../src/browser/language/german/german.js';

/** What the form checks itself, or what is said best by the service. */
const untold = ['blocks', 'json', 'text'];

test('each rule of the service is explained, and no other', () => {
  expect([...Object.keys(ruleTexts), ...untold].toSorted()).toEqual([...rules].toSorted());
});

test.each(Object.keys(codeTexts))('the service has the code %s', (code) => {
  expect(Object.keys(codes)).toContain(code);
});

test.each([
  [{ path: ['title'], rule: 'unique' }, 'Title: Ein anderer Eintrag hat diesen Wert bereits'],
  [{ path: ['seo', 'metaTitle'], rule: 'maxLength', limit: 60 }, 'Seo.meta title: Höchstens 60 Zeichen'],
  [{ path: ['operations', '0', 'data', 'title'], rule: 'required' }, 'operations[0]: Title: Pflichtfeld'],
  [{ path: ['stock'], message: 'Bread is out of stock' }, 'Stock: Bread is out of stock'],
])('one issue is in German: %j', (issue, expected) => {
  expect(explain(german, { code: 'validation', message: 'in English', issues: [issue] })).toBe(expected);
});

test('what has a code is explained by it, also as a part of a batch', () => {
  const issues = [{ path: ['operations', '3'], message: 'Not Found' }];
  expect(explain(german, { code: 'notFound', message: 'operations[3]: Not Found', issues })).toBe(
    'operations[3]: Es existiert nicht mehr, oder Ihre Rolle darf es nicht sehen.',
  );
  expect(explain(english, { code: 'tooManyPixels', limit: 5000, message: '' })).toBe(
    'The image has more than 5,000 pixels.',
  );
});

test('what only code of a project says stays as it is', () => {
  expect(explain(german, { message: 'Bread is out of stock' })).toBe('Bread is out of stock');
});

test('the name of a value is left out where a form shows it', () => {
  const refusal = {
    code: 'validation',
    message: '',
    issues: [{ path: ['links', '0', 'url'], rule: 'regex', limit: '^https:' }],
  };
  expect(explain(french, refusal)).toBe('Links[0].url\u00A0: Doit correspondre à ^https:');
  expect(reasonsIn(english, refusal)).toEqual([{ path: ['links', '0', 'url'], message: 'Must match ^https:' }]);
});

test('several issues are counted, or all of them said', () => {
  const issues = [
    { path: ['title'], rule: 'required' },
    { path: ['price'], rule: 'min', limit: 1 },
  ];
  const refusal = { code: 'validation', message: '2 errors occurred', issues };
  expect(explain(english, refusal)).toBe('2 values cannot be stored.');
  expect(explainAll(english, refusal)).toBe('Title: Required · Price: At least 1');
});

test('some statuses need no code', () => {
  expect(explain(german, { message: 'Too many requests, please try again later.', status: 429 })).toBe(
    'Zu viele Versuche. Versuchen Sie es in einigen Minuten wieder.',
  );
});

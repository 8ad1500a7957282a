import { expect, test } from '@jest/globals';
import { english } from '../../src/browser/language/english/english.js';
import { german } from '../../src/browser/language/german/german.js';
import { explainValidity, type Demands, type Validity } from '../../src/browser/small-forms/explain-validity.js';

test('what a browser finds wrong is said in the language of the editor', () => {
  const rows: readonly (readonly [Validity, Demands, string | undefined])[] = [
    [{ valid: true }, {}, undefined],
    [{ valid: false, valueMissing: true }, {}, 'Required'],
    [{ valid: false, tooShort: true }, { minLength: 6 }, 'At least 6 characters'],
    [{ valid: false, rangeOverflow: true }, { max: '5' }, 'At most 5'],
    [{ valid: false, typeMismatch: true }, { type: 'email' }, 'Must be an email address'],
    [{ valid: false, typeMismatch: true }, { type: 'url' }, 'Must be an address: https://example.org'],
    [{ valid: false, patternMismatch: true }, {}, 'Small letters only'],
    // Whoever sets it shows their own message.
    [{ valid: false, customError: true }, {}, undefined],
  ];
  for (const [validity, demands, explained] of rows)
    expect([validity, explainValidity(validity, demands, english.rules, 'Small letters only')]).toEqual([
      validity,
      explained,
    ]);
  expect(explainValidity({ valid: false, valueMissing: true }, {}, german.rules)).toBe('Pflichtfeld');
  expect(explainValidity({ valid: false, patternMismatch: true }, {}, english.rules)).toBe('This value is not allowed');
});

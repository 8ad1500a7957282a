import { describe, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import { parseJson } from '../../../src/content-types/load/parse-json.js';

test.each([
  ['', 1, 1, 'value expected'],
  ['{', 1, 2, 'close brace expected'],
  ['{"a": 1,}', 1, 9, 'property name expected'],
  ['{"a": 1\n  "b": 2}', 2, 3, 'comma expected'],
  ['{"a" 1}', 1, 6, 'colon expected'],
  ['{a: 1}', 1, 2, 'invalid symbol'],
  ["{'a': 1}", 1, 2, 'invalid symbol'],
  ['[1, 2', 1, 6, 'close bracket expected'],
  ['[1,, 2]', 1, 4, 'value expected'],
  ['[01]', 1, 3, 'comma expected'],
  ['[1.]', 1, 2, 'unexpected end of number'],
  ['{"a": tru}', 1, 7, 'invalid symbol'],
  ['["a\nb"]', 1, 2, 'unexpected end of string'],
  [String.raw`["a\x"]`, 1, 2, 'invalid escape character'],
  ['{"a": 1}\r\n}', 2, 1, 'end of file expected'],
  ['// no comments\n{}', 1, 1, 'invalid comment token'],
])('%j fails at line %i, column %i: %s', (text, line, column, problem) => {
  expect(parseJson(text)).toEqual({ line, column, problem });
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('it agrees with JSON.parse', () => {
  test('on every JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseJson(text)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  test('on texts that are nearly JSON', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '\\',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'null',
      ' ',
      '\n',
      'x',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join(''));
    const spoiled = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...pieces))
      .map(([json, at, piece]) => json.slice(0, at % json.length) + piece + json.slice((at % json.length) + 1));
    fc.assert(
      fc.property(fc.oneof(text, spoiled), (nearly) => {
        const parsed = parseJson(nearly);
        expect(parsed).toEqual(
          isJson(nearly)
            ? { value: JSON.parse(nearly) }
            : { line: expect.any(Number), column: expect.any(Number), problem: expect.any(String) },
        );
      }),
      { numRuns: 2000 },
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import { locateJsonError } from '../../../src/content-types/load/locate-json-error.js';

test.each([
  ['', 1, 1, 'a value'],
  ['{', 1, 2, 'a name in double quotes or "}"'],
  ['{"a": 1,}', 1, 9, 'a name in double quotes'],
  ['{"a": 1\n  "b": 2}', 2, 3, '"," or "}"'],
  ['{"a" 1}', 1, 6, '":"'],
  ['{a: 1}', 1, 2, 'a name in double quotes'],
  ["{'a': 1}", 1, 2, 'a name in double quotes'],
  ['[1, 2', 1, 6, '"," or "]"'],
  ['[1,, 2]', 1, 4, 'a value'],
  ['[01]', 1, 2, 'a value'],
  ['[1.]', 1, 2, 'a value'],
  ['{"a": tru}', 1, 7, 'a value'],
  ['["a\nb"]', 1, 4, 'a closing double quote'],
  [String.raw`["a\x"]`, 1, 4, 'a valid escape'],
  ['{"a": 1}\r\n}', 2, 1, 'the end of the file'],
  ['// no comments\n{}', 1, 1, 'a value'],
])('%j fails at line %i, column %i: %s', (text, line, column, expected) => {
  expect(locateJsonError(text)).toEqual({ line, column, expected });
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
        expect(locateJsonError(JSON.stringify(value, undefined, indent))).toBeUndefined();
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
        expect(locateJsonError(nearly) === undefined).toBe(isJson(nearly));
      }),
      { numRuns: 2000 },
    );
  });
});

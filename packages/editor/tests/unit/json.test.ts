import { describe, expect, test } from '@jest/globals';
import { jsonParts, mistakenLine } from '../../src/browser/inputs/json/json.js';

const texts: readonly (readonly [text: string, line: number | undefined])[] = [
  ['{ "a": [1, -2.5e3, "b\\u00e9\\n", true, null, {}] }', undefined],
  ['"text"', undefined],
  [' 1\n', undefined],
  ['', 1],
  ['\n\n', 3],
  ['{\n  "a": 1,\n}', 3],
  ['{\n  "a": x\n}', 2],
  ['[1 2]', 1],
  ['{ "a" 1 }', 1],
  ["{ 'a': 1 }", 1],
  ['[01]', 1],
  ['[1', 1],
  ['"open\n"', 1],
  ['"tab\t"', 1],
  ['{}\n// comment', 2],
  ['{} {}', 1],
];

describe.each(texts)('%j', (text, line) => {
  test('has its first mistake where it has one, and is JSON otherwise', () => {
    expect(mistakenLine(text)).toBe(line);
    const parse = (): unknown => JSON.parse(text);
    if (line === undefined) expect(parse).not.toThrow();
    else expect(parse).toThrow('JSON');
  });

  test('is shown in full', () => {
    expect(
      jsonParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});

test('names, strings and other values have colours of their own', () => {
  expect(jsonParts('{"a":["b",1]}').map(({ kind, text }) => `${kind ?? ''} ${text}`)).toEqual([
    ' {',
    'name "a"',
    ' :[',
    'string "b"',
    ' ,',
    'value 1',
    ' ]}',
  ]);
});

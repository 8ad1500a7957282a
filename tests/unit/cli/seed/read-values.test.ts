import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import { readValues, type SeedValue } from '../../../../src/cli/commands/seed/read-values.js';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'seeds-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

async function read(name: string, text: string): Promise<readonly SeedValue[]> {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  const values: SeedValue[] = [];
  for await (const value of readValues(file)) values.push(value);
  return values;
}
/** Each value, or the rule that the file breaks, with its line. */
const lines = (values: readonly SeedValue[]) =>
  values.map((read) => [read.line, read.kind === 'value' ? read.value : read.rule]);

describe('a file of lines', () => {
  test('yields the value of each line with its number, except blank ones', async () => {
    const text = '\uFEFF{"a":1}\r\n\n  {"b":"\u2028"}\n{"c"\n{"d":2}';
    expect(lines(await read('x.ndjson', text))).toEqual([
      [1, { a: 1 }],
      [3, { b: '\u2028' }],
      [4, 'invalid JSON, colon expected at column 5'],
      [5, { d: 2 }],
    ]);
  });

  test('reports the bytes that were read', async () => {
    expect((await read('x.ndjson', '{}\n{}\n')).map((value) => value.read)).toEqual([6, 6]);
  });
});

describe('a file with a list', () => {
  test('yields its elements with their first line', async () => {
    const text = '\uFEFF[\n  { "a": [1, "],"] },\n\n  { "b":\n"\\"}" }, {"c":{}},\n7\n]\n';
    expect(lines(await read('x.json', text))).toEqual([
      [2, { a: [1, '],'] }],
      [4, { b: '"}' }],
      [5, { c: {} }],
      [6, 7],
    ]);
  });

  test.each([
    ['nothing', '', [[1, 'invalid JSON, value expected at column 1']]],
    ['no elements', ' [ ]', []],
    ['no list', '{ "a": 1,\n"b": [2] }', [[1, 'must be a list']]],
    ['no end', '[{"a":1},\n{"b"', [[2, 'invalid JSON, colon expected at column 5']]],
    ['a mistake', '[{"a":1},\n{"b" 2},\n{"c":3}]', [[2, 'invalid JSON, colon expected at column 6']]],
  ])('that has %s yields all or none of its elements', async (_what, text, expected) => {
    expect(lines(await read('x.json', text))).toEqual(expected);
  });

  test('yields exactly the elements of any JSON in any indentation', async () => {
    const element = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.array(element), fc.constantFrom(0, 1, 2), async (elements, indent) => {
        const values = await read('x.json', JSON.stringify(elements, null, indent));
        expect(values.map((read) => read.kind === 'value' && JSON.stringify(read.value))).toEqual(
          elements.map((one) => JSON.stringify(one)),
        );
      }),
      { numRuns: 50 },
    );
  });

  test('can be much larger than the read buffer', async () => {
    const elements = Array.from({ length: 3000 }, (_, index) => ({ index, text: 'ä,]"\\'.repeat(50) }));
    for (const indent of [0, 1]) {
      const values = await read('x.json', JSON.stringify(elements, null, indent));
      expect(values.map((read) => read.kind === 'value' && read.value)).toEqual(elements);
      expect(values.at(-1)?.line).toBe(indent === 0 ? 1 : 2 + 2999 * 4);
    }
  });
});

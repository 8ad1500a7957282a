import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import { readChunks, type Chunk } from '../../../../src/cli/commands/seed/json-splitter.js';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pieces-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

async function read(name: string, text: string): Promise<readonly Chunk[]> {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  const pieces: Chunk[] = [];
  for await (const piece of readChunks(file)) pieces.push(piece);
  return pieces;
}
const places = (pieces: readonly Chunk[]) => pieces.map(({ line, text }) => [line, text]);

describe('a file of lines', () => {
  test('yields each line with its number, except blank ones', async () => {
    const text = '\uFEFF{"a":1}\r\n\n  {"b":"\u2028"}\n{"c"';
    expect(places(await read('x.ndjson', text))).toEqual([
      [1, '{"a":1}\r'],
      [3, '  {"b":"\u2028"}'],
      [4, '{"c"'],
    ]);
  });

  test('reports the bytes that were read', async () => {
    expect((await read('x.ndjson', '{}\n{}\n')).map((piece) => piece.read)).toEqual([6, 6]);
  });
});

describe('a file with a list', () => {
  test('yields its elements with their first line', async () => {
    const text = '[\n  { "a": [1, "],"] },\n\n  { "b":\n"\\"}" }, {"c":{}}\n]\n';
    expect(places(await read('x.json', text))).toEqual([
      [2, '  { "a": [1, "],"] }'],
      [4, '  { "b":\n"\\"}" }'],
      [5, ' {"c":{}}\n'],
    ]);
  });

  test.each([
    ['nothing', '', []],
    ['no elements', ' [ ]', []],
    ['no list', '{ "a": 1,\n"b": [2] }', [[1, '{ "a": 1,\n"b": [2] }']]],
    [
      'no end',
      '[{"a":1},{"b"',
      [
        [1, '{"a":1}'],
        [1, '{"b"'],
      ],
    ],
  ])('that has %s yields the elements before it', async (_what, text, pieces) => {
    expect(places(await read('x.json', text))).toEqual(pieces);
  });

  test('yields exactly the elements of any JSON in any indentation', async () => {
    const element = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.array(element), fc.constantFrom(0, 1, 2), async (elements, indent) => {
        const pieces = await read('x.json', JSON.stringify(elements, null, indent));
        expect(pieces.map(({ text }) => JSON.stringify(JSON.parse(text)))).toEqual(
          elements.map((one) => JSON.stringify(one)),
        );
      }),
      { numRuns: 50 },
    );
  });

  test('can be much larger than the read buffer', async () => {
    const elements = Array.from({ length: 3000 }, (_, index) => ({ index, text: 'ä,]"\\'.repeat(50) }));
    const pieces = await read('x.json', JSON.stringify(elements, null, 1));
    expect(pieces.map(({ text }) => JSON.parse(text) as unknown)).toEqual(elements);
    expect(pieces.at(-1)?.line).toBe(2 + 2999 * 4);
  });
});

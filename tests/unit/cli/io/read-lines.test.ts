import { expect, test } from '@jest/globals';
import { MOST_CHARACTERS, readLines } from '../../../../src/cli/io/read-lines.js';
import fc from '../../../support/fast-check.js';

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const size of [...sizes, bytes.length]) {
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

async function read(content: AsyncIterable<Uint8Array>) {
  const lines: unknown[] = [];
  for await (const line of readLines(content, 'rows.jsonl')) lines.push(line);
  return lines;
}

test('the lines of a text, however it comes in chunks', async () => {
  const text = fc
    .array(fc.constantFrom('\n', ' ', 'a', 'ü', '😀', '{}'), { maxLength: 30 })
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(9), { maxLength: 9 }), async (one, sizes) => {
      const lines = one.split('\n').map((content, index) => ({ line: index + 1, text: content }));
      expect(await read(chunksOf(Buffer.from(one), sizes))).toEqual(lines.filter((line) => line.text.trim() !== ''));
    }),
  );
});

test('a line without an end is refused with its place, before it is complete', async () => {
  const chunk = Buffer.alloc(2 ** 22, 'x');
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{}\n');
    for (;;) {
      sent += chunk.length;
      yield chunk;
    }
  }
  await expect(read(endless())).rejects.toThrow(`rows.jsonl:2 has more than ${MOST_CHARACTERS} characters`);
  expect(sent).toBeLessThan(MOST_CHARACTERS + 2 * chunk.length);
});

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { visit, type JSONPath } from 'jsonc-parser';
import { withoutByteOrderMark } from '../../../config/read-json.js';
import { parseJson } from '../../../content-types/load/parse-json.js';
import { readLines } from '../../io/read-lines.js';

/** A value of a seed file, or why there is none. */
export type SeedValue = {
  /** Its first line, counted from 1. */
  readonly line: number;
  /** Bytes of the file that are read by now. */
  readonly read: number;
} & (
  | { readonly kind: 'value'; readonly value: unknown }
  /** `frame`: nothing below it can be read. */
  | { readonly kind: 'wrong'; readonly rule: string; readonly frame: boolean }
);

/**
 * The value of each line of a file, which is never in memory as a whole, or of each element of the list in a `.json`
 * file.
 */
export const readValues = (file: string): AsyncGenerator<SeedValue> =>
  file.endsWith('.json') ? readList(file) : readEachLine(file);

async function* readEachLine(file: string): AsyncGenerator<SeedValue> {
  const stream = createReadStream(file, { highWaterMark: 2 ** 18 });
  for await (const { line, text } of readLines(stream, file)) {
    const parsed = parseJson(withoutByteOrderMark(text).trimEnd());
    const read = stream.bytesRead;
    if ('value' in parsed) yield { kind: 'value', line, read, value: parsed.value };
    else {
      const rule = `invalid JSON, ${parsed.problem} at column ${parsed.column}`;
      yield { kind: 'wrong', line, read, rule, frame: false };
    }
  }
}

async function* readList(file: string): AsyncGenerator<SeedValue> {
  const text = withoutByteOrderMark(await readFile(file, 'utf8'));
  const parsed = parseJson(text);
  const size = Buffer.byteLength(text);
  if (!('value' in parsed)) {
    const { line, column, problem } = parsed;
    yield { kind: 'wrong', line, read: size, rule: `invalid JSON, ${problem} at column ${column}`, frame: true };
  } else if (!Array.isArray(parsed.value)) {
    yield { kind: 'wrong', line: 1, read: size, rule: 'must be a list', frame: true };
  } else {
    const list: readonly unknown[] = parsed.value;
    const lines = linesOfElements(text);
    for (const [index, value] of list.entries())
      yield { kind: 'value', line: lines[index] ?? 1, read: (size * (index + 1)) / list.length, value };
  }
}

/** The first line of each element of a list. */
function linesOfElements(text: string): readonly number[] {
  const lines: number[] = [];
  const note = (line: number, path: () => JSONPath): void => void (path().length === 1 && lines.push(line + 1));
  visit(text, {
    onObjectBegin: (_offset, _length, line, _column, path) => note(line, path),
    onArrayBegin: (_offset, _length, line, _column, path) => note(line, path),
    onLiteralValue: (_value, _offset, _length, line, _column, path) => note(line, path),
  });
  return lines;
}

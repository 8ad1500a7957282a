import { createReadStream } from 'node:fs';
import { jsonParser } from 'stream-json/parser.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { locateJsonError } from '../../../content-types/load/locate-json-error.js';
import { reasonOf } from '../../../errors/reason-of.js';

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

/** The value of each line of a file, or of each element of a list in `.json`; files are never in memory as a whole. */
export async function* readValues(file: string): AsyncGenerator<SeedValue> {
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: 2 ** 18 });
  const pieces = splitLines(stream as AsyncIterable<string>);
  const values = file.endsWith('.json') ? parseList(pieces) : parseLines(pieces);
  for await (const value of values) yield { ...value, read: stream.bytesRead };
}

/** A part of a line, or a whole one; only the last part ends with the line break. */
interface Piece {
  readonly line: number;
  readonly text: string;
}
type Parsed = SeedValue extends infer V ? (V extends unknown ? Omit<V, 'read'> : never) : never;

async function* splitLines(stream: AsyncIterable<string>): AsyncGenerator<Piece> {
  let line = 1;
  let isFirst = true;
  for await (const chunk of stream) {
    // Editors on Windows put a byte order mark in front.
    for (const text of (isFirst ? chunk.replace(/^\uFEFF/, '') : chunk).split(/(?<=\n)/)) {
      yield { line, text };
      if (text.endsWith('\n')) line += 1;
    }
    isFirst = false;
  }
}

async function* parseLines(pieces: AsyncIterable<Piece>): AsyncGenerator<Parsed> {
  let text = '';
  let last = 1;
  for await (const piece of pieces) {
    if (piece.line !== last && text.trim() !== '') yield parseLine({ line: last, text });
    text = piece.line === last ? text + piece.text : piece.text;
    last = piece.line;
  }
  if (text.trim() !== '') yield parseLine({ line: last, text });
}

function parseLine({ line, text: whole }: Piece): Parsed {
  const text = whole.trimEnd();
  try {
    return { kind: 'value', line, value: JSON.parse(text) as unknown };
  } catch {
    const { column, expected } = locateJsonError(text) ?? { column: 1, expected: 'JSON' };
    return { kind: 'wrong', line, rule: `invalid JSON, ${expected} is expected at column ${column}`, frame: false };
  }
}

async function* parseList(pieces: AsyncIterable<Piece>): AsyncGenerator<Parsed> {
  const tokenize = jsonParser({ streamValues: false });
  const assemble = streamArray();
  let depth = 0;
  let [line, first] = [1, 1];
  let isComplete = false;
  try {
    for await (const piece of pieces) {
      line = piece.line;
      const tokens = tokenize(piece.text);
      if (typeof tokens === 'symbol') continue;
      for (const token of tokens.values) {
        if (depth === 1 && !token.name.startsWith('end')) first = line;
        if (token.name.startsWith('start')) depth += 1;
        if (token.name.startsWith('end')) depth -= 1;
        isComplete = depth === 0;
        const element = assemble(token);
        if (typeof element !== 'symbol' && 'value' in element)
          yield { kind: 'value', line: first, value: element.value };
      }
    }
    if (!isComplete) throw new Error('the list has no end');
  } catch (error) {
    yield { kind: 'wrong', line, rule: `invalid JSON (${reasonOf(error)})`, frame: true };
  }
}

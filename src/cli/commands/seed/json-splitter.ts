import { createReadStream } from 'node:fs';

/** A part of a file that should be one JSON value. */
export interface Chunk {
  /** Its first line, counted from 1. */
  readonly line: number;
  readonly text: string;
  /** Bytes of the file that are read by now. */
  readonly read: number;
}

const CHUNK = 2 ** 18;

/** The lines of a file, or the elements of the list in a `.json` file; the file is never in memory completely. */
export async function* readChunks(file: string): AsyncGenerator<Chunk> {
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: CHUNK });
  const split = file.endsWith('.json') ? splitList() : splitLines();
  const chunks = function* (chunk: string, last: boolean): Generator<Chunk> {
    for (const { line, text } of split(chunk, last)) {
      const blank = text.slice(0, text.length - text.trimStart().length);
      const blankLines = blank.split('\n').length - 1;
      const begin = blank.lastIndexOf('\n') + 1;
      if (blank.length < text.length)
        yield { line: line + blankLines, text: text.slice(begin), read: stream.bytesRead };
    }
  };
  let first = true;
  for await (const chunk of stream as AsyncIterable<string>) {
    // Editors on Windows put a byte order mark in front.
    yield* chunks(first ? chunk.replace(/^\uFEFF/, '') : chunk, false);
    first = false;
  }
  yield* chunks('', true);
}

/** Splits the chunks of a file into JSON strings, each with the line that it begins on; `last`: no chunk follows. */
type Split = (chunk: string, last: boolean) => readonly { readonly line: number; readonly text: string }[];

function splitLines(): Split {
  let line = 1;
  let rest = '';
  return (chunk, last) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = last ? '' : (lines.pop() ?? '');
    return lines.map((text) => ({ line: line++, text }));
  };
}

/** Everything that is not in a list stays in one piece. */
function splitList(): Split {
  let text = '';
  let [line, begin] = [1, 1];
  let depth = 0;
  let state: 'plain' | 'quoted' | 'escaped' = 'plain';
  return (chunk, last) => {
    const pieces: { line: number; text: string }[] = [];
    let start = 0;
    const cut = (end: number): void => {
      pieces.push({ line: begin, text: text + chunk.slice(start, end) });
      [text, begin, start] = ['', line, end + 1];
    };
    for (let index = 0; index < chunk.length; index++) {
      const character = chunk[index];
      if (character === '\n') line += 1;
      if (state === 'escaped') state = 'quoted';
      else if (state === 'quoted') state = character === '"' ? 'plain' : character === '\\' ? 'escaped' : 'quoted';
      else if (character === '"') state = 'quoted';
      else if (character === '[' || character === '{') {
        depth += 1;
        if (depth === 1 && character === '[') [text, begin, start] = ['', line, index + 1];
        if (depth === 1 && character === '{') depth = Number.POSITIVE_INFINITY;
      } else if (character === ']' || character === '}') {
        depth -= 1;
        if (depth === 0) cut(index);
      } else if (character === ',' && depth === 1) cut(index);
    }
    text += chunk.slice(start);
    if (last) cut(chunk.length);
    return pieces;
  };
}

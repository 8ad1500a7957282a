import { StringDecoder } from 'node:string_decoder';

/** The lines of a stream that are not blank, with their numbers from 1. */
export async function* readLines(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let line = 0;
  const split = function* (text: string): Generator<{ line: number; text: string }> {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const one of lines) {
      line += 1;
      if (one.trim() !== '') yield { line, text: one };
    }
  };
  for await (const chunk of content) yield* split(decoder.write(Buffer.from(chunk)));
  yield* split(`${decoder.end()}\n`);
}

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
    for (const content of lines) {
      line += 1;
      if (content.trim() !== '') yield { line, text: content };
    }
  };
  for await (const chunk of content) yield* split(decoder.write(Buffer.from(chunk)));
  yield* split(`${decoder.end()}\n`);
}

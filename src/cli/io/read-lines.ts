import { StringDecoder } from 'node:string_decoder';
import { StartError } from '../../errors/start-error.js';

/** Characters of a line: eight times as many as an entry has bytes. */
export const MOST_CHARACTERS = 2 ** 27;

/**
 * The lines of a stream that are not blank, with their numbers from 1.
 * @param file its name, for the message
 * @throws StartError for a line that is too long
 */
export async function* readLines(
  content: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let line = 0;
  const split = function* (text: string): Generator<{ line: number; text: string }> {
    // What is there of a line is not searched again.
    const [first = '', ...others] = text.split('\n');
    rest += first;
    if (rest.length > MOST_CHARACTERS)
      throw new StartError(`${file}:${line + 1} has more than ${MOST_CHARACTERS} characters`);
    for (const next of others) {
      line += 1;
      if (rest.trim() !== '') yield { line, text: rest };
      rest = next;
    }
  };
  for await (const chunk of content) yield* split(decoder.write(Buffer.from(chunk)));
  yield* split(`${decoder.end()}\n`);
}

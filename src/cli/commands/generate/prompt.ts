import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { StartError } from '../../../errors/start-error.js';
import { makeDefinition, type Wanted } from './make-definition.js';
import { attributeForms, parseAttribute } from './parse-attribute.js';

type Question = (text: string) => Promise<string>;

/** Asks for what was not said on the command line. Undefined: whoever was asked left. */
export async function ask(
  kind: Wanted['kind'],
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<Wanted | undefined> {
  const prompt = createInterface({ input, output });
  const leaving = new AbortController();
  // Ctrl+C and Ctrl+D do that; a question would wait for ever.
  prompt.once('close', () => leaving.abort());
  const question: Question = (text) => prompt.question(text, { signal: leaving.signal });
  const say = (line: string): void => void output.write(`${line}\n`);
  try {
    const example = kind === 'type' ? 'article' : 'shared.seo';
    const name = await until(question, say, `Name, e.g. ${example}: `, (text) => {
      makeDefinition({ kind, name: text, attributes: [] });
      return text;
    });
    const yes = async (text: string): Promise<boolean> => /^y/i.test(await question(`${text} [y/N] `));
    const single = kind === 'type' && (await yes('Is there only one of it, like a homepage?'));
    const drafts = kind === 'type' && (await yes('Are entries drafts before they are published?'));
    say(`Attributes, one in a line, e.g. title:string! or author:manyToOne:author; an empty line ends.`);
    say(`Types: ${attributeForms.join(' ')}`);
    const attributes: (readonly [string, ReturnType<typeof parseAttribute>[1]])[] = [];
    for (;;) {
      const read = await until(question, say, '> ', (text) => (text === '' ? undefined : parseAttribute(text)));
      if (read === undefined) return { kind, name, attributes, single, drafts };
      attributes.push(read);
    }
  } catch (error) {
    if (leaving.signal.aborted) return undefined;
    throw error;
  } finally {
    prompt.close();
  }
}

/** Asks again until the answer can be read. */
async function until<T>(
  question: Question,
  say: (line: string) => void,
  text: string,
  read: (answer: string) => T,
): Promise<T> {
  for (;;) {
    try {
      return read((await question(text)).trim());
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      say(error.message);
    }
  }
}

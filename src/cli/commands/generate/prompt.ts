import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { StartError } from '../../../errors/start-error.js';
import { makeDefinition, type DefinitionRequest } from './make-definition.js';
import { attributeForms, parseAttribute } from './parse-attribute.js';

type Question = (text: string) => Promise<string>;

/** Prompts for missing arguments. Undefined: the user cancelled. */
export async function ask(
  kind: DefinitionRequest['kind'],
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<DefinitionRequest | undefined> {
  const prompt = createInterface({ input, output });
  const leaving = new AbortController();
  // Ctrl+C and Ctrl+D do that; a question would wait for ever.
  prompt.once('close', () => leaving.abort());
  const question: Question = (text) => prompt.question(text, { signal: leaving.signal });
  const print = (line: string): void => void output.write(`${line}\n`);
  try {
    const example = kind === 'type' ? 'article' : 'shared.seo';
    const name = await until(question, print, `Name, e.g. ${example}: `, (text) => {
      makeDefinition({ kind, name: text, attributes: [] });
      return text;
    });
    const confirm = async (text: string): Promise<boolean> => /^y/i.test(await question(`${text} [y/N] `));
    const single = kind === 'type' && (await confirm('Is it a single type, like a homepage?'));
    const drafts = kind === 'type' && (await confirm('Are entries drafts before they are published?'));
    print(`Attributes, one per line, e.g. title:string! or author:manyToOne:author; finish with an empty line.`);
    print(`Types: ${attributeForms.join(' ')}`);
    const attributes: (readonly [string, ReturnType<typeof parseAttribute>[1]])[] = [];
    for (;;) {
      const read = await until(question, print, '> ', (text) => (text === '' ? undefined : parseAttribute(text)));
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

/** Prompts again until the answer is valid. */
async function until<T>(
  question: Question,
  print: (line: string) => void,
  text: string,
  read: (line: string) => T,
): Promise<T> {
  for (;;) {
    try {
      return read((await question(text)).trim());
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      print(error.message);
    }
  }
}

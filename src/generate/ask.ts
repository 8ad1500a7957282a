import { createInterface, type Interface } from 'node:readline/promises';
import { StartError } from '../errors/start-error.js';
import { makeDefinition, type Wanted } from './make-definition.js';
import { attributeForms, parseAttribute } from './parse-attribute.js';

/** Asks for what was not said on the command line. @throws StartError where nobody can answer */
export async function ask(kind: Wanted['kind']): Promise<Wanted> {
  if (!process.stdin.isTTY)
    throw new StartError(`Say the name: content-service generate ${kind} <name> [attributes...]`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const example = kind === 'type' ? 'article' : 'shared.seo';
    const name = await until(prompt, `Name, e.g. ${example}: `, (text) => {
      makeDefinition({ kind, name: text, attributes: [] });
      return text;
    });
    const yes = async (question: string): Promise<boolean> => /^y/i.test(await prompt.question(`${question} [y/N] `));
    const single = kind === 'type' && (await yes('Is there only one of it, like a homepage?'));
    const drafts = kind === 'type' && (await yes('Are entries drafts before they are published?'));
    console.error(`Attributes, one in a line, e.g. title:string! or author:manyToOne:author; an empty line ends.`);
    console.error(`Types: ${attributeForms.join(' ')}`);
    const attributes: (readonly [string, ReturnType<typeof parseAttribute>[1]])[] = [];
    for (;;) {
      const read = await until(prompt, '> ', (text) => (text === '' ? undefined : parseAttribute(text)));
      if (read === undefined) return { kind, name, attributes, single, drafts };
      attributes.push(read);
    }
  } finally {
    prompt.close();
  }
}

/** Asks again until the answer can be read. */
async function until<T>(prompt: Interface, question: string, read: (text: string) => T): Promise<T> {
  for (;;) {
    try {
      return read((await prompt.question(question)).trim());
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      console.error(error.message);
    }
  }
}

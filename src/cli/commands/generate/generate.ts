import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { readConfig } from '../../../config/load-config.js';
import type { Config } from '../../../config/config.js';
import { StartError } from '../../../errors/start-error.js';
import { loadRegistry } from '../../../app/load-registry.js';
import { makeDefinition, type DefinitionRequest } from './make-definition.js';
import { parseAttribute, attributeForms } from './parse-attribute.js';
import type { ExitCode } from '../../exit-codes.js';
import { withPrompt, type Question } from '../../io/with-prompt.js';

interface GenerateOptions extends Omit<DefinitionRequest, 'name' | 'attributes'> {
  /** Undefined: the command prompts for it. */
  readonly name: string | undefined;
  readonly attributes: readonly string[];
}

/** Writes the definition file of a new content type or component into the project of this folder. */
export async function generate({ name, attributes, ...options }: GenerateOptions): Promise<ExitCode> {
  const request =
    name === undefined ? await askHere(options.kind) : { ...options, name, attributes: attributes.map(parseAttribute) };
  if (request === undefined) {
    console.error('\nNothing was written.');
    return 130;
  }
  const config = await readConfig();
  const { path: relativePath, content } = makeDefinition(request);
  const file = path.join(config.folders.contentTypes, relativePath);
  const relativeFile = path.relative(config.folders.project, file);
  if (existsSync(file)) throw new StartError(`${relativeFile} already exists: edit it instead`);
  await mkdir(path.dirname(file), { recursive: true });
  const $schema = schemaFor(request.kind, file, config);
  await writeFile(file, `${JSON.stringify({ ...($schema && { $schema }), ...content }, null, 2)}\n`, { flag: 'wx' });
  await check(config, file);
  console.log(`Written: ${relativeFile}`);
  return 0;
}

/** @throws StartError without a terminal */
async function askHere(kind: DefinitionRequest['kind']): Promise<DefinitionRequest | undefined> {
  if (process.stdin.isTTY) return ask(kind, { input: process.stdin, output: process.stderr });
  throw new StartError(`Add the name: content-service generate ${kind} <name> [attributes...]`);
}

/** Removes the file if it does not fit the other definitions. */
async function check(config: Config, file: string): Promise<void> {
  try {
    await loadRegistry(config);
  } catch (error) {
    await rm(file);
    throw error;
  }
}

/** The relative path of the JSON schema for editors; undefined if the package is not installed here. */
function schemaFor(kind: DefinitionRequest['kind'], file: string, { folders }: Config): string | undefined {
  const name = `schemas/${kind === 'type' ? 'content-type' : 'component'}.schema.json`;
  const places = [path.join(folders.project, 'node_modules/content-service', name), path.join(folders.project, name)];
  const schemaFile = places.find((candidate) => existsSync(candidate));
  return schemaFile && path.relative(path.dirname(file), schemaFile).replaceAll(path.sep, '/');
}

/** Prompts for missing arguments. Undefined: the user cancelled. */
export function ask(
  kind: DefinitionRequest['kind'],
  streams: { readonly input: Readable; readonly output: Writable },
): Promise<DefinitionRequest | undefined> {
  const print = (line: string): void => void streams.output.write(`${line}\n`);
  return withPrompt(streams, async (question) => {
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
  });
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

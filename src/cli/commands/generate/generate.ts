import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { readConfig } from '../../../config/load-config.js';
import type { Config } from '../../../config/config.js';
import { StartError } from '../../../errors/start-error.js';
import { loadRegistry } from '../../../app/load-registry.js';
import { filesBeside } from '../../../content-types/load/read-beside.js';
import { suggestion } from '../../../errors/nearest-name.js';
import type { Registry } from '../../../content-types/model/types.js';
import { changePermissions } from '../../../plugins/contract/access/change-permissions.js';
import { coreRoutesOf } from '../../../plugins/contract/content-type-routes.js';
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
  // A new project may not have a folder of definitions yet.
  await mkdir(path.dirname(file), { recursive: true });
  refuseMissing(request, await loadRegistry(config));
  const $schema = schemaFor(request.kind, file, config);
  await writeFile(file, `${JSON.stringify({ ...($schema && { $schema }), ...content }, null, 2)}\n`, { flag: 'wx' });
  const registry = await check(config, file);
  console.log(`Written: ${relativeFile}`);
  if (request.kind === 'type') for (const line of await openType(registry, request.name, config)) console.log(line);
  return 0;
}

/** @throws StartError if an attribute names a content type or a component that does not exist */
function refuseMissing({ name, attributes }: DefinitionRequest, registry: Registry): void {
  const own = `api::${name}.${name}`;
  for (const [
    attribute,
    { target, component, components = component === undefined ? [] : [component] },
  ] of attributes) {
    if (typeof target === 'string' && target !== own && !registry.contentTypes.has(target)) {
      const [, generated = ''] = /^api::(.+)\.\1$/.exec(target) ?? [];
      const names = [...registry.contentTypes.keys()].filter((uid) => uid.startsWith('api::'));
      throw new StartError(
        `${attribute}: there is no content type "${target}"${suggestion(target, names)}${generated && `; content-service generate type ${generated} makes it`}`,
      );
    }
    for (const one of components as readonly string[]) {
      if (registry.components.has(one)) continue;
      const hint = `${suggestion(one, registry.components.keys())}; content-service generate component ${one} makes it`;
      throw new StartError(`${attribute}: there is no component "${one}"${hint}`);
    }
  }
}

/**
 * Lets the role `editor` use a new type, if `access.json` declares one. Says how the type is reached, and who may do
 * so.
 */
async function openType(registry: Registry, name: string, config: Config): Promise<readonly string[]> {
  const type = registry.contentTypes.get(`api::${name}.${name}`);
  if (type === undefined) return [];
  const { folders } = config;
  const changes = await changePermissions(config, EDITOR, [type], new Set());
  for (const change of changes) await writeFile(path.join(folders.contentTypes, change.name), change.after ?? '');
  const place = path.relative(folders.project, path.join(folders.contentTypes, changes[0]?.name ?? filesBeside.access));
  const read = coreRoutesOf(type.kind).flatMap(({ method, action }) =>
    method === 'GET' ? [`"${type.uid}.${action}"`] : [],
  );
  const routes = `REST: /api/${type.kind === 'singleType' ? type.singularName : type.pluralName}`;
  return [
    type.kind === 'singleType' ? routes : `${routes}; --plural chooses another plural`,
    changes.length > 0
      ? `${place}: the role ${EDITOR} may use it; for all readers, add to the permissions of the role public: ${read.join(', ')}`
      : `Nobody may use it yet; for all readers, add to the permissions of the role public in ${place}: ${read.join(', ')}`,
  ];
}

/** The role that `init` declares for those who write content. */
const EDITOR = 'editor';

/** @throws StartError without a terminal */
async function askHere(kind: DefinitionRequest['kind']): Promise<DefinitionRequest | undefined> {
  if (process.stdin.isTTY) return ask(kind, { input: process.stdin, output: process.stderr });
  throw new StartError(`Add the name: content-service generate ${kind} <name> [attributes...]`);
}

/** Removes the file if it does not fit the other definitions. */
async function check(config: Config, file: string): Promise<Registry> {
  try {
    return await loadRegistry(config);
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

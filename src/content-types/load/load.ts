import { existsSync } from 'node:fs';
import path from 'node:path';
import { isStrapiProject } from '../../config/project/is-strapi-project.js';
import { isRecord, type Data } from '../../config/record.js';
import { StartError } from '../../errors/start-error.js';
import type { ComponentDefinition, ContentTypeDefinition, Defined, LoadedDefinitions } from '../model/definition.js';
import { changesBelow, noChanges, readJsonFiles, type FileChanges } from './read-json-files.js';
import { filesBeside } from './read-beside.js';

/**
 * Loads the definitions in a folder: content types from `<name>.json`, components from
 * `components/<category>/<name>.json`, additions to content types of plugins from `extensions/<plugin>/<name>.json`,
 * in the order of their file names. The folder may also be a Strapi v4 project. `link` checks the content of the files.
 * @param changes read in place of the files
 * @param failures receives a line for each file that cannot be loaded, in place of an error
 * @throws StartError with these lines
 */
export async function load(folder: string, changes = noChanges, failures?: string[]): Promise<LoadedDefinitions> {
  const { mistakes, ...definitions } = await (isStrapiProject(folder) ? loadStrapiProject : loadOwn)(folder, changes);
  if (failures === undefined && mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  failures?.push(...mistakes);
  return definitions;
}

/** Definitions, and a line for each file that cannot be loaded. */
type Attempted = LoadedDefinitions & { readonly mistakes: readonly string[] };

async function loadOwn(folder: string, changes: FileChanges): Promise<Attempted> {
  const read = await readJsonFiles(folder, undefined, undefined, changes);
  const loaded = { contentTypes: [] as Unchecked[], components: [] as Unchecked[], extensions: [] as Unchecked[] };
  const mistakes = [...read.mistakes];
  for (const { file, path, text, content } of read.files) {
    if (otherFiles.has(path.join('/'))) continue;
    const { $schema: _, ...definition } = content;
    const place = placeOf(path.map((name) => name.replace(/\.json$/, '')));
    const rule = place === undefined ? `is not in a supported location; expected ${places}` : place.check(definition);
    if (place === undefined || rule !== undefined) mistakes.push(`${file}: ${rule}`);
    else loaded[place.kind].push({ uid: place.uid, file, definition: definition as never, text });
  }
  return { ...loaded, mistakes };
}

/** `link` checks the content of definitions. */
type Unchecked = Defined<ContentTypeDefinition & ComponentDefinition>;

const places = '<name>.json, components/<category>/<name>.json or extensions/<plugin>/<name>.json';

/** Read by other modules. */
const otherFiles = new Set<string>(Object.values(filesBeside));

interface Place {
  readonly kind: 'contentTypes' | 'components' | 'extensions';
  readonly uid: string;
  /** What the file must contain; undefined if it does. */
  readonly check: (definition: Data) => string | undefined;
}

/** What a file defines, by its path without the ending. */
function placeOf([first = '', folder, name, ...deeper]: readonly string[]): Place | undefined {
  if (folder === undefined) {
    const rule = `info.singularName must be "${first}", like the name of the file`;
    const check = ({ info }: Data) => (isRecord(info) && info['singularName'] === first ? undefined : rule);
    return { kind: 'contentTypes', uid: `api::${first}.${first}`, check };
  }
  if (name === undefined || deeper.length > 0) return undefined;
  if (first === 'components') return { kind: 'components', uid: `${folder}.${name}`, check: () => undefined };
  const check = ({ attributes }: Data) => (isRecord(attributes) ? undefined : 'attributes must be an object');
  return first === 'extensions' ? { kind: 'extensions', uid: `plugin::${folder}.${name}`, check } : undefined;
}

/** A folder with definitions, and the uid that a file in it defines, by its path in the folder. */
interface SchemaFolder {
  readonly folder: string;
  readonly uidOf: (path: readonly string[]) => string | undefined;
}

const contentTypes: SchemaFolder = { folder: 'src/api', uidOf: (path) => uidOfSchema('api', path) };
const extensions: SchemaFolder = { folder: 'src/extensions', uidOf: (path) => uidOfSchema('plugin', path) };
const components: SchemaFolder = {
  folder: 'src/components',
  uidOf: ([category, file, ...deeper]) =>
    file === undefined || deeper.length > 0 ? undefined : `${category}.${file.replace(/\.json$/, '')}`,
};

/** Of `<owner>/content-types/<name>/schema.json`. */
function uidOfSchema(namespace: string, [owner, folder, name, file, ...more]: readonly string[]): string | undefined {
  const isSchema = folder === 'content-types' && file === 'schema.json' && more.length === 0;
  return isSchema ? `${namespace}::${owner}.${name}` : undefined;
}

/** The definitions of a Strapi v4 project, from where Strapi keeps them. Other files of the project are ignored. */
async function loadStrapiProject(project: string, changes: FileChanges): Promise<Attempted> {
  const mistakes: string[] = [];
  const read = async ({ folder, uidOf }: SchemaFolder): Promise<readonly Unchecked[]> => {
    const schemaFolder = path.join(project, folder);
    if (!existsSync(schemaFolder) && changesBelow(schemaFolder, changes).length === 0) return [];
    const schemas = await readJsonFiles(schemaFolder, folder, (file) => uidOf(file) !== undefined, changes);
    mistakes.push(...schemas.mistakes);
    return schemas.files.map(({ file, path, text, content: { $schema: _schema, ...definition } }) => {
      return { uid: uidOf(path) ?? '', file, definition: definition as never, text };
    });
  };
  return {
    lenient: true,
    contentTypes: await read(contentTypes),
    components: await read(components),
    extensions: await read(extensions),
    mistakes,
  };
}

import { existsSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../../errors/start-error.js';
import type { ComponentDefinition, ContentTypeDefinition, Defined, LoadedDefinitions } from '../model/definition.js';
import { changesBelow, noChanges, readJsonFiles } from './read-json-files.js';

type Path = readonly string[];

/** A folder with definitions, and the uid that a file in it defines, by its path in the folder. */
interface SchemaFolder {
  readonly folder: string;
  readonly uidOf: (path: Path) => string | undefined;
}

const contentTypes: SchemaFolder = { folder: 'src/api', uidOf: (path) => uidOfSchema('api', path) };
const extensions: SchemaFolder = { folder: 'src/extensions', uidOf: (path) => uidOfSchema('plugin', path) };
const components: SchemaFolder = {
  folder: 'src/components',
  uidOf: ([category, file, ...deeper]) =>
    file === undefined || deeper.length > 0 ? undefined : `${category}.${file.replace(/\.json$/, '')}`,
};

/** Of `<owner>/content-types/<name>/schema.json`. */
function uidOfSchema(namespace: string, [owner, folder, name, file, ...more]: Path): string | undefined {
  const isSchema = folder === 'content-types' && file === 'schema.json' && more.length === 0;
  return isSchema ? `${namespace}::${owner}.${name}` : undefined;
}

/** Whether it is the folder of a Strapi v4 project. */
export const isStrapiProject = (project: string): boolean =>
  [contentTypes, components, extensions].some(({ folder }) => existsSync(path.join(project, folder)));

/**
 * Loads the definitions of a Strapi v4 project, from where Strapi keeps them. It ignores other files of the project.
 * @throws StartError with a line for each file that cannot be loaded
 */
export async function loadStrapiProject(project: string, changes = noChanges): Promise<LoadedDefinitions> {
  const mistakes: string[] = [];
  const read = async ({ folder, uidOf }: SchemaFolder): Promise<readonly Defined<Unread>[]> => {
    const schemaFolder = path.join(project, folder);
    if (!existsSync(schemaFolder) && changesBelow(schemaFolder, changes).length === 0) return [];
    const schemas = await readJsonFiles(schemaFolder, folder, (file) => uidOf(file) !== undefined, changes);
    mistakes.push(...schemas.mistakes);
    return schemas.files.map(({ file, path, text, content: { $schema: _schema, ...definition } }) => {
      return { uid: uidOf(path) ?? '', file, definition: definition as unknown as Unread, text };
    });
  };
  const definitions = {
    lenient: true,
    contentTypes: await read(contentTypes),
    components: await read(components),
    extensions: await read(extensions),
  };
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return definitions;
}

/** `link` checks the content of definitions. */
type Unread = ContentTypeDefinition & ComponentDefinition;

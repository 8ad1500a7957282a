import { existsSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../errors/start-error.js';
import type { ComponentDefinition, ContentTypeDefinition, Defined, LoadedDefinitions } from './definition.js';
import { readJsonFiles, type JsonFile } from './read-json-files.js';

/** The folders of a project that hold definitions, and the uid of what a file in them defines, by its path there. */
const places: Readonly<Record<keyof LoadedDefinitions, { folder: string; uidOf: (path: Path) => string | undefined }>> =
  {
    contentTypes: { folder: 'src/api', uidOf: (path) => uidOfSchema('api', path) },
    components: {
      folder: 'src/components',
      uidOf: ([category, file, ...more]) =>
        file === undefined || more.length > 0 ? undefined : `${category}.${file.replace(/\.json$/, '')}`,
    },
    extensions: { folder: 'src/extensions', uidOf: (path) => uidOfSchema('plugin', path) },
  };

type Path = readonly string[];

/** Of `<owner>/content-types/<name>/schema.json`. */
function uidOfSchema(namespace: string, path: Path): string | undefined {
  const [owner, folder, name, file, ...more] = path;
  const isSchema = folder === 'content-types' && file === 'schema.json' && more.length === 0;
  return isSchema ? `${namespace}::${owner}.${name}` : undefined;
}

/** Is it the folder of a Strapi v4 project? */
export const isStrapiProject = (folder: string): boolean =>
  Object.values(places).some((place) => existsSync(path.join(folder, place.folder)));

/**
 * Loads the definitions of a Strapi v4 project, from where Strapi keeps them. Other files of the project do not matter.
 * @throws StartError with all that cannot be loaded, one a line
 */
export async function loadStrapiProject(project: string): Promise<LoadedDefinitions> {
  const mistakes: string[] = [];
  const read = async <D>(kind: keyof LoadedDefinitions): Promise<readonly Defined<D>[]> => {
    const { folder, uidOf } = places[kind];
    if (!existsSync(path.join(project, folder))) return [];
    const found = await readJsonFiles(path.join(project, folder), folder, (file) => uidOf(file) !== undefined);
    mistakes.push(...found.mistakes);
    return found.files.map((file) => ({
      uid: uidOf(file.path) ?? '',
      file: file.file,
      definition: contentOf<D>(file),
    }));
  };
  const definitions = {
    contentTypes: await read<ContentTypeDefinition>('contentTypes'),
    components: await read<ComponentDefinition>('components'),
    extensions: await read<ContentTypeDefinition>('extensions'),
  };
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return definitions;
}

/** What stands in it is looked at by `link`. */
function contentOf<D>({ content: { $schema: _, ...definition } }: JsonFile): D {
  return definition as unknown as D;
}

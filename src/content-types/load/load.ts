import { isRecord } from '../../config/record.js';
import { StartError } from '../../errors/start-error.js';
import type { ComponentDefinition, ContentTypeDefinition, Defined, LoadedDefinitions } from '../model/definition.js';
import { isStrapiProject, loadStrapiProject } from './load-strapi-project.js';
import { noChanges, readJsonFiles, type JsonFile } from './read-json-files.js';
import { filesBeside } from './read-beside.js';

/**
 * Loads the definitions in a folder: content types from `<name>.json`, components from
 * `components/<category>/<name>.json`, additions to content types of plugins from `extensions/<plugin>/<name>.json`,
 * in the order of their file names. The folder may also be a Strapi v4 project. `link` checks the content of the files.
 * @param changes read in place of the files
 * @throws StartError with a line for each file that cannot be loaded
 */
export async function load(folder: string, changes = noChanges): Promise<LoadedDefinitions> {
  if (isStrapiProject(folder)) return loadStrapiProject(folder, changes);
  const { files, mistakes } = await readJsonFiles(folder, undefined, undefined, changes);
  const recognised = files.map(recognise);
  const failures = [...mistakes, ...recognised.flatMap(({ mistake }) => mistake ?? [])];
  if (failures.length > 0) throw new StartError(failures.join('\n'));
  return {
    contentTypes: recognised.flatMap(({ contentType }) => contentType ?? []),
    components: recognised.flatMap(({ component }) => component ?? []),
    extensions: recognised.flatMap(({ extension }) => extension ?? []),
  };
}

const places = '<name>.json, components/<category>/<name>.json or extensions/<plugin>/<name>.json';

/** Read by other modules. */
const otherFiles = new Set<string>(Object.values(filesBeside));

interface Recognised {
  readonly contentType?: Defined<ContentTypeDefinition>;
  readonly component?: Defined<ComponentDefinition>;
  readonly extension?: Defined<ContentTypeDefinition>;
  readonly mistake?: string;
}

/** Determines from the path whether a file defines a content type or a component. */
function recognise({ file, path, content, text }: JsonFile): Recognised {
  const { $schema: _, ...definition } = content;
  const [first = '', category = '', last = ''] = path;
  if (path.length === 1 && otherFiles.has(first)) return {};
  if (path.length === 1) return recogniseContentType(file, first.replace(/\.json$/, ''), definition, text);
  if (path.length === 3 && first === 'components') {
    const uid = `${category}.${last.replace(/\.json$/, '')}`;
    return { component: { uid, file, definition: definition as unknown as ComponentDefinition, text } };
  }
  if (path.length === 3 && first === 'extensions') {
    if (!isRecord(definition['attributes'])) return { mistake: `${file}: attributes must be an object` };
    const uid = `plugin::${category}.${last.replace(/\.json$/, '')}`;
    return { extension: { uid, file, definition: definition as unknown as ContentTypeDefinition, text } };
  }
  return { mistake: `${file}: is not in a supported location; expected ${places}` };
}

function recogniseContentType(
  file: string,
  name: string,
  definition: Readonly<Record<string, unknown>>,
  text: string,
): Recognised {
  const info = definition['info'];
  if (!isRecord(info) || info['singularName'] !== name) {
    return { mistake: `${file}: info.singularName must be "${name}", like the name of the file` };
  }
  const uid = `api::${name}.${name}`;
  return { contentType: { uid, file, definition: definition as unknown as ContentTypeDefinition, text } };
}

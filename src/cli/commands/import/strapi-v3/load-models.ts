import { existsSync } from 'node:fs';
import path from 'node:path';
import { isRecord, type Data } from '../../../../config/record.js';
import { readJsonFiles } from '../../../../content-types/load/read-json-files.js';
import { StartError } from '../../../../errors/start-error.js';

/** A content type or component of a Strapi v3 project. */
export interface Model {
  readonly uid: string;
  readonly component: boolean;
  /** Its name in relations, e.g. `article`. */
  readonly name: string;
  /** Its name in morphs and components, e.g. `ComponentSharedSeo`. */
  readonly globalId: string;
  readonly collection: string;
  readonly definition: Data;
  readonly attributes: Readonly<Record<string, Data>>;
}

const ofPlugin = (
  uid: string,
  name: string,
  globalId: string,
  collection: string,
  attributes: Model['attributes'] = {},
): Model => ({ uid, component: false, name, globalId, collection, definition: {}, attributes });

const roleOf = (via: string): Data => ({ model: 'role', via, plugin: 'users-permissions' });

/** Types of v3's plugins: their collections are always called so. */
const plugins: readonly Model[] = [
  ofPlugin('plugin::upload.file', 'file', 'UploadFile', 'upload_file'),
  ofPlugin('plugin::users-permissions.role', 'role', 'UsersPermissionsRole', 'users-permissions_role'),
  ofPlugin('plugin::users-permissions.user', 'user', 'UsersPermissionsUser', 'users-permissions_user', {
    role: roleOf('users'),
  }),
  ofPlugin(
    'plugin::users-permissions.permission',
    'permission',
    'UsersPermissionsPermission',
    'users-permissions_permission',
    { role: roleOf('permissions') },
  ),
  ofPlugin('plugin::i18n.locale', 'locale', 'I18NLocale', 'i18n_locales'),
];

/**
 * The models of a Strapi v3 project: `api/<api>/models/<name>.settings.json`, `components/<category>/<name>.json`, and
 * what its plugins bring.
 * @throws StartError if there are none, or one cannot be read
 */
export async function loadModels(project: string): Promise<readonly Model[]> {
  const types = await read(project, 'api', ([api = '', folder, file = '', ...deeper]) => {
    const name = /^(.+)\.settings\.json$/.exec(file)?.[1]?.toLowerCase();
    if (folder !== 'models' || name === undefined || deeper.length > 0) return undefined;
    return { uid: `api::${api}.${name}`, name, globalId: pascal(name), component: false };
  });
  const components = await read(project, 'components', ([category = '', file = '', ...deeper]) => {
    const name = /^(.+)\.json$/.exec(file)?.[1];
    if (name === undefined || deeper.length > 0) return undefined;
    const globalId = `Component${pascal(category)}${pascal(name)}`;
    return { uid: `${category}.${name}`, name: `${category}.${name}`, globalId, component: true };
  });
  if (types.length === 0)
    throw new StartError(`${project} has no api/*/models/*.settings.json: it is not a Strapi v3 project`);
  return [...types, ...components, ...plugins];
}

async function read(
  project: string,
  folder: string,
  nameOf: (names: readonly string[]) => Pick<Model, 'uid' | 'name' | 'globalId' | 'component'> | undefined,
): Promise<readonly Model[]> {
  const modelFolder = path.join(project, folder);
  if (!existsSync(modelFolder)) return [];
  const { files, mistakes } = await readJsonFiles(modelFolder, folder, (file) => nameOf(file) !== undefined);
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return files.flatMap(({ path: file, content }) => {
    const named = nameOf(file);
    const { attributes, collectionName } = content;
    if (named === undefined || !isRecord(attributes)) return [];
    const collection = typeof collectionName === 'string' && collectionName !== '' ? collectionName : `${named.name}s`;
    return [{ ...named, collection, definition: content, attributes: attributes as Model['attributes'] }];
  });
}

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

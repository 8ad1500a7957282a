import { fetchTypes, TypesUnavailable, type TypesRequest, writeTypesTo } from '@content-service/client/fetch-types';
import { readBeside } from '../../../content-types/load/read-beside.js';
import type { Registry } from '../../../content-types/model/types.js';
import { StartError } from '../../../errors/start-error.js';
import { parseAccess } from '../../../plugins/contract/access/parse-access.js';
import { viewOfRole } from '../../../plugins/contract/access/role-view.js';
import { describeTypes } from '../../../plugins/contract/describe-types.js';
import { loadProject } from '../../io/project.js';
import type { ExitCode } from '../../exit-codes.js';

export interface TypesOptions {
  /** The file; undefined: standard output. */
  readonly out?: string;
  readonly client: string;
  /** A role of `access.json`; undefined: all content types with all attributes. */
  readonly role?: string;
  /** The address of a running service; undefined: the project in this folder. */
  readonly url?: string;
  readonly token?: string;
  /** 5: with the plugin `strapi5`, for its API. */
  readonly format?: string;
  /** The path of the API at the URL. */
  readonly path?: string;
}

/** Writes the content types of the project in this folder, or of a running service, as TypeScript. */
export async function writeTypes({ out, client, role, url, token, format, path }: TypesOptions): Promise<ExitCode> {
  const text =
    url === undefined
      ? await describeProject({ client, role, format, path })
      : await fetchFrom(url, { client, role, token, format, path });
  await writeTypesTo(out, text);
  return 0;
}

/** @throws StartError for options that do not fit the project in this folder */
async function describeProject({
  client,
  role,
  format = '4',
  path,
}: Pick<TypesRequest, 'client' | 'role' | 'format' | 'path'>): Promise<string> {
  if (format !== '4' && format !== '5') throw new StartError(`--format ${format} is not 4 or 5`);
  if (path !== undefined) throw new StartError('--path is of the API at a --url');
  const registry = await readTypes(role);
  const hasDocuments = [...registry.contentTypes.values()].some(({ documentAttributes }) => documentAttributes);
  if (format === '5' && !hasDocuments)
    throw new StartError('--format 5 needs a plugin that gives entries a documentId, such as strapi5');
  return describeTypes(registry, client, format === '5' ? 'documents' : 'client');
}

/** The content types of the project in this folder, as a role sees them. */
async function readTypes(role: string | undefined): Promise<Registry> {
  const { config, registry } = await loadProject();
  if (role === undefined) return registry;
  const { contentTypes } = registry;
  const read = await readBeside(config.folders, 'access');
  // Which actions there are is checked when the service starts.
  const actions = new Set(
    [...JSON.stringify(read?.content ?? {}).matchAll(/"(\w+::[^"]+)"/g)].map(([, name = '']) => name),
  );
  const context = { actions, contentTypes, variables: config.variables, allowMissingKeys: true };
  return viewOfRole(registry, read && parseAccess(read, context), role).registry;
}

/** @throws StartError when the service does not return them */
async function fetchFrom(url: string, request: TypesRequest): Promise<string> {
  try {
    return await fetchTypes(url, request);
  } catch (error) {
    throw error instanceof TypesUnavailable ? new StartError(error.message) : error;
  }
}

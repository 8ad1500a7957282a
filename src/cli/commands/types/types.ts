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
}

/** Writes the content types of the project in this folder, or of a running service, as TypeScript. */
export async function writeTypes({ out, client, role, url, token }: TypesOptions): Promise<ExitCode> {
  const text =
    url === undefined ? describeTypes(await readTypes(role), client) : await fetchFrom(url, { client, role, token });
  await writeTypesTo(out, text);
  return 0;
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

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readBeside } from '../../../content-types/load/read-beside.js';
import type { Registry } from '../../../content-types/model/types.js';
import { parseAccess } from '../../../plugins/contract/access/parse-access.js';
import { viewOfRole } from '../../../plugins/contract/access/role-view.js';
import { StartError } from '../../../errors/start-error.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { describeTypes } from '../../../plugins/content-type-builder/types/describe-types.js';
import { describeFailure, loadProject } from '../../io/project.js';

/** 0: the types are written; 2: a content type is invalid, the service does not return them, or the file cannot be written. */
export type TypesExit = 0 | 2;

export interface TypesOptions {
  /** The file; undefined: standard output. */
  readonly out?: string;
  /** The package of the client. */
  readonly client: string;
  /** A role of `access.json`; undefined: all content types with all attributes. */
  readonly role?: string;
  /** The address of a running service; undefined: the project in this folder. */
  readonly url?: string;
  /** An API token for the service. */
  readonly token?: string;
}

/** Milliseconds to wait for the service. */
const TIMEOUT_MS = 30_000;

/** Writes content types as TypeScript, of the project in this folder or of a running service: `npx content-service types`. */
export async function writeTypes({ out, client, role, url, token }: TypesOptions): Promise<TypesExit> {
  try {
    const text =
      url === undefined ? describeTypes(await readTypes(role), client) : await fetchTypes(url, { client, role }, token);
    if (out === undefined) {
      process.stdout.write(text);
      return 0;
    }
    await mkdir(path.dirname(path.resolve(out)), { recursive: true });
    await writeFile(out, text);
    console.log(`Written: ${out}`);
    return 0;
  } catch (error) {
    console.error(describeFailure(error));
    return 2;
  }
}

/** The content types of the project in this folder, as a role sees them. */
async function readTypes(role: string | undefined): Promise<Registry> {
  const { config, registry } = await loadProject();
  if (role === undefined) return registry;
  const { contentTypes } = registry;
  const read = await readBeside(config.folders.contentTypes, 'access');
  // Which actions there are is checked when the service starts.
  const actions = new Set(
    [...JSON.stringify(read?.content ?? {}).matchAll(/"(\w+::[^"]+)"/g)].map(([, name = '']) => name),
  );
  const context = { actions, contentTypes, variables: config.variables, allowMissingKeys: true };
  return viewOfRole(registry, read && parseAccess(read, context), role).registry;
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'pass a valid API token with --token',
  403: 'pass an API token of type full-access with --token',
  404: 'it has no such route: check the URL and the version of the service',
};

/** @throws StartError when the service does not return the types */
async function fetchTypes(
  address: string,
  { client, role }: { readonly client: string; readonly role: string | undefined },
  token: string | undefined,
): Promise<string> {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new StartError(`--url ${address} is not a URL; allowed: e.g. http://localhost:1337`);
  }
  const query = new URLSearchParams({ client, ...(role !== undefined && { role }) });
  const url = `${address.replace(/\/+$/, '')}/api/content-type-builder/types?${query.toString()}`;
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    const { cause } = error as Error;
    throw new StartError(`${address} does not answer: ${reasonOf(cause ?? error)}`);
  });
  if (response.ok) return response.text();
  const hint = HINTS[response.status];
  throw new StartError(`${url} answers with the status ${response.status}${hint === undefined ? '' : `: ${hint}`}`);
}

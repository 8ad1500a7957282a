import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from './config/config.js';
import { readJsonFile } from './content-types/read-json-files.js';
import { StartError } from './errors/start-error.js';
import type { Access } from './plugins/access.js';
import { parseAccess } from './plugins/parse-access.js';

/**
 * What the project declares in `access.json`, beside its content types; undefined when there is no such file.
 * @param actions every action that can be allowed
 * @throws StartError with a line for each mistake
 */
export async function loadAccess(
  { folders, variables }: Config,
  actions: readonly string[],
): Promise<Access | undefined> {
  const folder = folders.contentTypes;
  if (!existsSync(path.join(folder, 'access.json'))) return undefined;
  const read = await readJsonFile(folder, path.basename(folder), ['access.json']);
  if (typeof read === 'string') throw new StartError(read);
  return parseAccess(read, { actions: new Set(actions), variables });
}

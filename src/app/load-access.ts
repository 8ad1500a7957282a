import type { Config } from '../config/config.js';
import { readBeside } from '../content-types/load/read-beside.js';
import type { Access } from '../plugins/contract/access/access.js';
import { parseAccess } from '../plugins/contract/access/parse-access.js';

/**
 * What the project declares in `access.json`, beside its content types; undefined when there is no such file.
 * @param actions every action that can be allowed
 * @throws StartError with a line for each mistake
 */
export async function loadAccess(
  { environment, folders, variables }: Config,
  actions: readonly string[],
): Promise<Access | undefined> {
  const read = await readBeside(folders.contentTypes, 'access');
  return read && parseAccess(read, { actions: new Set(actions), variables, allowMissingKeys: environment === 'test' });
}

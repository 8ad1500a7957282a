import path from 'node:path';
import { explainLoading, findModule, loadModule } from '../config/project/load-module.js';
import { StartError } from '../errors/start-error.js';
import type { Extension } from '../plugins/contract/extension.js';
import { checkExtension, extensionMembers } from '../plugins/contract/members.js';

/**
 * The project's code: `extensions/index` in the project folder, in any supported module format.
 * @throws StartError if the file cannot be loaded or has an unknown export
 */
export async function loadExtension(projectFolder: string): Promise<Extension> {
  const file = findModule(path.join(projectFolder, 'extensions', 'index'));
  if (file === undefined) return {};
  const name = path.relative(projectFolder, file);
  const exported = await loadModule(file).catch((error: unknown) => {
    throw new StartError(`${name} cannot be loaded: ${explainLoading(error, projectFolder)}`, { cause: error });
  });
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported)) {
    throw new StartError(`${name} must export an object, or ${extensionMembers.join(', ')}`);
  }
  checkExtension(name, exported);
  return exported;
}

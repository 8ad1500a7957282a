import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../config/package-folder.js';
import { StartError } from '../errors/start-error.js';
import { reasonOf } from '../errors/reason-of.js';
import type { Extension } from '../plugins/extension.js';

const names = ['extensions/index.js', 'extensions/index.mjs'];

/**
 * The owner's code: `extensions/index.js` of the project folder; in this repository the sample in src/extensions.
 * @throws StartError when the file cannot be loaded
 */
export async function loadExtension(projectFolder: string): Promise<Extension> {
  const own = names.map((name) => path.join(projectFolder, name)).find((file) => fs.existsSync(file));
  if (own === undefined) return path.resolve(projectFolder) === packageFolder ? import('../extensions/index.js') : {};
  try {
    return (await import(pathToFileURL(own).href)) as Extension;
  } catch (error) {
    throw new StartError(`${own} cannot be loaded: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

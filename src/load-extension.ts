import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Registry } from './content-types/types.js';
import type { Documents } from './documents/documents.js';
import type { Entries } from './documents/entries.js';
import { StartError } from './errors/start-error.js';
import type { Log } from './mongo/database.js';

/** What an owner's code is given. */
export interface ExtensionContext {
  readonly registry: Registry;
  readonly documents: Documents;
  readonly entries: Entries;
  readonly log: Log;
}

/** An owner's own code. */
export interface Extension {
  /** Runs at every start, before the first request. */
  readonly bootstrap?: (context: ExtensionContext) => Promise<void> | void;
}

const names = ['extensions/index.js', 'extensions/index.mjs'];

/**
 * The owner's code: `extensions/index.js` of the project folder; in this repository the sample in src/extensions.
 * @throws StartError when the file cannot be loaded
 */
export async function loadExtension(projectFolder: string): Promise<Extension> {
  const here = path.resolve(import.meta.dirname, '..');
  const own = names.map((name) => path.join(projectFolder, name)).find((file) => fs.existsSync(file));
  if (own === undefined) return path.resolve(projectFolder) === here ? import('./extensions/index.js') : {};
  try {
    return (await import(pathToFileURL(own).href)) as Extension;
  } catch (error) {
    throw new StartError(`${own} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

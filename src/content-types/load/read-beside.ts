import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartError } from '../../errors/start-error.js';
import { readJsonFile, type FileChanges, type JsonFile } from './read-json-files.js';

/** Files in the folder of content types that do not define one. */
export const filesBeside = { access: 'access.json', migrations: 'migrations.json' } as const;

/**
 * Reads a file with declarations in the folder of content types, or else in the project's own `content-types`, which is another folder if
 * `CONTENT_TYPES` names one; undefined if it does not exist.
 * @param warn is given a message about a file that is not used because the other one is
 * @param changes read in place of the files
 * @throws StartError if it does not contain a JSON object
 */
export async function readBeside(
  folders: { readonly project: string; readonly contentTypes: string },
  which: keyof typeof filesBeside,
  warn?: (message: string) => void,
  changes?: FileChanges,
): Promise<JsonFile | undefined> {
  const name = filesBeside[which];
  const places = [...new Set([folders.contentTypes, join(folders.project, 'content-types')])];
  const [folder, unused] = places.filter((place) => existsSync(join(place, name)));
  if (folder === undefined) return undefined;
  if (unused !== undefined) warn?.(`${join(unused, name)} is not used: CONTENT_TYPES names ${folder}, which has one`);
  const read = await readJsonFile(folder, basename(folder), [name], changes);
  if (typeof read === 'string') throw new StartError(read);
  return read;
}

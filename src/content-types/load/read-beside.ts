import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartError } from '../../errors/start-error.js';
import { readJsonFile, type JsonFile } from './read-json-files.js';

/** Files in the folder of content types that do not define one. */
export const filesBeside = { access: 'access.json', migrations: 'migrations.json' } as const;

/**
 * Reads a file with declarations in the folder of content types, or in the project's own `content-types` if `CONTENT_TYPES` names
 * another; undefined if it does not exist.
 * @throws StartError if it does not contain a JSON object, or exists in both
 */
export async function readBeside(
  folders: { readonly project: string; readonly contentTypes: string },
  which: keyof typeof filesBeside,
): Promise<JsonFile | undefined> {
  const name = filesBeside[which];
  const places = [...new Set([join(folders.project, 'content-types'), folders.contentTypes])];
  const [folder, other] = places.filter((place) => existsSync(join(place, name)));
  if (folder === undefined) return undefined;
  if (other !== undefined)
    throw new StartError(`${join(folder, name)} and ${join(other, name)} both exist; keep one of them`);
  const read = await readJsonFile(folder, basename(folder), [name]);
  if (typeof read === 'string') throw new StartError(read);
  return read;
}

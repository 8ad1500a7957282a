import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartError } from '../../errors/start-error.js';
import { readJsonFile, type JsonFile } from './read-json-files.js';

/** Files in the folder of content types that do not define one. */
export const filesBeside = { access: 'access.json', migrations: 'migrations.json' } as const;

/**
 * Reads a file with declarations in the folder of content types; undefined if it does not exist.
 * @throws StartError if it does not contain a JSON object
 */
export async function readBeside(folder: string, which: keyof typeof filesBeside): Promise<JsonFile | undefined> {
  const name = filesBeside[which];
  if (!existsSync(join(folder, name))) return undefined;
  const read = await readJsonFile(folder, basename(folder), [name]);
  if (typeof read === 'string') throw new StartError(read);
  return read;
}

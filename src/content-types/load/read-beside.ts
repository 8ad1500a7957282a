import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartError } from '../../errors/start-error.js';
import { readJsonFile, type JsonFile } from './read-json-files.js';

/** Files beside the content types that are none. */
export const filesBeside = { access: 'access.json', migrations: 'migrations.json' } as const;

/**
 * Reads what a project declares in a file beside its content types; undefined when there is no such file.
 * @throws StartError when it holds no JSON object
 */
export async function readBeside(folder: string, which: keyof typeof filesBeside): Promise<JsonFile | undefined> {
  const name = filesBeside[which];
  if (!existsSync(join(folder, name))) return undefined;
  const read = await readJsonFile(folder, basename(folder), [name]);
  if (typeof read === 'string') throw new StartError(read);
  return read;
}

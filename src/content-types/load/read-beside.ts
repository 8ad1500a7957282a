import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartError } from '../../errors/start-error.js';
import { readJsonFile, type FileChanges, type JsonFile } from './read-json-files.js';

/** Files in the folder of content types that do not define one. */
export const filesBeside = { access: 'access.json', migrations: 'migrations.json' } as const;

interface Folders {
  readonly project: string;
  readonly contentTypes: string;
}

/**
 * The folders that have a file with declarations, the one that counts first: that of the content types, and the
 * project's own `content-types`, which is another folder if `CONTENT_TYPES` names one.
 */
export const foldersWith = ({ project, contentTypes }: Folders, which: keyof typeof filesBeside): readonly string[] =>
  [...new Set([contentTypes, join(project, 'content-types')])].filter((folder) =>
    existsSync(join(folder, filesBeside[which])),
  );

/**
 * Reads a file with declarations beside the content types, see `foldersWith`; undefined if it does not exist.
 * @param warn is given a message about a file that is not used because the other one is
 * @param changes read in place of the files
 * @throws StartError if it does not contain a JSON object
 */
export async function readBeside(
  folders: Folders,
  which: keyof typeof filesBeside,
  warn?: (message: string) => void,
  changes?: FileChanges,
): Promise<JsonFile | undefined> {
  const name = filesBeside[which];
  const [folder, unused] = foldersWith(folders, which);
  if (folder === undefined) return undefined;
  if (unused !== undefined) warn?.(`${join(unused, name)} is not used: CONTENT_TYPES names ${folder}, which has one`);
  const read = await readJsonFile(folder, basename(folder), [name], changes);
  if (typeof read === 'string') throw new StartError(read);
  return read;
}

import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withoutByteOrderMark } from '../../config/read-json.js';
import type { Data } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';

/** The text of a file; undefined if it does not exist. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What a file contains. @throws AppError badRequest if it is not JSON */
export function parseFile(text: string, name: string): Data {
  try {
    return JSON.parse(withoutByteOrderMark(text)) as Data;
  } catch {
    throw new AppError('badRequest', `${name} is not JSON, e.g. because of comments: change it by hand`);
  }
}

/** Tells two texts of a file apart. */
export const versionOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * A file below a folder, with the text that it has, unless it is new, and the one that it gets, unless it is removed.
 */
export interface Replacement {
  readonly name: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Of what it defines. */
  readonly uid?: string;
}

/** Writes all of the files or none: if one cannot be replaced, those before it get their former texts again. */
export async function replaceFiles(folder: string, replacements: readonly Replacement[]): Promise<void> {
  const replaced: Replacement[] = [];
  try {
    for (const replacement of replacements) {
      await replaceFile(path.join(folder, replacement.name), replacement.after);
      replaced.push(replacement);
    }
  } catch (error) {
    for (const { name, before } of replaced) await replaceFile(path.join(folder, name), before);
    throw error;
  }
}

/** Writes a file as a whole, so that nobody reads a part of it; removes it without a text. */
async function replaceFile(file: string, text: string | undefined): Promise<void> {
  if (text === undefined) return rm(file, { force: true });
  await mkdir(path.dirname(file), { recursive: true });
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.tmp`);
  try {
    await writeFile(draft, text);
    // A link stays a link to the file.
    await rename(draft, await realpath(file).catch(() => file));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

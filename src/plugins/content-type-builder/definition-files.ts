import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
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
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Data;
  } catch {
    throw new AppError('badRequest', `${name} is not JSON, e.g. because of comments: change it by hand`);
  }
}

/** Tells two texts of a file apart. */
export const versionOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A file below a folder, with the text that it has, unless it is new, and the one that it gets, unless it is removed. */
export interface Replacement {
  readonly name: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Contains the replacements that are under way: the next start ends those that a crash interrupts. */
const LIST = '.definitions.tmp';

/** Writes all of the files or none: if one cannot be replaced, those before it get their former texts again. */
export async function replaceFiles(folder: string, replacements: readonly Replacement[]): Promise<void> {
  const list = path.join(folder, LIST);
  await replaceFile(list, JSON.stringify(replacements));
  const replaced: Replacement[] = [];
  try {
    for (const replacement of replacements) {
      await replaceFile(path.join(folder, replacement.name), replacement.after);
      replaced.push(replacement);
    }
  } catch (error) {
    for (const { name, before } of replaced) {
      await replaceFile(path.join(folder, name), before);
    }
    await rm(list);
    throw error;
  }
  await rm(list);
}

/**
 * Ends the replacement of files that a crash has interrupted, unless somebody has changed one of them since.
 * @param warn is given a message about files that stay as they are
 */
export async function endReplacing(folder: string, warn: (message: string) => void): Promise<void> {
  const list = path.join(folder, LIST);
  const text = await readText(list);
  if (text === undefined) return;
  const replacements = JSON.parse(text) as readonly Replacement[];
  const present = await Promise.all(replacements.map(({ name }) => readText(path.join(folder, name))));
  const others = replacements.filter(({ before, after }, at) => ![before, after].includes(present[at]));
  if (others.length === 0)
    for (const { name, after } of replacements) await replaceFile(path.join(folder, name), after);
  else
    warn(
      `A change of definitions was interrupted, and stays so: ${namesOf(others)} changed since; it was about ${namesOf(replacements)}`,
    );
  await rm(list);
}

const namesOf = (replacements: readonly Replacement[]): string => replacements.map(({ name }) => name).join(', ');

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

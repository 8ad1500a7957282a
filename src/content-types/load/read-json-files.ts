import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { withoutByteOrderMark } from '../../config/read-json.js';
import { isRecord } from '../../config/record.js';
import { parseJson } from './parse-json.js';

/** A file that contains a JSON object. */
export interface JsonFile {
  /** Its name in messages: the path, starting with the folder that was read. */
  readonly file: string;
  /** Its path inside that folder, e.g. `['components', 'shared', 'seo.json']`. */
  readonly path: readonly string[];
  readonly content: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Texts that are read in place of files, which may not exist, by absolute path; undefined: the file is left out. */
export type FileChanges = ReadonlyMap<string, string | undefined>;

export const noChanges: FileChanges = new Map();

/**
 * Reads the `*.json` files in and below a folder, by name in code-point order; hidden ones are left out. Of what cannot
 * be read, `mistakes` has a line that says why.
 * @param name of the folder in messages
 * @param isSelected by the path inside the folder: other files are not read
 */
export async function readJsonFiles(
  folder: string,
  name: string = basename(resolve(folder)),
  isSelected: (path: readonly string[]) => boolean = () => true,
  changes = noChanges,
): Promise<{ readonly files: readonly JsonFile[]; readonly mistakes: readonly string[] }> {
  const added = changesBelow(folder, changes);
  let names: string[];
  try {
    const stored = added.length > 0 && !existsSync(folder) ? [] : await readdir(folder, { recursive: true });
    names = [...new Set([...stored, ...added])];
  } catch (error) {
    return { files: [], mistakes: [`${name}: cannot be read as a folder (${reason(error)}): ${resolve(folder)}`] };
  }
  const isLeftOut = (name: string): boolean => {
    const place = join(folder, name);
    return changes.has(place) && changes.get(place) === undefined;
  };
  const paths = names
    .filter((name) => !isLeftOut(name))
    .map((path) => path.split(sep))
    .filter((path) => path.at(-1)?.endsWith('.json') && !path.some((part) => part.startsWith('.')))
    .filter(isSelected);
  const ordered = paths.map((path) => path.join('/')).toSorted();
  const read = await Promise.all(ordered.map(async (path) => readJsonFile(folder, name, path.split('/'), changes)));
  return {
    files: read.filter((result) => typeof result !== 'string'),
    mistakes: read.filter((result) => typeof result === 'string'),
  };
}

/** The changed files in and below a folder, which may not exist yet: their paths inside it. */
export const changesBelow = (folder: string, changes: FileChanges): readonly string[] =>
  [...changes.keys()].filter((file) => file.startsWith(folder + sep)).map((file) => relative(folder, file));

/**
 * Reads one file that contains a JSON object, or returns the reason why it cannot. `name` is the folder in messages.
 */
export async function readJsonFile(
  folder: string,
  name: string,
  path: readonly string[],
  changes = noChanges,
): Promise<JsonFile | string> {
  const file = [name, ...path].join('/');
  try {
    const place = join(folder, ...path);
    const text = withoutByteOrderMark(changes.get(place) ?? (await readFile(place, 'utf8')));
    const parsed = parseJson(text);
    if (!('value' in parsed))
      return `${file}: line ${parsed.line}, column ${parsed.column}: invalid JSON, ${parsed.problem}`;
    const content = parsed.value;
    return isRecord(content) ? { file, path, content, text } : `${file}: must be an object in braces`;
  } catch (error) {
    return `${file}: cannot be read (${reason(error)})`;
  }
}

const reason = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../../src/config/record.js';
import { StartError } from '../../../src/errors/start-error.js';
import type { Multipart } from '../scenario.js';

/** A request to Strapi 5, and its answer. */
export interface Recording {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly auth?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly rawBody?: string;
    readonly multipart?: Multipart;
  };
  readonly status: number;
  readonly body: unknown;
}

/** The recordings of a file, in their order. */
export interface RecordedFile {
  /** Without `.json`, e.g. `12-populate`. */
  readonly name: string;
  readonly recordings: readonly Recording[];
}

/** Which entry has which documentId, e.g. `article:1`; and, as `article:1:id`, which number. */
export type RecordedIds = Readonly<Record<string, string | number>>;

/** The files with recordings in a folder, in the order of their names; those of another form are left out. */
export async function readRecordings(folder: string): Promise<readonly RecordedFile[]> {
  const names = (await readdir(folder)).filter((name) => /^\d.*\.json$/.test(name)).toSorted();
  const files = await Promise.all(
    names.map(async (name) => ({
      name: name.slice(0, -'.json'.length),
      recordings: withoutPairs(await readJson(folder, name)),
    })),
  );
  return files.filter((file): file is RecordedFile => isListOfRecordings(file.recordings));
}

/**
 * The folders with recordings in a folder, at any depth, itself among them. `migrated` is replayed with the folder
 * around it where that has recordings.
 * @throws StartError if there are none
 */
export async function foldersWithRecordings(folder: string): Promise<readonly string[]> {
  const found = await findFolders(folder);
  if (found.length === 0) throw new StartError(`${folder} and the folders in it have no recordings of Strapi 5`);
  return found;
}

async function findFolders(folder: string): Promise<readonly string[]> {
  const hasSome = (await readRecordings(folder)).length > 0;
  const inside = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && !(hasSome && entry.name === 'migrated'))
    .map(({ name }) => path.join(folder, name))
    .toSorted();
  return [...(hasSome ? [folder] : []), ...(await Promise.all(inside.map(findFolders))).flat()];
}

/** The recordings of Strapi 5 in a list of pairs with those of Strapi v4. */
function withoutPairs(content: unknown): unknown {
  if (!Array.isArray(content) || !content.every((one) => isRecord(one) && isRecord(one['v5']))) return content;
  return content.map(({ rule, v5 }: { readonly rule: string; readonly v5: object }) => ({ name: rule, ...v5 }));
}

const isListOfRecordings = (value: unknown): value is readonly Recording[] =>
  Array.isArray(value) && value.every((one) => isRecord(one) && isRecord(one['request']) && 'status' in one);

/** The ids of a folder with recordings; those of another one if it has none. */
export const readIds = async (folder: string, otherwise: string): Promise<RecordedIds> =>
  (await readJson(existsSync(path.join(folder, 'ids.json')) ? folder : otherwise, 'ids.json')) as RecordedIds;

export const readJson = async (folder: string, name: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(folder, name), 'utf8'));

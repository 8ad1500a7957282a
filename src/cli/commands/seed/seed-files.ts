import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { lookup } from 'mime-types';
import { StartError } from '../../../errors/start-error.js';

export interface SeedFile {
  readonly file: string;
  /** The name in messages: the path in the seeded folder. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * The file itself, or the `.json` and `.ndjson` files of a folder and the images in and below it, in the order of their
 * names; hidden ones are left out.
 * @throws StartError when there are none
 */
export async function findSeedFiles(location: string) {
  if (!existsSync(location)) throw new StartError(`${location} does not exist`);
  const isFolder = (await stat(location)).isDirectory();
  const folder = isFolder ? location : path.dirname(location);
  const names = isFolder ? (await readdir(location, { recursive: true })).toSorted() : [path.basename(location)];
  const [rows, images] = await Promise.all([
    measure(folder, names.filter(isRows)),
    measure(folder, names.filter(isImage)),
  ]);
  if (rows.length + images.length > 0) return { rows, images };
  throw new StartError(`${location} ${isFolder ? 'contains' : 'is'} no .json or .ndjson file and no image`);
}

/** Files with entries, and images for the media library. */
export type SeedFiles = Awaited<ReturnType<typeof findSeedFiles>>;

/** Not in subfolders, which can contain any files. */
const isRows = (name: string): boolean => /\.(?:nd)?json$/.test(name) && !name.includes(path.sep);
const isImage = (name: string): boolean =>
  (lookup(name) || '').startsWith('image/') && !name.split(path.sep).some((part) => part.startsWith('.'));

const measure = (folder: string, names: readonly string[]): Promise<readonly SeedFile[]> =>
  Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      return { file, name, size: (await stat(file)).size };
    }),
  );

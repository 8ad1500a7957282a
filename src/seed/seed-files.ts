import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { lookup } from 'mime-types';
import { StartError } from '../errors/start-error.js';

/** A file to seed from, and how many bytes it has. */
export interface SeedFile {
  readonly file: string;
  readonly size: number;
}

export interface SeedFiles {
  /** Of entries. */
  readonly rows: readonly SeedFile[];
  /** For the media library. */
  readonly images: readonly SeedFile[];
}

/**
 * The file itself, or the `.json` and `.ndjson` files and the images of a folder in the order of their names.
 * @throws StartError when there are none
 */
export async function findSeedFiles(place: string): Promise<SeedFiles> {
  if (!existsSync(place)) throw new StartError(`${place} is not there`);
  const isFolder = (await stat(place)).isDirectory();
  const names = isFolder ? (await readdir(place)).toSorted().map((name) => path.join(place, name)) : [place];
  const [rows, images] = await Promise.all([measure(names.filter(isRows)), measure(names.filter(isImage))]);
  if (rows.length + images.length > 0) return { rows, images };
  throw new StartError(`${place} ${isFolder ? 'holds' : 'is'} no .json or .ndjson file and no image`);
}

const isRows = (name: string): boolean => /\.(?:nd)?json$/.test(name);
const isImage = (name: string): boolean => (lookup(name) || '').startsWith('image/');

const measure = (files: readonly string[]): Promise<readonly SeedFile[]> =>
  Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })));

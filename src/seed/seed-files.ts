import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../errors/start-error.js';

/** A file to seed from, and how many bytes it has. */
export interface SeedFile {
  readonly file: string;
  readonly size: number;
}

/**
 * The file itself, or the `.json` and `.ndjson` files of a folder in the order of their names.
 * @throws StartError when there are none
 */
export async function findSeedFiles(place: string): Promise<readonly SeedFile[]> {
  if (!existsSync(place)) throw new StartError(`${place} is not there`);
  const isFolder = (await stat(place)).isDirectory();
  const names = isFolder ? (await readdir(place)).toSorted().map((name) => path.join(place, name)) : [place];
  const files = names.filter((name) => /\.(?:nd)?json$/.test(name));
  if (files.length === 0) throw new StartError(`${place} ${isFolder ? 'holds' : 'is'} no .json or .ndjson file`);
  return Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })));
}

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../../../../errors/start-error.js';
import type { Item, Source } from '../source.js';
import { isDamage, packingOf, readMembers, type Member, type Packing } from '../read/open-archive.js';
import { folders, parseLine } from './parse-line.js';
import { readLines } from '../read/read-lines.js';

/**
 * An archive that `strapi export` of Strapi v4 wrote; undefined for any other file.
 * @throws StartError when it is encrypted and the password is wrong or missing
 */
export async function openStrapiV4(file: string, password: string | undefined): Promise<Source | undefined> {
  const found = await stat(file);
  if (!found.isFile()) return undefined;
  const packing = await packingOf(file, password);
  if (packing === undefined) return undefined;
  return {
    description: 'an archive of Strapi v4',
    size: found.size,
    unit: 'bytes',
    read: (onProgress) => readArchive(file, packing, onProgress),
  };
}

const FILES = 'assets/uploads/';

/** @throws StartError when the archive is damaged */
async function* readArchive(file: string, packing: Packing, onProgress: (bytes: number) => void): AsyncGenerator<Item> {
  try {
    for await (const member of readMembers(file, packing, onProgress)) yield* itemsIn(member);
  } catch (error) {
    throw isDamage(error) ? new StartError(`${file} is damaged: ${error.message}`) : error;
  }
}

async function* itemsIn({ name, size, modified, content }: Member): AsyncGenerator<Item> {
  const folder = name.split('/')[0] ?? '';
  if (name.startsWith(FILES)) yield { kind: 'file', name: name.slice(FILES.length), size, modified, content };
  if (!folders.has(folder) || !name.endsWith('.jsonl')) return;
  for await (const { line, text } of readLines(content)) {
    const item = parseLine(folder, text, { file: path.posix.basename(name), line });
    if (item !== undefined) yield item;
  }
}

import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { StartError } from '../../../../errors/start-error.js';
import type { FileItem, Where } from '../source.js';
import { packingOf, readItems, type Member, type Packing } from '../read/open-archive.js';
import { readLines } from '../../../io/read-lines.js';
import { names, parseManifest, type Manifest } from './manifest.js';

/** One thing in an archive of `npx content-service export`. */
type BackupItem = DocumentItem | FileItem;

/** A document as a line of the archive. */
export interface DocumentItem {
  readonly kind: 'document';
  readonly collection: string;
  readonly where: Where;
  readonly text: string;
}

/** Opens an archive of `npx content-service export`; undefined for others. @throws StartError for an unknown format */
export async function openBackup(file: string) {
  if (!existsSync(file)) return undefined;
  const stats = await stat(file);
  const packing = stats.isFile() && !file.endsWith('.enc') ? await packingOf(file, undefined) : undefined;
  const manifest = packing && (await readManifest(file, packing));
  if (packing === undefined || manifest === undefined) return undefined;
  const { createdAt, snapshot } = manifest;
  return {
    description: `an export of ${createdAt}${snapshot ? '' : ', made without a snapshot'}`,
    /** Bytes of one reading. */
    size: stats.size,
    manifest,
    /** All items in order; `onProgress` receives the number of bytes read. @throws StartError if it is damaged */
    read: (onProgress: (bytes: number) => void): AsyncIterable<BackupItem> =>
      readItems(file, packing, onProgress, itemsIn),
  };
}

/** An archive of `npx content-service export`; it can be read repeatedly. */
export type Backup = NonNullable<Awaited<ReturnType<typeof openBackup>>>;

/** Of the description of an archive, which is read as a whole. */
const MOST_BYTES = 2 ** 26;

/** It is the first member. @throws StartError if the archive is damaged */
async function readManifest(file: string, packing: Packing): Promise<Manifest | undefined> {
  const manifests = readItems(
    file,
    packing,
    () => undefined,
    async function* ({ name, size, content }) {
      if (name === names.manifest && size > MOST_BYTES)
        throw new StartError(`${names.manifest} in ${file} has more than ${MOST_BYTES} bytes`);
      yield name === names.manifest ? parseManifest(await text(content), file) : undefined;
    },
  );
  for await (const manifest of manifests) return manifest;
  return undefined;
}

async function* itemsIn({ name, size, modified, content }: Member): AsyncGenerator<BackupItem> {
  if (name.startsWith(names.files)) {
    yield { kind: 'file', name: name.slice(names.files.length), size, modified, content };
  }
  if (!name.startsWith(names.documents)) return;
  const [collection = ''] = name.slice(names.documents.length).split('/');
  for await (const { line, text } of readLines(content, name)) {
    yield { kind: 'document', collection, where: { file: name, line }, text };
  }
}
